"""Matrix games, against linear programming."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from wts_fast import Solution, solve

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]

PAYOFFS = st.floats(-1, 1, width=32) | st.integers(-1, 1).map(float)
SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12))


def exact_value(matrix):
    """The value of the game: the highest payoff that a mix of rows guarantees."""
    rows, columns = matrix.shape
    sure = np.hstack([-matrix.T, np.ones((columns, 1))])
    found = linprog(
        c=[0] * rows + [-1],
        A_ub=sure,
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert found.status == 0
    return -found.fun


def exploitability(matrix, row, column):
    return (matrix @ column).max() - (row @ matrix).min()


def check_strategy(strategy, count):
    assert strategy.shape == (count,)
    assert strategy.dtype == np.float64
    assert (strategy >= 0).all()
    assert strategy.sum() == pytest.approx(1, abs=1e-12)


def check_solution(solution, matrix, gap):
    """Check that the gap is correct, and at most the gap wanted."""
    matrix = np.asarray(matrix, dtype=np.float64)
    rounding = 1e-13 * np.abs(matrix).max()
    left = exploitability(matrix, solution.row, solution.column)
    best_column = (solution.row @ matrix).min()
    assert isinstance(solution, Solution)
    check_strategy(solution.row, matrix.shape[0])
    check_strategy(solution.column, matrix.shape[1])
    assert 0 <= solution.gap <= gap
    assert solution.gap == pytest.approx(left, abs=rounding)
    assert solution.value == pytest.approx(best_column + solution.gap / 2, abs=rounding)


def check_value(solution, matrix):
    """Check that the value is within half the gap; HiGHS lets constraints be off by 1e-7."""
    matrix = np.asarray(matrix, dtype=np.float64)
    assert abs(solution.value - exact_value(matrix)) <= solution.gap / 2 + 1e-6


def random_matrix(kind, rows, columns, seed=1):
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return rng.uniform(-1, 1, (rows, columns))
    if kind == "signs":
        return rng.integers(-1, 2, (rows, columns))
    near_rank_1 = np.outer(rng.uniform(-1, 1, rows), rng.uniform(-1, 1, columns))
    return near_rank_1 + rng.uniform(-0.05, 0.05, (rows, columns))


@pytest.mark.parametrize("kind", ["uniform", "signs", "near rank 1"])
@pytest.mark.parametrize("shape", [(2, 2), (3, 17), (20, 20), (40, 9), (81, 81)])
def test_the_value_is_that_of_linear_programming(kind, shape):
    for seed in range(3):
        matrix = random_matrix(kind, *shape, seed)
        solution = solve(matrix)
        check_solution(solution, matrix, 1e-3)
        check_value(solution, matrix)


@given(st.data())
@settings(deadline=None)
def test_any_small_game(data):
    matrix = data.draw(arrays(np.float64, data.draw(SHAPES), elements=PAYOFFS))
    solution = solve(matrix, gap=1e-4)
    check_solution(solution, matrix, 1e-4)
    check_value(solution, matrix)


@given(arrays(np.float64, SHAPES, elements=st.floats(allow_nan=False, allow_infinity=False)))
@settings(deadline=None)
def test_any_numbers_give_strategies_and_a_gap_that_is_true(matrix):
    scale = np.abs(matrix).max()
    solution = solve(matrix, gap=0, max_iterations=50)
    check_strategy(solution.row, matrix.shape[0])
    check_strategy(solution.column, matrix.shape[1])
    assert matrix.min() <= solution.value <= matrix.max()
    if 1e-290 < scale < 1e290:  # where sums of products neither overflow nor lose digits
        left = exploitability(matrix, solution.row, solution.column)
        assert solution.gap == pytest.approx(left, abs=1e-13 * scale)


@pytest.mark.parametrize("kind", ["uniform", "signs"])
def test_small_gaps_are_reached(kind):
    matrix = random_matrix(kind, 20, 20)
    solution = solve(matrix, gap=1e-6)
    check_solution(solution, matrix, 1e-6)
    check_value(solution, matrix)


def test_rock_paper_scissors():
    solution = solve(ROCK_PAPER_SCISSORS, gap=1e-9)
    check_solution(solution, ROCK_PAPER_SCISSORS, 1e-9)
    np.testing.assert_allclose(solution.row, 1 / 3, atol=1e-9)
    np.testing.assert_allclose(solution.column, 1 / 3, atol=1e-9)
    assert solution.value == pytest.approx(0, abs=1e-9)


def test_a_mix_that_is_not_even():
    """Of [[2, -1], [-1, 1]] both play 2 : 3, for 1 / 5."""
    solution = solve([[2, -1], [-1, 1]], gap=1e-6)
    check_solution(solution, [[2, -1], [-1, 1]], 1e-6)
    np.testing.assert_allclose(solution.row, [0.4, 0.6], atol=1e-5)
    np.testing.assert_allclose(solution.column, [0.4, 0.6], atol=1e-5)
    assert solution.value == pytest.approx(0.2, abs=1e-6)


def test_dominated_rows_and_columns_are_hardly_played():
    matrix = np.full((5, 5), 0.0)
    matrix[:3, :3] = ROCK_PAPER_SCISSORS
    matrix[3:, :] = -3  # never as good as another row
    matrix[:, 3:] = 3
    matrix[3:, 3:] = 0
    solution = solve(matrix, gap=1e-4)
    check_solution(solution, matrix, 1e-4)
    assert solution.row[3:].max() < 1e-4
    assert solution.column[3:].max() < 1e-4


def saddle_points():
    rng = np.random.default_rng(3)
    added = np.add.outer(rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 9))
    return [
        ([[0.1]], 0.1, 0, 0),
        ([[3, 1, 2]], 1, 0, 1),
        ([[1], [3], [2]], 3, 1, 0),
        ([[0.7] * 4] * 3, 0.7, 0, 0),
        ([[1, 5], [0, -7]], 1, 0, 0),
        ([[4, 2, 9], [-1, 0, 1], [3, 1, -8]], 2, 0, 1),
        (added, None, np.argmax(added[:, 0]), np.argmin(added[0])),
        ([[1e300, 1e308], [-1e308, -1e300]], 1e300, 0, 0),
    ]


@pytest.mark.parametrize(("matrix", "value", "row", "column"), saddle_points())
def test_a_saddle_point_is_found_exactly(matrix, value, row, column):
    matrix = np.asarray(matrix, dtype=np.float64)
    solution = solve(matrix, gap=0)
    assert solution.value == (matrix[row, column] if value is None else value)
    assert solution.gap == 0
    assert solution.iterations == 0
    assert solution.row.tolist() == np.eye(matrix.shape[0])[row].tolist()
    assert solution.column.tolist() == np.eye(matrix.shape[1])[column].tolist()


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 1e6, 1e300])
def test_units_do_not_matter(scale):
    """The gap is absolute, so it has the payoffs' unit."""
    matrix = scale * random_matrix("uniform", 15, 12)
    solution = solve(matrix, gap=1e-3 * scale)
    check_solution(solution, matrix, 1e-3 * scale)
    assert solution.iterations == pytest.approx(solve(matrix / scale).iterations, abs=100)
    assert solution.value / scale == pytest.approx(exact_value(matrix / scale), abs=1e-3)


