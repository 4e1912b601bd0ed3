"""Arrays under symmetries: what `Position.transform` does to the position."""

import random

import numpy as np
import pytest

from wts_fast import (
    BLACK,
    WHITE,
    Batch,
    Position,
    Symmetry,
    transform_planes,
    transform_policy,
)
from wts_fast.crosscheck import constructed_position


@pytest.fixture(scope="module")
def positions():
    rng = random.Random(3)
    return [Position.from_bytes(constructed_position(rng)[0].to_bytes()) for _ in range(600)]


@pytest.mark.parametrize("symmetry", Symmetry)
def test_arrays_are_transformed_as_positions_are(positions, symmetry):
    batch = Batch.from_positions(positions)
    moved = Batch.from_positions(position.transform(symmetry) for position in positions)
    for player in (BLACK, WHITE):
        seen = batch.observe(player)
        np.testing.assert_array_equal(transform_planes(seen, symmetry), moved.observe(player))
    mask = batch.legal_mask()
    np.testing.assert_array_equal(transform_policy(mask, symmetry), moved.legal_mask())
    square = mask.reshape(-1, 9, 9)
    np.testing.assert_array_equal(
        transform_policy(square, symmetry), moved.legal_mask().reshape(-1, 9, 9)
    )
    np.testing.assert_array_equal(transform_planes(batch.boards()[0], symmetry), moved.boards()[0])
    np.testing.assert_array_equal(transform_policy(mask[0], int(symmetry)), moved.legal_mask()[0])
    batch.transform(symmetry)
    assert batch == moved
    assert batch.turns.tolist() == moved.turns.tolist()


def test_each_game_has_its_own_symmetry(positions):
    symmetries = np.random.default_rng(2).integers(8, size=600)
    batch = Batch.from_positions(positions)
    planes, mask = batch.observe(BLACK), batch.legal_mask()
    batch.transform(symmetries)
    np.testing.assert_array_equal(transform_planes(planes, symmetries), batch.observe(BLACK))
    np.testing.assert_array_equal(transform_policy(mask, symmetries), batch.legal_mask())
    np.testing.assert_array_equal(
        transform_policy(mask.reshape(20, 30, 81), symmetries.reshape(20, 30)).reshape(600, 81),
        batch.legal_mask(),
    )
    np.testing.assert_array_equal(
        transform_policy(np.stack([mask, ~mask]), symmetries[:2])[1],
        transform_policy(~mask, symmetries[1]),
    )


def test_colors_are_swapped_where_the_other_player_sees_the_same(positions):
    batch = Batch.from_positions(positions)
    black, white, worth = batch.observe(BLACK), batch.observe(WHITE), batch.values(BLACK)
    batch.swap_colors()
    np.testing.assert_array_equal(batch.observe(BLACK), white)
    np.testing.assert_array_equal(batch.observe(WHITE), black)
    np.testing.assert_array_equal(batch.values(WHITE), worth)
    assert list(batch) == [position.swap_colors() for position in positions]


@pytest.mark.parametrize("symmetry", Symmetry)
def test_the_inverse_restores_an_array_of_any_dtype(symmetry):
    cells = np.arange(2 * 81).reshape(2, 81)
    for dtype in (np.float16, ">i4", object, bool):
        array = cells.astype(dtype)
        moved = transform_policy(array, symmetry)
        assert moved.dtype == array.dtype
        assert not np.shares_memory(moved, array)
        np.testing.assert_array_equal(transform_policy(moved, symmetry.inverse), array)
    strided = np.asfortranarray(cells.reshape(2, 9, 9))[::-1]
    moved = transform_planes(strided, [symmetry, symmetry])
    np.testing.assert_array_equal(transform_planes(moved, symmetry.inverse), strided)


def test_no_games_have_no_symmetries():
    assert transform_planes(np.zeros((0, 5, 9, 9)), []).shape == (0, 5, 9, 9)
    assert transform_policy(np.zeros((0, 81)), 3).shape == (0, 81)
    Batch(0).transform([])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: transform_planes(np.zeros((2, 81)), 1), ValueError, "planes has shape (2, 81): expected (..., 9, 9)"),
        (lambda: transform_planes(3, 1), ValueError, "planes has shape (): expected (..., 9, 9)"),
        (lambda: transform_policy(np.zeros((2, 80)), 1), ValueError, "policy has shape (2, 80): expected (..., 81) or (..., 9, 9)"),
        (lambda: transform_policy(3, 1), ValueError, "policy has shape (): expected (..., 81) or (..., 9, 9)"),
        (lambda: transform_policy(np.zeros(81), 8), ValueError, "symmetry must be a Symmetry or an int 0..7, not 8"),
        (lambda: transform_policy(np.zeros(81), 1.0), ValueError, "symmetry must be a Symmetry or an int 0..7, not 1.0"),
        (lambda: transform_policy(np.zeros(81), [1]), ValueError, "symmetry has shape (1,): expected ()"),
        (lambda: transform_policy(np.zeros((3, 81)), [1, 2]), ValueError, "symmetry has shape (2,): expected (3,)"),
        (lambda: transform_policy(np.zeros((1, 2, 81)), [[1, -1]]), ValueError, "symmetry[0, 1] is -1: expected 0..7"),
        (lambda: transform_planes(np.zeros((2, 9, 9)), [1.0, 2.0]), TypeError, "symmetry must be an array of integers, not of float64"),
    ],
)  # fmt: skip
def test_what_is_refused(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == message
