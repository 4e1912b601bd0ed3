"""Search: what its numbers mean, that they repeat, and how it ends."""

import copy
import math
import pickle
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from wts_fast import IllegalMoveError, Position, reference
from wts_fast.features import cell_scores, top_cells, winning_cells
from wts_fast.search import Search
from wts_fast.types import BLACK, WHITE

MIDGAME = "9/9/2w1b4/3wbw3/3bbw3/2w1wb3/4b4/9/9 - 7"
OVER = "bbbbb4/9/9/9/9/9/9/9/9 - 5"
TWO_EMPTY = (
    "bwwbwwwbb/wwbbwbwbb/wbbbwwwwb/bwwbwbbww/bbw2bwbw/wwwbbbwwb/bbwwbwbwb/bwbwwbwww/wbwbwwbbb - 0"
)
"""Of two empty cells the turns lead back to two empty cells (R8)."""

SETTINGS = [
    {"method": "puct"},
    {"method": "puct", "k": 81, "prior": False},
    {"method": "puct", "leaves": "rollouts"},
    {"method": "uct", "k": 81, "prior": False, "leaves": "rollouts"},
    {"method": "uct"},
    {"method": "regret"},
    {"method": "regret", "leaves": "rollouts"},
]

settings = pytest.mark.parametrize(
    "kind", SETTINGS, ids=lambda kind: " ".join(map(str, kind.values()))
)


def midgame():
    return Position.from_string(MIDGAME)


def same(one, other):
    """Whether two results are equal but for the time that they took."""
    return all(
        np.array_equal(mine, theirs, equal_nan=True)
        if isinstance(mine, np.ndarray)
        else mine == theirs
        for mine, theirs in zip(one[:-1], other[:-1], strict=True)
    )


# --- what the numbers mean --------------------------------------------------------------


@settings
def test_visits_means_and_values_belong_together(kind):
    position = midgame()
    search = Search(position, rng=1, **kind)
    result = search.run(3000)
    legal = position.legal_mask()
    assert result.simulations == 3000
    assert result.simulations_per_second == 3000 / result.seconds > 0
    for player in (0, 1):
        assert result.visits[player].sum() == 2999  # the first one values the root
        visited = result.visits[player] > 0
        assert not visited[~legal].any()
        assert visited.sum() <= kind.get("k", 20)
        assert (np.isnan(result.means[player]) == ~visited).all()
        assert (abs(result.means[player][visited]) <= 1).all()
        assert result.visits[player][result.picks[player]] == result.visits[player].max()
        assert result.policies[player].sum() == pytest.approx(1)
        assert result.policies[player].min() >= 0
        shares = result.visits[player] / 2999
        mixed = result.policies[player] > 0
        assert (shares[mixed] >= min(0.03, shares.max())).all()
    # What all simulations brought is the same for both, with the other sign.
    totals = [np.nansum(result.visits[side] * result.means[side]) for side in (0, 1)]
    assert totals[0] == pytest.approx(-totals[1], abs=1)
    known = ~np.isnan(result.values)
    assert known.any(axis=1).tolist() == (result.visits[0] > 0).tolist()
    assert known.any(axis=0).tolist() == (result.visits[1] > 0).tolist()
    assert abs(result.value) <= 1
    assert result.line[0] == result.picks
    for black, white in result.line:
        position = position.play(black, white)


def test_one_simulation_is_enough_for_a_result():
    """Nothing was picked yet, so the evaluation fills the matrix, and scores order the picks."""
    position = midgame()
    result = Search(position, rng=1).run(1)
    assert not result.visits.any()
    assert np.isnan(result.means).all()
    assert np.isnan(result.values).all()
    assert result.line == ()
    for row, player in enumerate((BLACK, WHITE)):
        scores = cell_scores(position, player)
        least = scores[top_cells(position, player, 20)[-1]]
        assert scores[result.policies[row] > 0].min() >= least
    assert result.policies.sum(axis=1) == pytest.approx([1, 1])


def test_a_joint_move_that_ends_the_game_has_its_exact_value():
    position = Position.from_string("9/9/2w6/3bbbb2/2w1w4/4w4/9/9/9 - 4")
    result = Search(position, rng=1).run(2000)
    one, two = winning_cells(position, BLACK)
    assert result.values[one, two] == 1
    assert result.policies[0][[one, two]].sum() > 0.95
    assert result.policies[1][[one, two]].sum() > 0.95
    assert set(result.picks) <= {one, two}
    assert result.value > 0.4


