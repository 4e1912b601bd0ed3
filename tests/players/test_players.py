"""Players: how they are named, the errors for anything else, and how they sample."""

import pickle
import sys

import numpy as np
import pytest

from wts_fast import BLACK, WHITE, Position, players
from wts_fast.players import RandomPlayer, SamplingPlayer, player, register, registry, sample

SOME_BOTS = """
class Careful:
    def __init__(self, depth=1, *, speed=1.0, style="slow"):
        self.name = f"careful {depth} {speed} {style}"

    def choose(self, position, player, rng):
        return position.legal_moves()[0]


class Nested:
    Inner = Careful


class Nameless:
    def choose(self, position, player, rng):
        return 0


def anything(**options):
    return Careful(**options)


def nothing():
    return 5


ready = Careful(9)
number = 5
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A package `some_bots` with a module and entry points, as pip lays them out."""
    (tmp_path / "some_bots.py").write_text(SOME_BOTS, encoding="utf-8")
    info = tmp_path / "some_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[wts_fast.players]\n"
        "careful = some_bots:Careful\n"
        "broken = some_bots:Missing\n"
        "random = some_bots:Careful\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("some_bots", None)


@pytest.fixture
def registered(monkeypatch):
    """Names registered in a test are forgotten after it."""
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))


# --- which player a spec names ----------------------------------------------------------


@pytest.mark.parametrize("spec", [0, "0", "random", np.int64(0)])
def test_level_0_picks_at_random(spec):
    assert type(player(spec)) is RandomPlayer
    assert player(spec).name == "random"


def test_every_level_and_every_name_is_a_player():
    for spec in (*range(len(players.LEVELS)), *players.LEVELS, *players.names()):
        found = player(spec)
        cell = found.choose(Position(), BLACK, np.random.default_rng(1))
        assert cell in Position().legal_moves()
        assert pickle.loads(pickle.dumps(found)).name == found.name


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("some_bots:Careful", "careful 1 1.0 slow"),
        ("some_bots:Careful:depth=3", "careful 3 1.0 slow"),
        ("some_bots:Nested.Inner:style=a:b,speed=1e-3,depth=x", "careful x 0.001 a:b"),
        ("some_bots:anything:style=", "careful 1 1.0 "),
        ("some_bots:ready", "careful 9 1.0 slow"),
        ("careful", "careful 1 1.0 slow"),
        ("careful:depth=-2", "careful -2 1.0 slow"),
    ],
)
def test_modules_entry_points_and_arguments(bots, spec, name):
    assert player(spec).name == name


def test_a_registered_name_goes_before_an_entry_point(bots):
    assert type(player("random")) is RandomPlayer
    assert players.names() == [*registry._FACTORIES, "broken", "careful"]


def test_a_name_that_two_packages_offer_is_refused(bots):
    info = bots / "other_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[wts_fast.players]\ncareful = other_bots:Careful\n")
    with pytest.raises(ValueError) as error:
        player("careful")
    assert str(error.value) == (
        "player 'careful' is provided by several packages: other_bots:Careful and some_bots:Careful"
    )


def test_a_player_is_its_own_spec(bots):
    one = player("careful")
    assert player(one) is one


def test_register(registered):
    class Mine(RandomPlayer):
        def __init__(self, strength=1):
            self.strength = strength

    register("mine", Mine)
    assert player("mine:strength=7").strength == 7
    assert players.names()[-1] == "mine"
    with pytest.raises(ValueError, match="a player is named 'mine' already"):
        register("mine", RandomPlayer)


@pytest.mark.parametrize("name", ["", "7", "a:b", "a=b", "a,b"])
def test_names_that_a_spec_could_not_tell_are_refused(registered, name):
    with pytest.raises(ValueError, match="a player cannot be named"):
        register(name, RandomPlayer)
    assert name not in players.names()


@pytest.mark.parametrize(("name", "factory"), [(7, RandomPlayer), ("seven", 7)])
def test_what_cannot_be_registered(registered, name, factory):
    with pytest.raises(TypeError):
        register(name, factory)
    assert name not in players.names()


