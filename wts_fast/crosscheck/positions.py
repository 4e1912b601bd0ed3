"""Random positions in which rare events are common."""

import random

from wts_fast import reference
from wts_fast.reference import FIVES, TRAPS, opponent
from wts_fast.types import BLACK, CELLS, EGG, EMPTY, WHITE

Turn = tuple[int, int]
"""Black's and White's pick."""


def constructed_position(rng: random.Random) -> tuple[reference.Position, Turn]:
    """Return an undecided position with many traps, eggs and lines, and a turn to play in it.

    The turn closes more of the traps than a random turn would.
    """
    while True:
        board = _scattered(rng)
        turn = _set_traps(board, rng)
        if rng.random() < 0.5:
            _draw_lines(board, rng)
        for cell in turn:
            board[cell] = EMPTY
        if rng.random() < 0.2:  # the core has separate code for captures without eggs
            board = [rng.choice((BLACK, WHITE)) if piece == EGG else piece for piece in board]
        eggs = [cell for cell in range(CELLS) if board[cell] == EGG]
        rng.shuffle(eggs)
        position = reference.Position.from_cells(
            (cell for cell in range(CELLS) if board[cell] == BLACK),
            (cell for cell in range(CELLS) if board[cell] == WHITE),
            eggs,
        )
        if not position.is_over:
            return position, turn


def _scattered(rng: random.Random) -> list[int]:
    """Return a random board, from sparse to full."""
    empty = rng.choice((70, 50, 30, 15, 4, 1, 0, 0))
    egg_weight = rng.choice((0.05, 0.5, 2.0))
    pieces = rng.choices((BLACK, WHITE, EGG), (1, 1, egg_weight), k=CELLS - empty)
    board = pieces + [EMPTY] * empty
    rng.shuffle(board)
    return board


def _set_traps(board: list[int], rng: random.Random) -> Turn:
    """Set traps that a turn will close, some of them for turtles that are yet to hatch."""
    black, white = rng.randrange(CELLS), rng.randrange(CELLS)
    for player, cell in ((BLACK, black), (WHITE, white)):
        _set_traps_around(board, player, cell, rng)
        if rng.random() < 0.5:
            hatching = rng.randrange(CELLS)
            _set_traps_around(board, player, hatching, rng)
            board[hatching] = EGG
    return (black, black) if rng.random() < 0.1 else (black, white)


def _set_traps_around(board: list[int], player: int, cell: int, rng: random.Random) -> None:
    for first, second, third in rng.sample(TRAPS[cell], rng.choice((0, 1, 1, 2, 3))):
        board[first], board[second] = rng.choices((opponent(player), EGG), (3, 1), k=2)
        board[third] = player


def _draw_lines(board: list[int], rng: random.Random) -> None:
    """Draw a five for each player, or all but one cell of it, for the turn to complete."""
    for player in (BLACK, WHITE):
        five = rng.choice(FIVES)
        gap = rng.choice((*five, None, None))
        for cell in five:
            board[cell] = player
        if gap is not None:
            board[gap] = rng.choice((EMPTY, EGG))