@pytest.mark.parametrize("k", [1, 5, 81])
def test_picks_are_the_best_scored_and_all_of_them_without_limit(k):
    position = midgame()
    result = Search(position, method="uct", k=k, rng=1).run(20_000)
    for row, player in enumerate((BLACK, WHITE)):
        scores = cell_scores(position, player)
        best = top_cells(position, player, k)
        visited = result.visits[row] > 0
        assert visited.sum() == len(best)
        assert sorted(scores[visited]) == sorted(scores[best])


def test_the_search_sees_two_turns_ahead():
    """An open three of White's must be met: left alone it makes two winning cells."""
    position = Position.from_string("9/9/9/9/3www3/9/9/b7b/9 - 3")
    result = Search(position, rng=1).run(5000)
    around = {39 - 1, 39 - 2, 42, 43}
    assert result.picks[0] in around


@settings
def test_players_that_change_colors_change_places(kind):
    """Up to the noise of a search."""
    position = Position.from_string("9/9/2w6/3bbbb2/2w1w4/4w4/9/9/9 - 4")
    here = Search(position, rng=1, **kind).run(8000)
    there = Search(position.swap_colors(), rng=2, **kind).run(8000)
    assert there.value == pytest.approx(-here.value, abs=0.3)
    assert there.picks[1] in winning_cells(position, BLACK)
    assert here.picks[0] in winning_cells(position, BLACK)


def test_weights_and_exploration_make_a_difference():
    position = midgame()
    by_default = Search(position, rng=1).run(500)
    assert same(by_default, Search(position, rng=1, exploration=0.5).run(500))
    assert not same(by_default, Search(position, rng=1, exploration=1.5).run(500))
    assert not same(by_default, Search(position, rng=1, weights=[0.1] * 9).run(500))
    assert not same(by_default, Search(position, rng=1, prior=False).run(500))


def test_without_weights_all_undecided_positions_are_worth_nothing():
    result = Search(Position(), rng=1, weights=[0] * 9).run(300)
    assert result.value == 0


# --- positions that come again ----------------------------------------------------------


def reachable(position):
    """All positions that play may lead to, this one included (R7)."""
    found, left = {position}, [position]
    while left:
        here = left.pop()
        for black in here.legal_moves():
            for white in here.legal_moves():
                after = here.play(black, white)
                if after not in found:
                    found.add(after)
                    left.append(after)
    return found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (
            "bwbwbbbbw/wwbwbwwwb/b1bwwbbwb/wwbbwbbbb/wbwbwbbww/bbwbwbbww/wwbwwbwww/wwbwb1wb1/bwwwbwwbb - 0",
            119,
        ),
        (
            "bbwwewwbb/ewww1wweb/e1bwbweeb/bbwbwbbbw/ww1webbew/ebwwwwebw/bbwwbbbeb/bwbeewwb1/bbewwbebb h5,g3,g9,g6,a3,e8,h2,a6,a2,e1,d8,h7,c9,e5,h3 0",
            250,
        ),
    ],
    ids=["no eggs", "eggs"],
)
def test_each_position_has_one_node(text, count):
    """Positions differ by the order of their eggs, too (R7)."""
    position = Position.from_string(text)
    assert len(reachable(position)) == count
    search = Search(position, method="regret", exploration=1, k=81, rng=1)
    search.run(100_000)
    assert search.nodes == count


@settings
def test_positions_that_come_again_do_not_trap_the_search(kind):
    search = Search(Position.from_string(TWO_EMPTY), rng=1, **kind)
    assert search.run(2000).visits[0].sum() >= 1999  # a simulation may come back to the root
    assert search.nodes < 2000


# --- the same again ---------------------------------------------------------------------


@settings
def test_a_seed_repeats_a_search(kind):
    position = midgame()
    first = Search(position, rng=5, **kind).run(1500)
    assert same(first, Search(position, rng=5, **kind).run(1500))
    assert not same(first, Search(position, rng=6, **kind).run(1500))
    in_parts = Search(position, rng=5, **kind)
    in_parts.run(700)
    again = in_parts.run(800)
    assert same(first[:-2], again[:-2])


