"""Random positions in which rare events are common."""

import random
from typing import Final

from wts_fast import reference
from wts_fast.conformance.draws import below, pick, shuffled
from wts_fast.reference import FIVES, TRAPS, opponent
from wts_fast.types import BLACK, CELLS, EGG, EMPTY, WHITE

Turn = tuple[int, int]
"""Black's and White's pick."""


TURN_NUMBERS: Final = (0, 7, CELLS, 1_000, 100_000)


def late(position: reference.Position, rng: random.Random) -> reference.Position:
    """Return the position with a random turn number, which changes no rule (R7, R8)."""
    turn = pick(rng, TURN_NUMBERS)
    return reference.Position.from_array(position.to_array(), position.eggs, turn)


def constructed_position(rng: random.Random) -> tuple[reference.Position, Turn]:
    """Return an undecided position with many traps, eggs and lines, and a turn to play in it.

    The turn closes more of the traps than a random turn would. The result depends only on
    the state of `rng`, not on the version of Python.
    """
    while True:
        board = _scattered(rng)
        turn = _set_traps(board, rng)
        if rng.random() < 0.5:
            _draw_lines(board, rng)
        for cell in turn:
            board[cell] = EMPTY
        if rng.random() < 0.2:  # the core has separate code for captures without eggs
            board = [pick(rng, (BLACK, WHITE)) if piece == EGG else piece for piece in board]
        position = reference.Position.from_cells(
            (cell for cell in range(CELLS) if board[cell] == BLACK),
            (cell for cell in range(CELLS) if board[cell] == WHITE),
            shuffled(rng, (cell for cell in range(CELLS) if board[cell] == EGG)),
        )
        if not position.is_over:
            return position, turn


def _scattered(rng: random.Random) -> list[int]:
    """Return a random board, from sparse to full."""
    empty = pick(rng, (70, 50, 30, 15, 4, 1, 0, 0))
    share_of_eggs = pick(rng, (0.025, 0.2, 0.5))
    board = [EMPTY] * empty
    while len(board) < CELLS:
        board.append(EGG if rng.random() < share_of_eggs else pick(rng, (BLACK, WHITE)))
    return shuffled(rng, board)


def _set_traps(board: list[int], rng: random.Random) -> Turn:
    """Set traps that a turn will close, some of them for turtles that are yet to hatch."""
    black, white = below(rng, CELLS), below(rng, CELLS)
    for player, cell in ((BLACK, black), (WHITE, white)):
        _set_traps_around(board, player, cell, rng)
        if rng.random() < 0.5:
            hatching = below(rng, CELLS)
            _set_traps_around(board, player, hatching, rng)
            board[hatching] = EGG
    return (black, black) if rng.random() < 0.1 else (black, white)


def _set_traps_around(board: list[int], player: int, cell: int, rng: random.Random) -> None:
    number = pick(rng, (0, 1, 1, 2, 3))
    enemy = opponent(player)
    for first, second, third in shuffled(rng, TRAPS[cell])[:number]:
        board[first], board[second] = (pick(rng, (enemy, enemy, enemy, EGG)) for _ in range(2))
        board[third] = player


def _draw_lines(board: list[int], rng: random.Random) -> None:
    """Draw a five for each player, or all but one cell of it, for the turn to complete."""
    for player in (BLACK, WHITE):
        five = pick(rng, FIVES)
        gap = pick(rng, (*five, None, None))
        for cell in five:
            board[cell] = player
        if gap is not None:
            board[gap] = pick(rng, (EMPTY, EGG))
