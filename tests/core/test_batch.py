"""Many games in a block of memory: each goes on as that of a `Position` does."""

import copy
import os
import pickle
import random
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from wts_fast import (
    BLACK,
    WHITE,
    Batch,
    IllegalMoveError,
    Outcome,
    Position,
    Symmetry,
    reference,
    rollouts,
)
from wts_fast.crosscheck import constructed_position

SIZES = (1, 5, 64, 511, 512, 513, 1100)  # a group is 512 games
INTEGERS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
MIDGAME = "w3b4/2wb2w2/1b2w1b2/4b4/2bw5/1w3e3/3b2w2/2w3b2/b5we1 f6,h9 12"
SUDDEN_DEATH = "9/1bbbbb3/9/9/9/9/9/1wwwww3/9 - 3"
FULL_BUT_ONE = (
    "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbww1 - 0"
)
BLACK_WON = "bbbbb4/9/9/9/9/9/9/9/9 - 9"
HIGHEST = 2**32 - 1


def make_pool(count):
    """Return positions rich in eggs, traps and lines, each with a turn that springs its traps."""
    rng = random.Random(7)
    pool = {Position(): (40, 40)}
    while len(pool) < count:
        position, turn = constructed_position(rng)
        number = rng.choice((0, 1, 300, 70_000, HIGHEST - 1, HIGHEST))
        position = Position.from_array(position.to_array(), position.eggs, number)
        pool[position] = turn
        pool[position.play(*turn)] = None
    return pool


POOL = make_pool(400)
POSITIONS = list(POOL)


def rich_batch(n, seed=1):
    return Batch.from_positions(random.Random(seed).choices(POSITIONS, k=n))


def texts(games):
    """What tells games apart, their turns included."""
    return [str(game) for game in games]


def legal_picks(games, rng, bits=8):
    """Return picks that are legal where games go on, and anything where they are over."""
    picks = []
    for game in games:
        if game.is_over:
            picks.append([rng.getrandbits(bits) for _ in range(2)])
        elif POOL.get(game) and rng.random() < 0.7:
            picks.append(POOL[game])
        else:
            moves = game.legal_moves()
            picks.append((rng.choice(moves), rng.choice(moves)))
    return [[turn[side] for turn in picks] for side in range(2)]


def laid_out(picks, dtype, layout):
    """Return picks as an array of this dtype that lies in memory in one way or another."""
    bits = 8 * np.dtype(dtype).itemsize
    wrapped = [
        pick % 2**bits - 2**bits * (dtype[0] == "i" and pick % 2**bits >> (bits - 1))
        for pick in picks
    ]
    array = np.array(wrapped, dtype=dtype)
    n = len(picks)
    match layout:
        case "contiguous":
            return array
        case "read-only":
            array.flags.writeable = False
            return array
        case "list":
            return [min(pick, 2**63 - 1) for pick in wrapped]  # of more NumPy makes floats
        case "strided":
            wide = np.full((n, 3), -1 if dtype[0] == "i" else 200, dtype=dtype)
            wide[:, 1] = array
            return wide[:, 1]
        case "backwards":
            return array[::-1].copy()[::-1]
        case "foreign byte order":
            return array.astype(array.dtype.newbyteorder("S"))
        case "unaligned":
            raw = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:].view(dtype)
            raw[:] = array
            return raw


LAYOUTS = (
    "contiguous", "read-only", "list", "strided", "backwards", "foreign byte order", "unaligned"
)  # fmt: skip


def planes_seen(position, player):
    """The planes of `Batch.observe`, from the position: nested lists of (numerator, denominator)."""
    board = position.to_array().ravel().tolist()
    opponent = WHITE if player == BLACK else BLACK
    eggs = position.eggs
    ages = [(0, 1)] * 81
    for place, cell in enumerate(eggs):
        ages[cell] = (len(eggs) - place, len(eggs))
    return [
        [(int(code == player), 1) for code in board],
        [(int(code == opponent), 1) for code in board],
        [(int(cell in eggs), 1) for cell in range(81)],
        ages,
        [(int(position.sudden_death), 1)] * 81,
    ]


