"""Reduces a position on which engines differ to a small one."""

from collections.abc import Callable

from wts_fast import reference
from wts_fast.conformance import Turn
from wts_fast.types import CELLS, EGG, EMPTY, SIZE


def shrink(
    before: reference.Position,
    turn: Turn,
    differs: Callable[[reference.Position], bool],
) -> reference.Position:
    """Return `before` with fewer pieces, and with turn number 0, so that engines still differ.

    `differs` returns whether the engines differ on a position when `turn` is played. Pieces
    are removed in smaller and smaller groups; a removal is undone if the engines no longer
    differ, or if the turn becomes legal or stops being legal. Returns `before` itself if
    `differs(before)` is false.
    """
    smallest = before
    legal = before.is_legal(*turn)

    def tried(cells: list[int], number: int) -> bool:
        nonlocal smallest
        fewer = _without(smallest, cells, number)
        if fewer.is_legal(*turn) != legal or not differs(fewer):
            return False
        smallest = fewer
        return True

    if not differs(before):
        return before
    tried([], 0)
    size = CELLS // 2
    while size:
        pieces = _pieces(smallest)
        groups = (pieces[start : start + size] for start in range(0, len(pieces), size))
        removed = [tried(group, smallest.turn) for group in groups]
        if size > 1 or not any(removed):
            size //= 2
    return smallest


def _pieces(position: reference.Position) -> list[int]:
    return [cell for cell in range(CELLS) if not position.empty >> cell & 1]


def _without(position: reference.Position, cells: list[int], turn: int) -> reference.Position:
    board = position.to_array().ravel()
    board[cells] = EMPTY
    eggs = [cell for cell in position.eggs if board[cell] == EGG]
    return reference.Position.from_array(board.reshape(SIZE, SIZE), eggs, turn)