def test_eight_threads_search_what_one_alone_does(eight_at_once):
    def work(number):
        result = Search(midgame(), method="regret", rng=number).run(2000)
        return result.visits.tolist(), result.value, result.line

    assert eight_at_once(work) == [work(number) for number in range(8)]


def test_eight_threads_share_a_search(eight_at_once):
    search = Search(midgame(), rng=1)
    eight_at_once(lambda number: search.run(1000))
    assert search.run(1).visits[0].sum() == 8000
    alone = Search(midgame(), rng=1)
    alone.run(8001)
    assert same(search.run(1), alone.run(1))


# --- from turn to turn ------------------------------------------------------------------


@settings
def test_a_turn_keeps_its_part_of_the_tree(kind):
    search = Search(midgame(), rng=1, **kind)
    result = search.run(4000)
    black, white = result.picks
    nodes, memory = search.nodes, search.memory
    search.advance(black, white)
    assert str(search.position) == str(midgame().play(black, white))
    assert 1 <= search.nodes < nodes
    assert search.memory <= memory
    kept = search.nodes
    after = search.run(1)
    assert after.visits[0].sum() >= (kept > 1)
    assert search.nodes in (kept, kept + 1)


def test_what_is_kept_is_what_was_known():
    """The next turn of the line had its visits, and they go on."""
    search = Search(midgame(), rng=1)
    before = search.run(20_000)
    search.advance(*before.picks)
    after = search.run(1)
    assert after.picks == before.line[1]
    assert after.line[: len(before.line) - 2] == before.line[1:-1]
    visits = after.visits[0].sum()
    assert 100 < visits < 20_000
    mean = np.nansum(after.visits[0] * after.means[0]) / visits
    assert mean == pytest.approx(before.values[before.picks], abs=0.01)


def test_two_searches_that_went_the_same_way_go_on_the_same_way():
    one, other = Search(midgame(), rng=3), Search(midgame(), rng=3)
    for search in (one, other):
        search.advance(*search.run(3000).picks)
    assert same(one.run(3000), other.run(3000))


def test_a_turn_that_was_not_searched_begins_a_new_tree():
    search = Search(midgame(), k=2, rng=1)
    search.run(500)
    search.advance("a1", "i9")
    assert search.nodes == 1
    assert search.position == midgame().play("a1", "i9")
    assert search.run(100).visits[0].sum() == 99
    untouched = Search(midgame(), rng=1)
    untouched.advance("a1", "a1")
    assert untouched.position.eggs == (0,)


def test_a_tree_in_a_graph_with_cycles_is_kept_too():
    search = Search(Position.from_string(TWO_EMPTY), method="regret", k=81, rng=1)
    for _ in range(6):
        before = search.nodes
        result = search.run(300)
        assert search.nodes <= before + 300
        search.advance(*result.picks)
        if search.position.is_over:
            break


def test_a_game_can_be_searched_to_its_end():
    search = Search(Position(), rng=2)
    while not search.position.is_over:
        search.advance(*search.run(300).picks)
    with pytest.raises(ValueError) as error:
        search.run(1)
    outcome = search.position.outcome.name
    assert str(error.value) == f"there is nothing to search: the game is over ({outcome})"
    with pytest.raises(IllegalMoveError, match="the game is over"):
        search.advance("a1", "a2")


def test_an_illegal_turn_changes_nothing():
    search, other = Search(midgame(), rng=1), Search(midgame(), rng=1)
    search.run(500)
    other.run(500)
    for picks, message in (
        (("e3", "a1"), "Black cannot pick e3: the cell holds a black turtle"),
        (("a1", 81), "White cannot pick 81: cells are 0..80 or a1..i9"),
    ):
        with pytest.raises(IllegalMoveError) as error:
            search.advance(*picks)
        assert str(error.value) == message
    assert search.nodes == other.nodes
    assert same(search.run(500), other.run(500))


# --- limits -----------------------------------------------------------------------------


def test_the_time_ends_a_run():
    search = Search(midgame(), rng=1)
    result = search.run(seconds=0)
    assert result.simulations == 256
    assert search.run(10, seconds=1e9).simulations == 10
    assert search.run(1000, seconds=0.0).simulations == 256
    assert search.run(seconds=0.02).seconds >= 0.02