def observation(positions, player, dtype):
    """What `Batch.observe` is documented to return."""
    if dtype == np.uint8:  # rounded, halves up
        value = {(a, m): (2 * 255 * a + m) // (2 * m) for m in range(1, 82) for a in range(m + 1)}
    else:
        value = {(a, m): a / m for m in range(1, 82) for a in range(m + 1)}
    planes = [
        [[value[number] for number in plane] for plane in planes_seen(position, player)]
        for position in positions
    ]
    return np.array(planes, dtype=dtype).reshape(len(positions), 5, 9, 9)


# --- against a list of positions --------------------------------------------------------

SEEDS = st.integers(0, 2**32 - 1)


def random_choice(rng, n):
    """Return a slice, indices or a mask, as lists or arrays."""
    match rng.randrange(4):
        case 0:
            bounds = [rng.choice((None, rng.randrange(-n - 2, n + 3))) for _ in range(2)]
            return slice(*bounds, rng.choice((None, 1, -1, 2, -3)))
        case 1:
            return [rng.randrange(-n, n) for _ in range(rng.randrange(9))]
        case 2:
            dtype = rng.choice(("i2", "u2", "i8", "u8", ">i4"))
            low = 0 if "u" in dtype else -n
            return np.array([rng.randrange(low, n) for _ in range(rng.randrange(9))], dtype)
        case 3:
            share = rng.choice((0, 0.02, 0.5, 1))
            return np.array([rng.random() < share for _ in range(n)])


def chosen_among(games, choice):
    """Return the numbers of the games of a list that NumPy says are chosen."""
    return np.arange(len(games))[choice].tolist()


class Games(RuleBasedStateMachine):
    """A batch beside a list of positions to which the same is done."""

    @initialize(n=st.sampled_from((*SIZES, 1, 5, 64)), seed=SEEDS)
    def start(self, n, seed):
        self.games = random.Random(seed).choices(POSITIONS, k=n)
        self.batch = Batch.from_positions(self.games)

    def play_on(self, black, white):
        self.games = [
            game if game.is_over else game.play(*picks)
            for game, *picks in zip(self.games, black, white, strict=True)
        ]

    @rule(
        seed=SEEDS,
        dtypes=st.tuples(*[st.sampled_from(INTEGERS)] * 2),
        layout=st.sampled_from(LAYOUTS),
    )
    def play(self, seed, dtypes, layout):
        picks = legal_picks(self.games, random.Random(seed), bits=64)
        black, white = (
            laid_out(cells, dtype, layout) for cells, dtype in zip(picks, dtypes, strict=True)
        )
        outcomes = self.batch.play(black, white)
        self.play_on(*picks)
        assert outcomes.tolist() == [game.outcome for game in self.games]

    @precondition(lambda self: not all(game.is_over for game in self.games))
    @rule(
        seed=SEEDS,
        count=st.integers(1, 3),
        bad=st.sampled_from(
            (None, -1, 81, 82, 90, 254, 255, 256, -128, 2**40, -(2**63), 2**63 - 1)
        ),
    )
    def refuse(self, seed, count, bad):
        rng = random.Random(seed)
        picks = legal_picks(self.games, rng)
        going = [i for i, game in enumerate(self.games) if not game.is_over]
        for i in rng.sample(going, min(count, len(going))):
            taken = [cell for cell in range(81) if not self.games[i].empty >> cell & 1]
            if bad is not None or taken:
                picks[rng.randrange(2)][i] = rng.choice(taken) if bad is None else bad
        expected = None
        for i in going:
            try:
                self.games[i].play(picks[0][i], picks[1][i])
            except IllegalMoveError as error:
                expected = f"game {i}: {error}"
                break
        out = np.full(len(self.games), 99, dtype=np.int8)
        if expected is None:  # empty boards, whose every cell may be picked
            self.batch.play(*picks)
            self.play_on(*picks)
            return
        with pytest.raises(IllegalMoveError) as caught:
            self.batch.play(*picks, out=out)
        assert str(caught.value) == expected
        assert (out == 99).all()

    @rule(seed=SEEDS, share=st.sampled_from((0.0, 0.02, 0.5, 1.0)))
    def reset_some(self, seed, share):
        rng = random.Random(seed)
        where = [rng.random() < share for _ in self.games]
        self.batch.reset(where)
        self.games = [
            Position() if chosen else game for game, chosen in zip(self.games, where, strict=True)
        ]

    @rule(seed=SEEDS, share=st.sampled_from((0.0, 0.02, 0.5, 1.0)), one=st.booleans())
    def reset_to_positions(self, seed, share, one):
        rng = random.Random(seed)
        where = [rng.random() < share for _ in self.games]
        positions = rng.choices(POSITIONS, k=1 if one else sum(where))
        self.batch.reset(where, positions=positions[0] if one else positions)
        positions = iter(positions * len(where) if one else positions)
        self.games = [
            next(positions) if chosen else game
            for game, chosen in zip(self.games, where, strict=True)
        ]

    @rule(seed=SEEDS, kind=st.sampled_from(("position", "list", "batch", "batch of one")))
    def set_several(self, seed, kind):
        rng = random.Random(seed)
        choice = random_choice(rng, len(self.games))
        chosen = chosen_among(self.games, choice)
        positions = rng.choices(
            POSITIONS, k=1 if "one" in kind or kind == "position" else len(chosen)
        )
        self.batch[choice] = {
            "position": lambda: positions[0],
            "list": lambda: positions,
            "batch": lambda: Batch.from_positions(positions),
            "batch of one": lambda: Batch.from_positions(positions),
        }[kind]()
        for i, game in enumerate(chosen):
            self.games[game] = positions[i % len(positions)]

    @rule(seed=SEEDS)
    def choose_several(self, seed):
        choice = random_choice(random.Random(seed), len(self.games))
        found = self.batch[choice]
        expected = [self.games[i] for i in chosen_among(self.games, choice)]
        assert texts(found) == texts(expected)
        assert found == Batch.from_positions(expected)

    @rule(seed=SEEDS, one=st.booleans())
    def transform(self, seed, one):
        rng = random.Random(seed)
        symmetries = [rng.randrange(8) for _ in self.games]
        if one:
            symmetries = [symmetries[0]] * len(symmetries)
        self.batch.transform(Symmetry(symmetries[0]) if one else symmetries)
        self.games = [
            game.transform(symmetry) for game, symmetry in zip(self.games, symmetries, strict=True)
        ]

    @rule(seed=SEEDS, share=st.sampled_from((0.02, 0.5, None)))
    def swap_colors(self, seed, share):
        rng = random.Random(seed)
        where = None if share is None else [rng.random() < share for _ in self.games]
        self.batch.swap_colors(where)
        self.games = [
            game.swap_colors() if where is None or where[i] else game
            for i, game in enumerate(self.games)
        ]

    @rule(at=SEEDS)
    def cut_and_join_again(self, at):
        cut = at % (len(self.games) + 1)
        self.batch = Batch.concatenate([self.batch[cut:], self.batch[:0], self.batch[:cut]])
        self.games = self.games[cut:] + self.games[:cut]

    @rule()
    def reset_all(self):
        self.batch.reset()
        self.games = [Position()] * len(self.games)

    @rule(where=SEEDS, which=st.integers(0, len(POSITIONS) - 1), of_reference=st.booleans())
    def set_game(self, where, which, of_reference):
        n = len(self.games)
        game = where % (2 * n) - n
        position = POSITIONS[which]
        self.games[game] = position
        if of_reference:
            position = reference.Position.from_bytes(position.to_bytes())
        self.batch[game] = position
        assert str(self.batch[game]) == str(self.games[game])

    @rule(
        copied=st.sampled_from(
            (
                Batch.copy,
                copy.copy,
                copy.deepcopy,
                lambda batch: pickle.loads(pickle.dumps(batch)),
                Batch.from_positions,
                lambda batch: batch[:],
                lambda batch: Batch.from_rows(batch.to_rows()),
            )
        ),
        seed=SEEDS,
    )
    def go_on_with_a_copy(self, copied, seed):
        other = copied(self.batch)
        assert other == self.batch
        self.batch.playout(seed)
        self.batch.reset()
        self.batch = other

    @rule(seed=SEEDS, max_turns=st.sampled_from((None, 1, 2, 9)), threads=st.integers(1, 3))
    def play_out(self, seed, max_turns, threads):
        outcomes = self.batch.playout(seed, max_turns=max_turns, threads=threads)
        found = list(self.batch)
        assert outcomes.tolist() == [game.outcome for game in found]
        for before, after in zip(self.games, found, strict=True):
            turns = after.turn - before.turn
            if before.is_over:
                assert (before, before.turn) == (after, after.turn)
            elif before.turn < 1_000_000:
                assert turns == max_turns or after.is_over
                assert 1 <= turns <= (max_turns or turns)
        i = seed % len(found)
        more, fewer = (
            rollouts(self.games[i], count, rng=seed, max_turns=max_turns) for count in (i + 1, i)
        )
        counts = [a - b for a, b in zip(more[:4], fewer[:4], strict=True)]
        assert counts[(outcomes[i] - 1) % 4] == 1
        self.games = found

    @rule(seed=SEEDS)
    def play_randomly(self, seed):
        moves = self.batch.random_moves(seed)
        for game, black, white in zip(self.games, *moves.tolist(), strict=True):
            assert (black, white) == (-1, -1) if game.is_over else game.is_legal(black, white)
        np.testing.assert_array_equal(self.batch.random_moves(seed), moves)
        self.batch.play(*moves)
        self.play_on(*moves.tolist())

    @rule(
        player=st.sampled_from((BLACK, WHITE)),
        dtype=st.sampled_from((np.float32, np.uint8)),
        seed=SEEDS,
    )
    def observe(self, player, dtype, seed):
        found = self.batch.observe(player, dtype=dtype)
        some = random.Random(seed).sample(range(len(self.games)), min(60, len(self.games)))
        expected = observation([self.games[i] for i in some], player, dtype)
        np.testing.assert_array_equal(found[some], expected)

    @invariant()
    def the_games_are_the_positions(self):
        batch, games = self.batch, self.games
        assert len(batch) == len(games)
        np.testing.assert_array_equal(batch.boards(), [game.to_array() for game in games])
        np.testing.assert_array_equal(batch.legal_mask(), [game.legal_mask() for game in games])
        assert batch.outcomes.tolist() == [game.outcome for game in games]
        assert batch.turns.tolist() == [game.turn for game in games]
        assert batch.winning_turtles.tolist() == [list(game.winning_turtles) for game in games]
        sudden = batch.observe(WHITE, dtype=np.uint8)[:, 4]
        assert (sudden == sudden[:, :1, :1]).all()
        assert (sudden[:, 0, 0] == 255).tolist() == [game.sudden_death for game in games]
        assert batch.keys().tolist() == [game.key for game in games]
        values = batch.values(BLACK, undecided=0).tolist()
        assert values == [game.outcome.value_for(BLACK) for game in games]
        found = list(batch)
        assert [game.eggs for game in found] == [game.eggs for game in games]
        assert found == games


TestGames = Games.TestCase
TestGames.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)