# --- what is said of what is none -------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("randon", "no player is named 'randon': expected random, "),
        ("carefull", "no player is named 'carefull': expected careful, "),
        ("", "no player is named '': expected "),
        ("random:", "no player is named 'random:': expected random, "),
        (".some_bots:Careful", "no player is named '.some_bots:Careful': expected "),
        ("99", "level is 99: expected 0.."),
        (-1, "level is -1: expected 0.."),
        ("no_such_module:Bot", "player 'no_such_module:Bot': No module named 'no_such_module'"),
        ("some_bots:Missing", "player 'some_bots:Missing': module 'some_bots' has no attribute"),
        ("broken", "player 'broken': module 'some_bots' has no attribute 'Missing'"),
        ("some_bots:number", "expected a player, or a class or function that returns one, not int"),
        ("some_bots:nothing", "expected an object with a method choose, not int"),
        (
            "careful:width=3",
            "player 'careful:width=3' takes no 'width': expected depth, speed, style",
        ),
        ("random:depth=3", "player 'random:depth=3' takes no 'depth': expected no arguments"),
        ("0:depth=3", "takes no 'depth': expected no arguments"),
        ("some_bots:anything:width=3", "player 'some_bots:anything:width=3': "),
        ("some_bots:ready:depth=3", "some_bots:ready is a player already, and takes no arguments"),
        ("careful:depth=3,depth=4", "player 'careful:depth=3,depth=4': depth is given twice"),
        ("careful:depth=3,", "expected name:key=value,key=value"),
        ("careful:=3", "expected name:key=value,key=value"),
        ("depth=3", "expected name:key=value,key=value"),
    ],
)
def test_a_spec_that_tells_no_player(bots, spec, message):
    with pytest.raises(ValueError) as error:
        player(spec)
    assert message in str(error.value)


@pytest.mark.parametrize("spec", [None, 1.5, RandomPlayer, b"random", [0]])
def test_what_is_no_spec(spec):
    with pytest.raises(TypeError, match="expected a player, or a str or an int that names one"):
        player(spec)


def test_a_player_without_a_name_has_the_name_of_its_class(bots):
    nameless = player("some_bots:Nameless")
    assert players.name_of(nameless) == "Nameless"
    nameless.name = None
    with pytest.raises(ValueError, match="a player of Nameless has the name None: expected one"):
        player(nameless)
    with pytest.raises(ValueError, match="expected one line"):
        player("careful:style=a\nb")


# --- how they draw ----------------------------------------------------------------------


class Fixed(SamplingPlayer):
    name = "fixed"

    def policy(self, position, player):
        weights = np.zeros(81)
        weights[[3, 40, 70] if player == BLACK else [80]] = (
            (0.5, 0.2, 0.3) if player == BLACK else 1
        )
        return weights


def test_choose_draws_from_the_policy():
    rng = np.random.default_rng(5)
    drawn = [Fixed().choose(Position(), BLACK, rng) for _ in range(20_000)]
    counts = np.bincount(drawn, minlength=81) / len(drawn)
    np.testing.assert_allclose(counts, Fixed().policy(Position(), BLACK), atol=0.015)
    assert {Fixed().choose(Position(), WHITE, rng) for _ in range(50)} == {80}
    assert type(drawn[0]) is int


class Drawing:
    """A generator whose next number is known."""

    def __init__(self, number):
        self.number = number

    def random(self):
        return self.number


@pytest.mark.parametrize("number", [0.0, 0.5, 1 - 2**-53])
@pytest.mark.parametrize("total", [5e-324, 1e-300, 0.1, 1 - 1e-9, 1.0, 3.7, 1e300])
@pytest.mark.parametrize("cells", [[1], [79], [1, 79], range(1, 80)])
def test_no_rounding_draws_a_cell_of_probability_zero(number, total, cells):
    weights = np.zeros(81)
    weights[cells] = max(total / len(cells), 5e-324)
    assert sample(weights, Drawing(number)) in cells


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(80), r"policy has shape \(80,\): expected \(81,\)"),
        (np.ones((9, 9)), r"policy has shape \(9, 9\): expected \(81,\)"),
        (np.zeros(81), "policy has bad weights"),
        ([-1, *[1] * 80], "policy has bad weights"),
        ([np.nan, *[1] * 80], "policy has bad weights"),
        ([np.inf, *[1] * 80], "policy has bad weights"),
        ([np.inf, -np.inf, *[1] * 79], "policy has bad weights"),
        ([1e308] * 81, "policy has bad weights"),
    ],
)
def test_what_is_no_policy(weights, message):
    with pytest.raises(ValueError, match=message):
        sample(weights, np.random.default_rng(1))


def test_the_random_player_is_uniform_over_legal_picks(engine):
    position = engine.Position.from_cells(["a1"], ["b1"], ["c1"])
    policy = RandomPlayer().policy(position, WHITE)
    assert (policy.dtype, policy.shape) == (np.float64, (81,))
    assert set(np.flatnonzero(policy)) == set(position.legal_moves())
    assert np.unique(policy[3:]).size == 1
    assert policy.sum() == pytest.approx(1)


def test_a_finished_game_has_a_policy_of_zeros(engine):
    over = engine.Position.from_string("bbbbb4/9/9/9/9/9/9/9/9 - 5")
    assert not RandomPlayer().policy(over, BLACK).any()
