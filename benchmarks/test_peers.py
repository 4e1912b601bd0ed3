"""Each peer plays whole games, and as many as it reports."""

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel has gomoku for Python 3.11 and newer")

import peers
import pyspiel


@pytest.fixture(scope="module")
def rows():
    """The real measurement, as short as possible."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peers, "ROUNDS", 1)
        patch.setattr(peers, "SECONDS", 0.02)
        return {row.name: row for row in peers.measure(lambda: None)}


def test_every_peer_has_its_row(rows):
    assert list(rows) == [peer.name for peer in peers.peers()]
    assert rows["wts-fast, own loop"].ratio == 1


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("wts-fast, own loop", 29.1),
        ("wts-fast, one game at a time", 29.1),
        ("wts-fast from Python", 29.1),
        ("reference engine from Python", 29.1),
        ("numba, mailbox board", 29.1),
        ("numba, lines in words, unofficial", 29.1),
        ("OpenSpiel gomoku from Python", 53.6),
        ("OpenSpiel gomoku, own loop", 53.6),
        ("OpenSpiel goofspiel from Python", 12),
        ("OpenSpiel goofspiel, own loop", 12),
    ],
)
def test_games_have_their_length(rows, name, turns):
    row = rows[name]
    assert row.turns_per_second / row.games_per_second == pytest.approx(turns, rel=0.15)


def test_openspiel_plays_whole_games_in_its_own_loop():
    """Two of its games with the rules of 9 x 9 gomoku give the same results for a seed."""
    values = [
        peers.native_value(pyspiel.load_game(name), 1000, seed=1)
        for name in (peers.GOMOKU, "mnk(m=9,n=9,k=5)")
    ]
    assert values[0] == values[1] != 0


@pytest.mark.parametrize("games", [1, 10, 1000])
def test_openspiel_plays_as_many_games_as_asked(games):
    """Each game is won, lost or drawn, so their mean is a whole number of games' worth."""
    value = peers.native_value(pyspiel.load_game(peers.GOMOKU), games, seed=2)
    assert value * games == pytest.approx(round(value * games), abs=1e-6)