# --- what is documented -----------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1, 512, 700])
def test_results_have_the_documented_shapes_and_dtypes(n):
    batch = Batch(n)
    picks = np.zeros(n, dtype=int)
    for result, shape, dtype in (
        (batch.play(picks, picks), (n,), np.int8),
        (batch.outcomes, (n,), np.int8),
        (batch.turns, (n,), np.uint32),
        (batch.winning_turtles, (n, 2), np.int8),
        (batch.legal_mask(), (n, 81), np.bool_),
        (batch.boards(), (n, 9, 9), np.int8),
        (batch.observe(BLACK), (n, 5, 9, 9), np.float32),
        (batch.observe(WHITE, dtype="uint8"), (n, 5, 9, 9), np.uint8),
        (batch.random_moves(1), (2, n), np.int8),
        (batch.values(BLACK), (n,), np.float32),
        (batch.keys(), (n,), np.uint64),
        (batch.to_rows(), (n, 108), np.uint8),
        (batch.playout(1), (n,), np.int8),
    ):
        assert (result.shape, result.dtype) == (shape, dtype)
    assert len(batch) == n
    assert batch.outcomes.all()


def test_games_start_from_the_empty_board():
    assert texts(Batch(513)) == [str(Position())] * 513


@pytest.mark.parametrize("player", [BLACK, WHITE])
def test_an_observation_of_eggs_sudden_death_and_both_sides(player):
    """Boards with 0 to 81 eggs among turtles, and Sudden Death, each in both dtypes."""
    rng = random.Random(4)
    positions = [Position.from_string(text) for text in (MIDGAME, SUDDEN_DEATH, BLACK_WON)]
    for count in range(82):
        cells = rng.sample(range(81), 81)
        turtles = cells[count : (count + 81) // 2]
        positions.append(Position.from_cells(turtles[::2], turtles[1::2], cells[:count]))
    batch = Batch.from_positions(positions)
    for dtype in (np.float32, np.uint8):
        found = batch.observe(player, dtype=dtype)
        np.testing.assert_array_equal(found, observation(positions, player, dtype))


def test_an_observation_by_hand():
    batch = Batch.from_positions([Position.from_cells(["a1"], ["b1", "c1"], ["i9", "d1", "e5"])])
    ours, theirs = batch.observe(BLACK)[0], batch.observe(WHITE)[0]
    assert np.argwhere(ours[0]).tolist() == [[0, 0]]
    assert np.argwhere(ours[1]).tolist() == [[0, 1], [0, 2]]
    assert (ours[0] == theirs[1]).all()
    assert (ours[1] == theirs[0]).all()
    assert (ours[2:] == theirs[2:]).all()
    assert ours[2].sum() == 3
    assert (ours[3, 8, 8], ours[3, 0, 3], ours[3, 4, 4]) == (
        1,
        np.float32(2 / 3),
        np.float32(1 / 3),
    )
    assert not ours[4].any()
    shades = batch.observe(BLACK, dtype=np.uint8)[0, 3]
    assert (shades[8, 8], shades[0, 3], shades[4, 4], shades.sum()) == (255, 170, 85, 510)


def test_the_dtype_of_an_observation_is_that_of_out():
    batch = rich_batch(20)
    shades = np.full((20, 5, 9, 9), 7, dtype=np.uint8)
    assert batch.observe(BLACK, out=shades) is shades
    np.testing.assert_array_equal(shades, batch.observe(BLACK, dtype=np.uint8))


def test_sudden_death_is_seen_as_long_as_it_lasts():
    """It begins, goes on, and ends with both lines broken (S2) or by one (S1), without an egg."""
    begins = Position.from_string("9/1bbbb4/9/9/9/9/9/1wwww4/9 - 0")
    breaks_both = Position.from_string("4w4/1bbbbb3/4b4/9/3b5/1wwwww3/3w5/9/9 - 0")
    breaks_one = Position.from_string("9/1bbbbb3/9/9/9/9/1wwwww3/3w5/3b5 - 0")
    batch = Batch.from_positions([begins, breaks_both, breaks_one])

    def seen():
        return batch.observe(BLACK)[:, 4, 0, 0].tolist()

    assert seen() == [0, 1, 1]
    batch.play([14, 66, 48], [68, 31, 0])
    assert seen() == [1, 0, 0]
    assert batch.outcomes.tolist() == [0, 0, Outcome.BLACK_WINS]
    batch.play([80, 80, 0], [72, 72, 0])
    assert seen() == [1, 0, 0]


def result_calls(batch):
    """Every method that takes `out`, and what fits it; each leaves the games as they are."""
    n = len(batch)
    over = batch.copy()
    over.playout(1)
    return {
        "play": (lambda **out: over.play(np.zeros(n, int), np.zeros(n, int), **out), (n,), np.int8),
        "playout": (lambda **out: over.playout(1, **out), (n,), np.int8),
        "random_moves": (lambda **out: batch.random_moves(1, **out), (2, n), np.int8),
        "legal_mask": (batch.legal_mask, (n, 81), np.bool_),
        "boards": (batch.boards, (n, 9, 9), np.int8),
        "values": (lambda **out: over.values(WHITE, **out), (n,), np.float32),
        "keys": (batch.keys, (n,), np.uint64),
        "to_rows": (batch.to_rows, (n, 108), np.uint8),
        "observe": (
            lambda **out: batch.observe(BLACK, dtype=np.float32, **out),
            (n, 5, 9, 9),
            np.float32,
        ),
        "observe in uint8": (
            lambda **out: batch.observe(WHITE, dtype=np.uint8, **out),
            (n, 5, 9, 9),
            np.uint8,
        ),
    }


METHODS = list(result_calls(Batch(0)))


@pytest.mark.parametrize("method", METHODS)
def test_out_is_filled_whole_and_returned(method):
    call, shape, dtype = result_calls(rich_batch(600))[method]
    expected = call()
    for filling in (0, 1):
        out = np.full(shape, filling, dtype=dtype)
        assert call(out=out) is out
        np.testing.assert_array_equal(out, expected)


def unfit(kind, shape, dtype):
    good = np.zeros(shape, dtype=dtype)
    match kind:
        case "read-only":
            good.flags.writeable = False
            return good
        case "not contiguous":
            return np.zeros((*shape, 2), dtype=dtype)[..., 0]
        case "one game more":
            return np.zeros((shape[0] + 1, *shape[1:]), dtype=dtype)
        case "flat":
            return np.zeros((good.size, 1), dtype=dtype)
        case "of another dtype":
            return np.zeros(shape, dtype=np.int16)
        case "of the other sign":
            return np.zeros(
                shape, dtype={np.int8: np.uint8, np.uint8: np.int8}.get(dtype, np.int32)
            )
        case "a list":
            return good.tolist()


WRONG = {
    "read-only": lambda out: "read-only",
    "not contiguous": lambda out: "not C-contiguous",
    "one game more": lambda out: f"of shape {out.shape}",
    "flat": lambda out: f"of shape {out.shape}",
    "of another dtype": lambda out: f"of {out.dtype}",
    "of the other sign": lambda out: f"of {out.dtype}",
    "a list": lambda out: "a list",
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", WRONG)
def test_an_unfit_out_is_refused(method, kind):
    batch = rich_batch(20)
    call, shape, dtype = result_calls(batch)[method]
    before, out = texts(batch), unfit(kind, shape, dtype)
    as_it_was = copy.deepcopy(out)
    with pytest.raises(ValueError) as caught:
        call(out=out)
    wrong, _, expected = str(caught.value).partition(": ")
    assert wrong == f"out is {WRONG[kind](out)}"
    assert expected == f"expected a writable, C-contiguous {np.dtype(dtype)} array of shape {shape}"
    assert texts(batch) == before
    np.testing.assert_array_equal(out, as_it_was)


@pytest.mark.parametrize("method", ["play", "playout"])
def test_a_step_that_is_refused_for_its_out_plays_nothing(method):
    batch = Batch(600)
    arguments = (np.zeros(600, int), np.ones(600, int)) if method == "play" else (1,)
    with pytest.raises(
        ValueError, match=r"^out is of shape \(599,\): expected .* of shape \(600,\)$"
    ):
        getattr(batch, method)(*arguments, out=np.zeros(599, dtype=np.int8))
    assert not batch.turns.any()
    assert not batch.boards().any()


def test_the_entries_of_finished_games_are_ignored():
    batch = rich_batch(700)
    batch.playout(5)
    before = texts(batch)
    for pick in (-1, 81, 254, 255, 2**40, 2**63 - 1, -(2**63)):
        outcomes = batch.play(np.full(700, pick), np.full(700, pick))
        np.testing.assert_array_equal(outcomes, batch.outcomes)
        assert texts(batch) == before
    assert not batch.legal_mask().any()
    assert (batch.random_moves(1) == -1).all()


def test_a_full_board_is_drawn():
    batch = Batch.from_positions([Position.from_string(FULL_BUT_ONE)] * 3)
    assert batch.legal_mask().sum(axis=1).tolist() == [1, 1, 1]
    assert batch.play([80] * 3, [80] * 3).tolist() == [Outcome.DRAW] * 3
    assert batch[1].eggs == (80,)
    assert not batch.legal_mask().any()


def test_games_that_are_over_can_be_played_again_after_a_reset():
    batch = Batch.from_positions([Position.from_string(BLACK_WON), Position.from_string(MIDGAME)])
    batch.reset([True, False])
    assert texts(batch) == [str(Position()), MIDGAME]
    batch.play([4, 1], [4, 1])
    assert batch[0].eggs == (4,)
    assert batch[1].eggs == (50, 79, 1)


def test_a_reset_takes_masks_in_any_layout():
    batch = rich_batch(600)
    rich = texts(batch)
    mask = np.zeros((600, 2), dtype=bool)
    mask[::7, 0] = True
    mask.flags.writeable = False
    batch.reset(mask[:, 0])
    assert texts(batch) == [text if i % 7 else str(Position()) for i, text in enumerate(rich)]
    batch.reset(mask[:, 1])
    assert texts(batch) == [text if i % 7 else str(Position()) for i, text in enumerate(rich)]


def test_games_are_equal_whose_positions_are():
    one, two = rich_batch(600), rich_batch(600)
    assert one == two
    two[3] = Position.from_array(one[3].to_array(), one[3].eggs, one[3].turn ^ 1)
    assert one == two
    for game in (0, 599):
        two = one.copy()
        two[game] = Position.from_cells([1], [2], [3])
        assert one != two
    assert Batch(3) != Batch(4)
    assert Batch(0) == Batch.from_positions([])
    assert Batch(1) != [Position()]
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_row_is_the_encoding_of_the_position():
    """Of 0 to 81 eggs, read back with no column more than needed."""
    rng = random.Random(5)
    cells = [rng.sample(range(81), 81) for _ in range(82)]
    positions = [
        *POSITIONS,
        *(Position.from_cells([], [], order[:eggs], eggs) for eggs, order in enumerate(cells)),
    ]
    rows = Batch.from_positions(positions).to_rows()
    assert [row.tobytes() for row in rows] == [
        position.to_bytes().ljust(108, b"\xff") for position in positions
    ]
    some = [i for i, position in enumerate(positions) if len(position.eggs) <= 3]
    few = rows[some][:, :30]
    assert texts(Batch.from_rows(few)) == texts(positions[i] for i in some)
    assert texts(Batch.from_rows(rows[::-2])) == texts(positions[::-2])


def test_values_of_all_outcomes():
    texts_of = ("9/9/9/9/9/9/9/9/9 - 0", BLACK_WON, BLACK_WON.replace("b", "w"), FULL_BUT_ONE)
    games = [Position.from_string(text) for text in texts_of]
    games[3] = games[3].play(80, 80)
    batch = Batch.from_positions(games)
    np.testing.assert_array_equal(batch.values(BLACK), [np.nan, 1, -1, 0])
    np.testing.assert_array_equal(batch.values(WHITE), [np.nan, -1, 1, 0])
    assert batch.values(WHITE, undecided=0.25).tolist() == [0.25, -1, 1, 0]
    assert batch.values(WHITE, undecided=np.float32(2)).tolist() == [2, -1, 1, 0]


def test_a_batch_can_be_set_from_itself():
    batch = rich_batch(700)
    before = texts(batch)
    batch[::-1] = batch
    assert texts(batch) == before[::-1]
    batch[[3, 3]] = batch[:2]
    assert str(batch[3]) == before[-2]


def test_a_choice_of_games_is_a_batch_of_its_own():
    batch = rich_batch(20)
    before = texts(batch)
    batch[:].reset()
    batch[[1, 2]].playout(1)
    assert texts(batch) == before
    assert isinstance(batch[np.array(3)], Position)
    assert len(batch[[]]) == len(batch[5:5]) == len(Batch.concatenate([])) == 0


def test_games_are_set_to_positions_of_either_engine():
    batch = Batch(3)
    other = reference.Position.from_string(MIDGAME)
    batch[:2] = other
    batch.reset([False, False, True], positions=(position for position in [other]))
    assert texts(batch) == [MIDGAME] * 3


def test_a_pickle_is_small():
    """Some 30 bytes for a game with up to three eggs."""
    batch = Batch(1000)
    for seed in range(3):
        batch.play(*batch.random_moves(seed))
    assert len(pickle.dumps(batch)) < 1000 * 31 + 200
    with pytest.raises(ValueError, match="row 0: encoded position has version 0"):
        batch.__setstate__(bytes(27_000))
    with pytest.raises(ValueError, match="reshape"):
        batch.__setstate__(bytes(27_001))
    assert (batch.turns == 3).all()


def test_a_seed_gives_the_same_picks_at_every_call_and_a_generator_others():
    batch, rng = Batch(100), np.random.default_rng(7)
    assert (batch.random_moves(7) == batch.random_moves(7)).all()
    assert (batch.random_moves(rng) != batch.random_moves(rng)).any()


def test_a_batch_shows_its_size_and_its_finished_games():
    batch = Batch.from_positions([Position.from_string(BLACK_WON), *[Position()] * 4])
    assert repr(batch) == "<Batch of 5 games, 1 of them over>"


def test_seeds():
    games = [Batch(300) for _ in range(7)]
    for batch, rng in zip(
        games,
        (1, np.int64(1), 2, None, None, np.random.default_rng(9), np.random.default_rng(9)),
        strict=True,
    ):
        first = batch.copy().random_moves(
            rng if rng is None or isinstance(rng, int) else copy.deepcopy(rng)
        )
        assert first.min() >= 0
        batch.playout(rng)
    assert games[0] == games[1] != games[2]
    assert games[3] != games[4]
    assert games[5] == games[6] != games[0]


# --- what is refused --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picks", "error", "message"),
    [
        (np.zeros(4, int), ValueError, "{} has shape (4,): expected (5,)"),
        (np.zeros(6, int), ValueError, "{} has shape (6,): expected (5,)"),
        (np.zeros((5, 1), int), ValueError, "{} has shape (5, 1): expected (5,)"),
        (np.zeros((1, 5), int), ValueError, "{} has shape (1, 5): expected (5,)"),
        (3, ValueError, "{} has shape (): expected (5,)"),
        (np.zeros(5), TypeError, "{} must be an array of integers, not of float64"),
        ([1, 2, 3, 4, 5.0], TypeError, "{} must be an array of integers, not of float64"),
        (np.zeros(5, bool), TypeError, "{} must be an array of integers, not of bool"),
        (np.zeros(5, complex), TypeError, "{} must be an array of integers, not of complex128"),
        (np.zeros(5, object), TypeError, "{} must be an array of integers, not of object"),
        ([1, 2, 3, 4, None], TypeError, "{} must be an array of integers, not of object"),
        ([1, 2, 3, 4, 2**64], TypeError, "{} must be an array of integers, not of object"),
        (["a1"] * 5, TypeError, "{} must be an array of integers, not of <U2"),
        (np.zeros(5, "m8[s]"), TypeError, "{} must be an array of integers, not of timedelta64[s]"),
        (None, TypeError, "{} must be an array of integers, not of object"),
    ],
)
@pytest.mark.parametrize("player", ["black", "white"])
def test_what_is_no_array_of_cells_is_refused(player, picks, error, message):
    batch = Batch(5)
    out = np.full(5, 99, dtype=np.int8)
    arguments = {"black": np.arange(5), "white": np.arange(5), player: picks}
    with pytest.raises(error) as caught:
        batch.play(**arguments, out=out)
    assert str(caught.value) == message.format(player)
    assert texts(batch) == [str(Position())] * 5
    assert (out == 99).all()


CELLS_ARE = "cells are 0..80 or a1..i9"


@pytest.mark.parametrize("game", [0, 511, 649])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("pick", "dtype", "reason"),
    [
        (-1, "i1", f"-1: {CELLS_ARE}"),
        (-128, "i1", f"-128: {CELLS_ARE}"),
        (81, "u1", f"81: {CELLS_ARE}"),
        (254, "u1", f"254: {CELLS_ARE}"),
        (255, "u1", f"255: {CELLS_ARE}"),
        (256, "i2", f"256: {CELLS_ARE}"),
        (-(2**15), "i2", f"-32768: {CELLS_ARE}"),
        (65536, "u4", f"65536: {CELLS_ARE}"),
        (-(2**31), "i4", f"-2147483648: {CELLS_ARE}"),
        (2**40, "i8", f"1099511627776: {CELLS_ARE}"),
        (2**32 + 4, "u8", f"4294967300: {CELLS_ARE}"),
        (2**64 - 1, "u8", f"18446744073709551615: {CELLS_ARE}"),
        (30, "i8", "d4: the cell holds a black turtle"),
        (31, "i8", "e4: the cell holds a white turtle"),
        (50, "u1", "f6: the cell holds an egg"),
    ],
)
def test_an_illegal_pick_is_named_and_nothing_is_played(game, player, pick, dtype, reason):
    """The first of several: the game after it has another."""
    start = Position.from_cells([30], [31], [50])
    batch = Batch.from_positions([start] * 650)
    picks = [np.zeros(650, dtype=dtype) for _ in range(2)]
    picks[player][game] = pick
    picks[1 - player][min(game + 1, 649)] = 30
    if game == 649 and player == 1:
        picks[0][649] = 0
    out = np.full(650, 99, dtype=np.int8)
    with pytest.raises(IllegalMoveError) as caught:
        batch.play(*picks, out=out)
    assert str(caught.value) == f"game {game}: {['Black', 'White'][player]} cannot pick {reason}"
    assert (caught.value.game, caught.value.player) == (game, player + 1)
    assert caught.value.cell == (pick if 0 <= pick <= 80 else None)
    assert reason.endswith(caught.value.reason)
    assert texts(batch) == [str(start)] * 650
    assert (out == 99).all()
    assert batch.play([0] * 650, [0] * 650).tolist() == [0] * 650


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_arrays_of_every_dtype_and_layout_are_read(dtype, layout):
    """In every game another pair of cells; a list is an array of int64."""
    n = 1300
    black, white = np.arange(n) * 7 % 81, np.arange(n) * 11 % 81
    batch = Batch(n)
    batch.play(laid_out(black.tolist(), dtype, layout), laid_out(white.tolist(), dtype, layout))
    expected = np.zeros((n, 81), dtype=np.int8)
    np.add.at(expected, (np.arange(n), black), 1)
    np.add.at(expected, (np.arange(n), white), 2)
    np.testing.assert_array_equal(batch.boards().reshape(n, 81), expected)