@pytest.mark.parametrize("offset", [-1e6, 1e3, 1e6])
def test_offsets_do_not_matter(offset):
    matrix = offset + random_matrix("uniform", 15, 12)
    solution = solve(matrix)
    check_solution(solution, matrix, 1e-3 + 1e-9)
    assert solution.value == pytest.approx(offset + exact_value(matrix - offset), abs=1e-3)


def test_the_widest_numbers_neither_overflow_nor_vanish():
    widest = np.finfo(np.float64).max
    solution = solve([[widest, -widest], [-widest, widest]], gap=1e300)
    assert solution.value == pytest.approx(0, abs=1e300)
    assert solution.gap <= 1e300
    least = 5e-324
    solution = solve([[least, 0], [0, least]], gap=0, max_iterations=100)
    np.testing.assert_allclose(solution.row, 0.5)
    assert 0 <= solution.value <= least


@pytest.mark.parametrize("shape", [(13, 13), (5, 21), (21, 5)])
def test_the_negated_transpose_swaps_the_players(shape):
    matrix = random_matrix("uniform", *shape)
    here, there = solve(matrix, gap=1e-5), solve(-matrix.T, gap=1e-5)
    assert there.value == pytest.approx(-here.value, abs=1e-5)
    left = exploitability(matrix, there.column, there.row)
    assert left <= 1e-5 + 1e-12


def test_the_gap_says_how_far_it_came():
    matrix = random_matrix("uniform", 30, 30)
    gaps = []
    for most in (1, 7, 8, 9, 100, 1000):
        solution = solve(matrix, gap=0, max_iterations=most)
        assert solution.iterations == most
        check_solution(solution, matrix, 2)
        check_value(solution, matrix)
        gaps.append(solution.gap)
    assert gaps[-1] < 1e-3 < gaps[-2] < gaps[0]


def test_it_ends_when_the_gap_is_reached():
    matrix = random_matrix("uniform", 30, 30)
    solutions = [solve(matrix, gap=gap) for gap in (np.inf, 1e-1, 1e-2, 1e-3, 1e-4)]
    iterations = [solution.iterations for solution in solutions]
    assert iterations == sorted(set(iterations))
    assert iterations[0] == 8  # those before the first look at the gap
    for solution in solutions:
        check_solution(solution, matrix, np.inf)


def test_the_defaults_are_those_documented():
    matrix = random_matrix("uniform", 20, 20)
    by_default, given_both = solve(matrix), solve(matrix, gap=1e-3, max_iterations=100_000)
    np.testing.assert_array_equal(by_default.row, given_both.row)
    assert by_default.iterations == given_both.iterations