def test_at_the_limit_of_memory_a_tree_stops_growing_and_is_still_searched():
    search = Search(midgame(), memory=2**20, rng=1)
    search.run(20_000)
    nodes = search.nodes
    assert 2**19 < search.memory <= 2**20
    result = search.run(20_000)
    assert search.nodes - nodes < 256  # a block that was begun may fill up
    assert result.visits[0].sum() == 39_999
    search.advance(*result.picks)
    assert search.memory <= 2**20
    search.run(5000)
    assert search.memory <= 2**20


FREED = """
import resource, sys
from wts_fast import Position
from wts_fast.search import Search

def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 if sys.platform == "linux" else 1024)

def work():
    search = Search(Position(), rng=1)
    result = search.run(30_000)
    search.advance(*result.picks)
    return search.memory

work()
before = used()
for _ in range(20):
    work()
print(used() - before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no module resource")
def test_memory_is_freed(tmp_path):
    """Twenty trees of 20 MiB take no more than the first did."""
    command = [sys.executable, "-c", FREED]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) < 40 * 1024


def test_ctrl_c_stops_a_run_that_may_go_on():
    """Python ignores the signal where its parent does, as for a command in the background."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    search = Search(midgame(), memory=2**20, rng=1)
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            search.run(10**15)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)
    result = search.run(1)
    assert result.visits[0].sum() % 256 == 0


# --- what is given ----------------------------------------------------------------------


def test_positions_of_either_engine():
    theirs = Search(reference.Position.from_string(MIDGAME), rng=1)
    assert same(theirs.run(300), Search(midgame(), rng=1).run(300))
    assert theirs.position == midgame()
    with pytest.raises(TypeError, match="expected a Position of either engine, not str"):
        Search(MIDGAME)


def test_a_finished_game_has_nothing_to_search():
    search = Search(Position.from_string(OVER))
    with pytest.raises(ValueError) as error:
        search.run(1)
    assert str(error.value) == "there is nothing to search: the game is over (BLACK_WINS)"


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"method": "exp3"}, ValueError, "method is 'exp3': expected puct or uct or regret"),
        ({"method": None}, ValueError, "method is 'None': expected puct or uct or regret"),
        ({"leaves": "net"}, ValueError, "leaves is 'net': expected evaluation or rollouts"),
        ({"k": 0}, ValueError, "k is 0: expected 1..81"),
        ({"k": 82}, ValueError, "k is 82: expected 1..81"),
        ({"k": 2.0}, TypeError, "k must be an int, not float"),
        ({"exploration": -0.1}, ValueError, "exploration is -0.1: expected 0..1000000.0"),
        ({"exploration": math.nan}, ValueError, "exploration is nan: expected 0..1000000.0"),
        ({"exploration": "high"}, TypeError, "exploration must be a number, not str"),
        (
            {"exploration": 10**400},
            ValueError,
            f"exploration is 1{'0' * 39}…: expected 0..1000000.0",
        ),
        ({"weights": [1] * 8}, ValueError, "weights are of shape (8,): expected (9,)"),
        ({"rng": -1}, ValueError, "seed is -1: expected 0..18446744073709551615"),
        ({"memory": 1000}, ValueError, "memory is 1000: expected 1048576..9223372036854775807"),
    ],
)
def test_another_setting_is_an_error(given, kind, message):
    with pytest.raises(kind) as error:
        Search(Position(), **given)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({}, ValueError, "run needs a limit: simulations, seconds or both"),
        ({"simulations": 0}, ValueError, "simulations is 0: expected 1..9223372036854775807"),
        ({"simulations": 1e3}, TypeError, "simulations must be an int, not float"),
        ({"seconds": -1}, ValueError, "seconds is -1.0: expected 0..1000000000.0"),
        ({"seconds": math.inf}, ValueError, "seconds is inf: expected 0..1000000000.0"),
        (
            {"seconds": None, "simulations": None},
            ValueError,
            "run needs a limit: simulations, seconds or both",
        ),
    ],
)
def test_another_limit_is_an_error(given, kind, message):
    search = Search(Position(), rng=1)
    with pytest.raises(kind) as error:
        search.run(**given)
    assert str(error.value) == message
    assert search.run(5).visits[0].sum() == 4


def test_a_search_is_neither_copied_nor_pickled():
    search = Search(Position())
    for work in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            work(search)