@pytest.mark.parametrize(
    ("n", "error", "message"),
    [
        (-1, ValueError, "n is -1: expected 0..2147483647"),
        (2**31, ValueError, "n is 2147483648: expected 0..2147483647"),
        (2**64, ValueError, "n is 18446744073709551616: expected 0..2147483647"),
        (1.0, TypeError, "n must be an int, not float"),
        ("3", TypeError, "n must be an int, not str"),
        (None, TypeError, "n must be an int, not NoneType"),
    ],
)
def test_bad_numbers_of_games(n, error, message):
    with pytest.raises(error) as caught:
        Batch(n)
    assert str(caught.value) == message


WITH_LITTLE_MEMORY = """
import resource
from wts_fast import Batch

with open("/proc/self/statm") as statm:
    taken = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 2**32, resource.RLIM_INFINITY))
try:
    Batch(2**31 - 1)
except MemoryError as error:
    print(error)
"""

if sys.platform == "linux":

    def test_no_room_for_a_batch_is_a_memory_error(tmp_path):
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1"
        run = subprocess.run(
            [sys.executable, "-c", WITH_LITTLE_MEMORY],
            cwd=tmp_path,
            env={**os.environ, "ASAN_OPTIONS": sanitizer},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout == "no room for a batch of 2147483647 games\n"


KINDS = "games are chosen by an int, a slice, or an array of ints or bools, not "


@pytest.mark.parametrize(
    ("game", "error", "message"),
    [
        (5, IndexError, "game 5 of a batch of 5"),
        (-6, IndexError, "game -6 of a batch of 5"),
        (2**70, IndexError, "game 1180591620717411303424 of a batch of 5"),
        (1.0, TypeError, KINDS + "float"),
        ("a1", TypeError, KINDS + "str"),
        (None, TypeError, KINDS + "NoneType"),
        ((1, 2), TypeError, KINDS + "tuple"),
        ({1, 2}, TypeError, KINDS + "set"),
        ([0, 5], IndexError, "game 5 of a batch of 5"),
        (np.array([0, -6, 9]), IndexError, "game -6 of a batch of 5"),
        (np.array([2**64 - 1], "u8"), IndexError, "game 18446744073709551615 of a batch of 5"),
        ([True] * 4, IndexError, "the mask has shape (4,): expected (5,)"),
        (np.ones((5, 1), bool), IndexError, "the mask has shape (5, 1): expected (5,)"),
        ([[1, 2]], IndexError, "the array of games has shape (1, 2): expected one axis"),
        ([1.0], IndexError, "games are chosen by integers or bools, not by float64"),
        (["a1"], IndexError, "games are chosen by integers or bools, not by <U2"),
        ([2**70], IndexError, "games are chosen by integers or bools, not by object"),
    ],
)
def test_bad_games(game, error, message):
    batch = Batch(5)
    with pytest.raises(error) as caught:
        batch[game]
    assert str(caught.value) == message
    with pytest.raises(error) as caught:
        batch[game] = Position.from_string(MIDGAME)
    assert str(caught.value) == message
    assert texts(batch) == [str(Position())] * 5


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: b.__setitem__(0, MIDGAME), TypeError, "expected a Position of either engine, not str"),
        (lambda b: Batch.from_positions([Position(), 3]), TypeError, "expected a Position of either engine, not int"),
        (lambda b: b.observe(0), ValueError, "player must be BLACK (1) or WHITE (2), not 0"),
        (lambda b: b.observe(3), ValueError, "player must be BLACK (1) or WHITE (2), not 3"),
        (lambda b: b.observe("black"), ValueError, "player must be BLACK (1) or WHITE (2), not 'black'"),
        (lambda b: b.observe(BLACK, dtype=np.float64), ValueError, "planes are float32 or uint8, not float64"),
        (lambda b: b.observe(BLACK, dtype="i1"), ValueError, "planes are float32 or uint8, not int8"),
        (lambda b: b.observe(BLACK, out=np.zeros((5, 5, 9, 9))), ValueError, "planes are float32 or uint8, not float64"),
        (lambda b: b.reset([True]), ValueError, "where has shape (1,): expected (5,)"),
        (lambda b: b.reset(True), ValueError, "where has shape (): expected (5,)"),
        (lambda b: b.reset(np.ones((5, 1), bool)), ValueError, "where has shape (5, 1): expected (5,)"),
        (lambda b: b.reset([1, 0, 1, 0, 1]), TypeError, "where must be an array of bool, not of int64"),
        (lambda b: b.reset(np.ones(5)), TypeError, "where must be an array of bool, not of float64"),
        (lambda b: b.reset(positions=[Position()] * 4), ValueError, "4 positions for 5 games: expected one for all or one for each"),
        (lambda b: b.reset([True, True, True, False, False], [Position()] * 5), ValueError, "5 positions for 3 games: expected one for all or one for each"),
        (lambda b: b.reset(positions=[Position(), 3]), TypeError, "expected a Position of either engine, not int"),
        (lambda b: b.reset(positions="a1"), TypeError, "expected a Position of either engine, not str"),
        (lambda b: b.__setitem__(slice(3), Batch(2)), ValueError, "2 positions for 3 games: expected one for all or one for each"),
        (lambda b: b.__setitem__([1, 2], []), ValueError, "0 positions for 2 games: expected one for all or one for each"),
        (lambda b: b.__setitem__([1, 2], [Position(), None]), TypeError, "expected a Position of either engine, not NoneType"),
        (lambda b: Batch.concatenate([b, Position()]), TypeError, "expected batches, not Position"),
        (lambda b: b.values(0), ValueError, "player must be BLACK (1) or WHITE (2), not 0"),
        (lambda b: b.values(BLACK, undecided="x"), TypeError, "undecided must be a number, not str"),
        (lambda b: b.values(BLACK, undecided=None), TypeError, "undecided must be a number, not NoneType"),
        (lambda b: b.transform(8), ValueError, "symmetry must be a Symmetry or an int 0..7, not 8"),
        (lambda b: b.transform(None), ValueError, "symmetry must be a Symmetry or an int 0..7, not None"),
        (lambda b: b.transform([1, 2]), ValueError, "symmetry has shape (2,): expected (5,)"),
        (lambda b: b.transform([1, 2, 3, 8, 9]), ValueError, "symmetry[3] is 8: expected 0..7"),
        (lambda b: b.transform(np.array([1, 2, 3, 4, -1], "i1")), ValueError, "symmetry[4] is -1: expected 0..7"),
        (lambda b: b.transform(np.ones(5)), TypeError, "symmetry must be an array of integers, not of float64"),
        (lambda b: b.swap_colors([True]), ValueError, "where has shape (1,): expected (5,)"),
        (lambda b: b.swap_colors([1] * 5), TypeError, "where must be an array of bool, not of int64"),
        (lambda b: b.random_moves(-1), ValueError, "seed is -1: expected 0..18446744073709551615"),
        (lambda b: b.random_moves("x"), TypeError, "rng must be an int, a numpy Generator or None, not str"),
        (lambda b: b.playout(2**64), ValueError, "seed is 18446744073709551616: expected 0..18446744073709551615"),
        (lambda b: b.playout(1.5), TypeError, "rng must be an int, a numpy Generator or None, not float"),
        (lambda b: b.playout(1, max_turns=0), ValueError, "max_turns is 0: expected 1..9223372036854775807"),
        (lambda b: b.playout(1, max_turns=2**63), ValueError, "max_turns is 9223372036854775808: expected 1..9223372036854775807"),
        (lambda b: b.playout(1, max_turns=1.0), TypeError, "max_turns must be an int, not float"),
        (lambda b: b.playout(1, threads=0), ValueError, "threads is 0: expected 1..1024"),
        (lambda b: b.playout(1, threads=1025), ValueError, "threads is 1025: expected 1..1024"),
        (lambda b: b.playout(1, threads=1.0), TypeError, "threads must be an int, not float"),
    ],
)  # fmt: skip
def test_bad_arguments(call, error, message):
    batch = Batch.from_positions([Position.from_string(MIDGAME)] * 5)
    with pytest.raises(error) as caught:
        call(batch)
    assert str(caught.value) == message
    assert texts(batch) == [MIDGAME] * 5


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (np.zeros(30, np.uint8), ValueError, "rows has shape (30,): expected (n, width) with width 27..108"),
        (np.zeros((2, 26), np.uint8), ValueError, "rows has shape (2, 26): expected (n, width) with width 27..108"),
        (np.zeros((2, 109), np.uint8), ValueError, "rows has shape (2, 109): expected (n, width) with width 27..108"),
        (np.zeros((2, 27), np.int8), TypeError, "rows must be an array of uint8, not of int8"),
        (np.zeros((2, 27), np.uint8), ValueError, "row 0: encoded position has version 0: expected 1"),
        (b"no rows", TypeError, "rows must be an array of uint8, not of |S7"),
    ],
)  # fmt: skip
def test_what_are_no_rows_is_refused(rows, error, message):
    with pytest.raises(error) as caught:
        Batch.from_rows(rows)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "changes",
    [
        {0: 2},
        {15: 0xFF},  # cells of Black's after i9
        {26: 2},
        {5: 1, 16: 1},  # both sides on a1
        {27: 81},
        {27: 254},
        {27: 4, 28: 4},
        {27: 255, 28: 3},
        {107: 3},
        {5: 1, 27: 0},  # an egg on a turtle
    ],
)
@pytest.mark.parametrize("bad", [0, 511, 599])
def test_a_malformed_row_is_named_with_its_fault(changes, bad):
    """The fault is the one that `Position.from_bytes` finds in the row."""
    rows = Batch(600).to_rows()
    for row in {bad, 599}:
        for place, byte in changes.items():
            rows[row, place] = byte
    encoded = bytes(rows[bad]).rstrip(b"\xff") if max(changes) > 26 else bytes(rows[bad, :27])
    with pytest.raises(ValueError) as fault:
        Position.from_bytes(encoded)
    with pytest.raises(ValueError) as caught:
        Batch.from_rows(rows)
    assert str(caught.value) == f"row {bad}: {fault.value}"