@pytest.mark.parametrize(
    "given",
    [
        lambda matrix: matrix.tolist(),
        lambda matrix: matrix.astype(np.int8),
        lambda matrix: matrix.astype(np.float32),
        lambda matrix: matrix.astype(np.longdouble),
        lambda matrix: matrix.astype(">f8"),
        lambda matrix: np.asfortranarray(matrix),
        lambda matrix: np.repeat(matrix, 2, axis=1)[:, ::2],
        lambda matrix: memoryview(matrix.astype(np.float64)),
    ],
)
def test_any_real_array_will_do(given):
    matrix = random_matrix("signs", 6, 8)
    expected, solution = solve(matrix), solve(given(matrix))
    np.testing.assert_array_equal(solution.row, expected.row)
    np.testing.assert_array_equal(solution.column, expected.column)
    assert solution[0] == expected[0]
    assert solution[3:] == expected[3:]


def test_truth_values_and_unsigned_numbers_are_payoffs():
    expected = solve([[1, 0], [0, 1]])
    for kind in (bool, np.uint8, np.uint64):
        assert solve(np.eye(2, dtype=kind)).value == expected.value


def test_the_matrix_stays_as_it_was():
    matrix = random_matrix("uniform", 9, 9)
    matrix.flags.writeable = False
    before = matrix.copy()
    solve(matrix)
    np.testing.assert_array_equal(matrix, before)


def test_the_largest_games():
    rng = np.random.default_rng(2)
    solution = solve(np.add.outer(np.arange(4096), np.arange(3)))
    assert (solution.value, solution.iterations) == (4095, 0)
    matrix = rng.uniform(-1, 1, (4096, 2))
    check_solution(solve(matrix), matrix, 1e-3)
    check_solution(solve(matrix.T), matrix.T, 1e-3)


@pytest.mark.parametrize(
    ("matrix", "shape"),
    [
        (0.5, "()"),
        ([], "(0,)"),
        ([1, 2], "(2,)"),
        ([[]], "(1, 0)"),
        (np.empty((0, 3)), "(0, 3)"),
        (np.zeros((2, 2, 2)), "(2, 2, 2)"),
        (np.zeros((4097, 1)), "(4097, 1)"),
        (np.zeros((1, 4097)), "(1, 4097)"),
    ],
)
def test_another_shape_is_an_error(matrix, shape):
    with pytest.raises(ValueError) as error:
        solve(matrix)
    expected = f"matrix is of shape {shape}: expected 2 dimensions of 1..4096"
    assert str(error.value) == expected


@pytest.mark.parametrize(
    ("matrix", "dtype"),
    [
        ([[1j]], "complex128"),
        ([[None]], "object"),
        ([[Fraction(1, 2)]], "object"),
        ([["1"]], "<U1"),
        (np.zeros((1, 1), dtype="M8[s]"), "datetime64[s]"),
        (object(), "object"),
    ],
)
def test_what_is_not_real_is_an_error(matrix, dtype):
    with pytest.raises(TypeError) as error:
        solve(matrix)
    assert str(error.value) == f"matrix is of {dtype}: expected real numbers"


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (1, 4), (2, 3)])
def test_a_number_that_is_not_finite_is_an_error(wrong, place):
    matrix = np.zeros((3, 5))
    matrix[place] = wrong
    with pytest.raises(ValueError) as error:
        solve(matrix)
    expected = f"matrix[{place[0]}, {place[1]}] is {wrong}: expected a finite number"
    assert str(error.value) == expected


@pytest.mark.parametrize("gap", [-1, -1e-300, float("nan"), -np.inf])
def test_a_gap_below_zero_is_an_error(gap):
    with pytest.raises(ValueError) as error:
        solve([[1]], gap=gap)
    assert str(error.value) == f"gap is {gap}: expected at least 0"


def test_a_gap_beyond_all_doubles_is_an_error():
    with pytest.raises(ValueError) as error:
        solve([[1]], gap=10**309)
    assert str(error.value) == f"gap is 1{'0' * 39}…: expected a double"


def test_a_gap_that_is_no_number_is_an_error():
    with pytest.raises(TypeError) as error:
        solve([[1]], gap="0.1")
    assert str(error.value) == "gap must be a number, not str"


@pytest.mark.parametrize("most", [0, -1, 2**31])
def test_other_iterations_are_an_error(most):
    with pytest.raises(ValueError) as error:
        solve([[1]], max_iterations=most)
    assert str(error.value) == f"max_iterations is {most}: expected 1..2147483647"


def test_iterations_that_are_no_int_are_an_error():
    with pytest.raises(TypeError) as error:
        solve([[1]], max_iterations=1e3)
    assert str(error.value) == "max_iterations must be an int, not float"


def test_eight_threads_solve_what_one_alone_does(eight_at_once):
    matrices = [random_matrix("uniform", 5 + number, 40, number) for number in range(8)]

    def work(number):
        solution = solve(matrices[number], gap=1e-5)
        return solution.row.tolist(), solution.column.tolist(), solution.iterations

    assert eight_at_once(work) == [work(number) for number in range(8)]


def test_eight_threads_share_a_matrix(eight_at_once):
    matrix = random_matrix("signs", 20, 20)
    assert len(set(eight_at_once(lambda number: solve(matrix, gap=1e-5).value))) == 1
