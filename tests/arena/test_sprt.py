"""The sequential test: its formula, its error rates, and how it ends an arena."""

from math import exp, log, sqrt

import numpy as np
import pytest

from wts_fast.arena import Records, arena
from wts_fast.arena.sprt import BOUND, ERROR, log_likelihood_ratio, sprt
from wts_fast.cli.main import main

STRONG = ["random", "some_bots:Resigning"]


def score(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def test_the_ratio_in_closed_form():
    counts = np.array([2, 1, 4, 3, 5])
    values = [0.0] * 3 + [0.25] + [0.5] * 4 + [0.75] * 3 + [1.0] * 6  # one pair more at each end
    s0, s1 = score(-10), score(40)
    mean = (0.25 + 2 + 2.25 + 5) / 15
    expected = 15 * (s1 - s0) * (2 * mean - s0 - s1) / (2 * np.var(values))
    state = sprt(counts, -10, 40)
    assert state.llr == pytest.approx(expected)
    assert state.accepted is None
    assert pytest.approx(log(19)) == BOUND
    assert sprt(np.zeros(5, dtype=np.int64), 0, 10).llr == 0


def test_what_is_accepted():
    assert sprt(np.array([0, 0, 0, 0, 60]), 0, 100).accepted == 1
    assert sprt(np.array([60, 0, 0, 0, 0]), 0, 100).accepted == 0
    assert sprt(np.array([0, 0, 0, 0, 1]), 0, 100).accepted is None


def chances(elo, lean, draws):
    """Return the probabilities of the scores of a pair, where Black leads by `lean` or lags."""
    pairs = np.zeros(5)
    for side in (-lean, lean):
        games = []
        for mean in (score(elo) + side, score(elo) - side):
            win = mean - draws / 2
            games.append([1 - draws - win, draws, win])
        pairs += np.convolve(*games) / 2
    return pairs


@pytest.mark.parametrize(("lean", "draws"), [(0.0, 0.0), (0.2, 0.0), (0.1, 0.5)])
@pytest.mark.parametrize("truth", [0, 1])
def test_error_rates(lean, draws, truth):
    """At each hypothesis, at most 5 % of 2,000 matches accept the other, and 3 standard errors."""
    hypotheses = (0.0, 60.0)
    rng = np.random.default_rng(40 + truth)
    repeats, longest = 2000, 500
    drawn = rng.choice(5, size=(repeats, longest), p=chances(hypotheses[truth], lean, draws))
    counts = (drawn[:, :, np.newaxis] == np.arange(5)).cumsum(axis=1)
    ratio = log_likelihood_ratio(counts, *hypotheses)
    clear = np.abs(ratio) >= BOUND
    decided = clear.any(axis=1)
    assert decided.mean() > 0.97
    at_end = ratio[np.arange(repeats), clear.argmax(axis=1)]
    wrong = decided & ((at_end > 0) != bool(truth))
    assert wrong.mean() <= ERROR + 3 * sqrt(ERROR * (1 - ERROR) / repeats)
    assert wrong.mean() > 0.005
    assert exp(BOUND) == pytest.approx(19)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_arena_ends_as_soon_as_the_test_is_clear(jobs):
    options = {"rng": 1, "on_error": "forfeit", "sprt": (0, 200)}
    report = arena(STRONG, 200, jobs=jobs, **options)
    assert report.sprt.accepted == 1
    pairs = len(report.games) // 2
    assert 3 < pairs < 100
    assert report.pentanomials == ((0, 0, 0, 0, pairs),)
    assert report.sprt == sprt(np.array(report.pentanomials[0]), 0, 200)
    assert sprt(np.array([0, 0, 0, 0, pairs - 1]), 0, 200).accepted is None
    assert report.as_json()["sprt"]["llr"] == report.sprt.llr >= BOUND
    assert arena(STRONG[::-1], 200, **options).sprt.accepted == 0


def test_an_arena_that_stays_undecided_plays_all_games():
    report = arena(["random"] * 2, 4, rng=1, sprt=(0, 5))
    assert (len(report.games), report.sprt.accepted) == (4, None)


def test_a_decided_test_plays_nothing_when_it_goes_on(tmp_path, capsys):
    path = tmp_path / "games.txt"
    command = ["arena", *STRONG, "--seed", "1", "--sprt", "0", "200", "--records", str(path)]
    command += ["--games", "200", "--on-error", "forfeit"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "\nSPRT, H0: 0 Elo, H1: 200 Elo: H1 is accepted\nlog-likelihood ratio " in out
    assert ", bounds -2.94..2.94\n" in out
    before = path.read_bytes()
    assert main([*command, "--resume"]) == 0
    assert path.read_bytes() == before
    with Records(path, resume=True) as records:
        shuffled = records.games[::-1]
    report = arena(STRONG, 200, on_error="forfeit", sprt=(0, 200), done=shuffled)
    assert len(report.games) == len(shuffled)


@pytest.mark.parametrize(
    ("hypotheses", "error", "message"),
    [
        ((5, 5), ValueError, "sprt is (5, 5): expected the lower Elo difference first"),
        ((0, 2000), ValueError, "sprt is (0, 2000): expected "),
        ((0, float("nan")), ValueError, "sprt is (0, nan): expected "),
        ((0,), TypeError, "sprt must be two Elo differences, not (0,)"),
        (5, TypeError, "sprt must be two Elo differences, not 5"),
    ],
)
def test_bad_hypotheses(hypotheses, error, message):
    with pytest.raises(error) as raised:
        arena(["random"] * 2, 2, sprt=hypotheses)
    assert message in str(raised.value)


def test_a_test_needs_two_players_and_pairs_of_games():
    with pytest.raises(ValueError, match="sprt with 3 players: expected 2"):
        arena(["random"] * 3, 2, sprt=(0, 5))
    with pytest.raises(ValueError, match="games is 3: expected an even number"):
        arena(["random"] * 2, 3, sprt=(0, 5))