def test_a_huge_turn_limit_is_no_limit():
    one, two = Batch(300), Batch(300)
    np.testing.assert_array_equal(one.playout(4), two.playout(4, max_turns=2**63 - 1))
    assert one == two


# --- threads, and memory ----------------------------------------------------------------


def test_threads_step_a_shared_batch_one_at_a_time(eight_at_once):
    """All games are alike after every step, so whatever a thread sees is alike."""
    n = 1100
    batch = Batch(n)

    def alike(array):
        return bool((array == array[:1]).all())

    def work(number):
        rng = random.Random(number)
        whole, played = True, 0
        for step in range(60):
            try:
                batch.play([rng.randrange(81)] * n, [rng.randrange(81)] * n)
                played += 1
            except IllegalMoveError as error:
                assert str(error).startswith("game 0: ")
            whole &= alike(batch.boards()) and alike(batch.legal_mask()) and alike(batch.turns)
            whole &= alike(batch.observe(WHITE, dtype=np.uint8)) and alike(batch.outcomes)
            whole &= alike(batch.copy().boards())
            if step % 20 == 19:
                batch.reset()
        return whole, played

    results = eight_at_once(work)
    assert all(whole for whole, _ in results)
    assert sum(played for _, played in results) > 60
    assert len(set(texts(batch))) == 1


def test_threads_that_share_a_batch_leave_every_game_legal(eight_at_once):
    batch = rich_batch(1100)

    def work(number):
        rng = random.Random(number)
        for step in range(15):
            try:
                batch.play(*batch.random_moves(step))
            except IllegalMoveError:
                batch.playout(step, max_turns=2)
            batch[rng.randrange(1100)] = rng.choice(POSITIONS)
            batch.reset(np.arange(1100) % 90 == rng.randrange(90))
            batch.transform([rng.randrange(8) for _ in range(1100)])
            batch.swap_colors(batch.outcomes != 0)
            batch.winning_turtles, batch.observe(BLACK), list(batch)[:5], pickle.dumps(batch)
        return batch.playout(number, max_turns=1, threads=2)

    assert len(eight_at_once(work)) == 8
    for game, board, outcome in zip(batch, batch.boards(), batch.outcomes, strict=True):
        rebuilt = Position.from_array(board, game.eggs, game.turn)
        assert (str(rebuilt), rebuilt.outcome) == (str(game), outcome)


def test_threads_set_two_batches_from_each_other(eight_at_once):
    """No thread waits for ever, and each game is whole."""
    batches = [rich_batch(600), rich_batch(600, seed=2)]
    known = set(texts(Batch.concatenate(batches)))

    def work(number):
        one, two = batches[number % 2], batches[1 - number % 2]
        for _ in range(30):
            one[::-1] = two
            two.reset(one.values(BLACK) != 1, positions=two[one.values(BLACK) != 1][:1])
            assert len(Batch.concatenate([one, two])) == 1200
            assert len(Batch.from_rows(two.to_rows())) == len(two.keys())
        return True

    assert all(eight_at_once(work))
    assert set(texts(Batch.concatenate(batches))) <= known


def test_threads_with_batches_of_their_own_play_as_one_alone_does(eight_at_once):
    def work(number):
        batch = rich_batch(600, seed=number)
        seen = []
        for seed in range(5):
            seen.append(batch.play(*batch.random_moves(seed)).tolist())
            seen.append(batch.observe(BLACK, dtype=np.uint8).tobytes())
        batch.playout(number)
        return seen, texts(batch)

    assert eight_at_once(work) == [work(number) for number in range(8)]


def test_a_loop_of_steps_allocates_nothing():
    """No array of results, and no Python object that stays."""
    n = 40 * 512
    batch = Batch(n)
    moves = np.empty((2, n), dtype=np.int8)
    outcomes = np.empty(n, dtype=np.int8)
    mask = np.empty((n, 81), dtype=bool)
    boards = np.empty((n, 9, 9), dtype=np.int8)
    planes = np.empty((n, 5, 9, 9), dtype=np.uint8)
    values = np.empty(n, dtype=np.float32)
    keys = np.empty(n, dtype=np.uint64)
    rows = np.empty((n, 108), dtype=np.uint8)

    def step(seed):
        batch.random_moves(seed, out=moves)
        batch.play(*moves, out=outcomes)
        batch.legal_mask(out=mask)
        batch.boards(out=boards)
        batch.observe(BLACK, out=planes)
        batch.values(BLACK, out=values)
        batch.keys(out=keys)
        batch.to_rows(out=rows)

    step(0)
    tracemalloc.start()
    try:
        step(1)
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for seed in range(2, 22):
            step(seed)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before < 4096, "small objects of a call, whatever n is"
    assert after - before < 1000


def test_no_games_have_no_picks():
    """A list of none is one of floats to NumPy."""
    assert Batch(0).play([], []).shape == (0,)
    with pytest.raises(ValueError, match=r"black has shape \(0,\): expected \(2,\)"):
        Batch(2).play([], [])


def test_a_pickle_finds_its_types_in_the_public_module():
    """Files inside the package may move, and pickles still load."""
    names = re.findall(rb"wts_fast[\w.]*", pickle.dumps(Batch(2)))
    assert set(names) == {b"wts_fast"}
