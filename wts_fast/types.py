"""What every other module agrees on: contents of cells, players, outcomes, errors."""

from enum import IntEnum
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, SupportsIndex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SIZE: Final = 9
"""Rows, and columns, of the board (rule B1)."""

CELLS: Final = SIZE * SIZE
"""Cells of the board; a cell is an int 0..80, 9 * row + column."""

MAX_TURN: Final = 2**32 - 1
"""The highest turn number a position carries; turns played from there keep it."""

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
EGG: Final = 3

CONTENT_NAMES: Final = ("nothing", "a black turtle", "a white turtle", "an egg")
"""Contents of a cell in words, by code."""

PLAYER_NAMES: Final = {BLACK: "Black", WHITE: "White"}
"""Players in words, by code."""

Cell = SupportsIndex | str
"""A cell as users give it: an index 0..80, or a name such as `"e5"`."""


class Outcome(IntEnum):
    """How a position stands; it follows from the board alone (R6).

    A win has the code of the player who wins: `BLACK` is 1, `WHITE` is 2.
    """

    UNDECIDED = 0
    BLACK_WINS = 1
    WHITE_WINS = 2
    DRAW = 3

    def __str__(self) -> str:
        return self.name

    def value_for(self, player: int) -> float:
        """Return what the outcome is worth to `player` (`BLACK` or `WHITE`).

        1.0 for a win, -1.0 for a loss, 0.0 for a draw and for an undecided game.
        Raises `ValueError` for anything but `BLACK` or `WHITE`.
        """
        check_player(player)
        if self in (Outcome.UNDECIDED, Outcome.DRAW):
            return 0.0
        return 1.0 if int(self) == player else -1.0


NO_ARGUMENTS: Final = (
    "Position() takes no arguments and is the empty board: use Position.from_string for a "
    "position string, Position.from_cells for cells and a turn"
)
"""The message of both engines for `Position(...)`."""


class IllegalMoveError(ValueError):
    """A pick that the rules do not allow; the message names player, cell and reason.

    An attribute is `None` where it does not apply.
    """

    player: int | None
    """Whose pick it is, `BLACK` or `WHITE`."""
    cell: int | None
    """The picked cell 0..80; `None` where the pick is not a cell of the board."""
    reason: str | None
    """Why the pick is not legal, as in the message."""
    game: int | None
    """The game's number: from 0 in a `Batch`, from 1 among the games of a record."""

    def __init__(
        self,
        message: str,
        *,
        player: int | None = None,
        cell: int | None = None,
        reason: str | None = None,
        game: int | None = None,
    ) -> None:
        super().__init__(message)
        self.player = player
        self.cell = cell
        self.reason = reason
        self.game = game

    @classmethod
    def of_pick(cls, player: int, pick: str, reason: str, cell: int | None) -> "IllegalMoveError":
        """Return the error of a pick, which the message shows as `pick`."""
        message = f"{PLAYER_NAMES[player]} cannot pick {pick}: {reason}"
        return cls(message, player=player, cell=cell, reason=reason)

    def in_game(self, game: int, place: str) -> "IllegalMoveError":
        """Return this error as one of a game of several; `place` begins the message."""
        return type(self)(
            f"{place}: {self}", player=self.player, cell=self.cell, reason=self.reason, game=game
        )


def check_player(player: int) -> int:
    """Return `player`; raise `ValueError` unless it is `BLACK` or `WHITE`."""
    if player not in (BLACK, WHITE):
        raise ValueError(f"player must be BLACK (1) or WHITE (2), not {player!r}")
    return player


class AnyPosition(Protocol):
    """A position of either engine, as far as functions on positions need to know it."""

    @property
    def eggs(self) -> tuple[int, ...]: ...
    @property
    def turn(self) -> int: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def is_over(self) -> bool: ...
    def legal_moves(self) -> list[int]: ...
    def play(self, black: Any, white: Any) -> Any: ...
    def to_array(self) -> "npt.NDArray[np.int8]": ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Any: ...


def check_position(position: object) -> None:
    """Raise `TypeError` unless `position` is one of either engine."""
    if not hasattr(position, "eggs"):
        kind = type(position).__name__
        raise TypeError(f"expected a Position of either engine, not {kind}")


MAX_DEPTH: Final = 255
"""The greatest depth that perft takes: its recursion must fit a small stack."""


MAX_COUNT: Final = 2**63 - 1
"""The greatest number of games or turns that can be asked for."""


def shown(value: object) -> str:
    """Return a value as a message shows it, whatever it is."""
    try:
        text = str(value)
    except ValueError:  # an int of thousands of digits
        return "a huge number"
    return text if len(text) <= 40 else f"{text[:40]}…"


def check_int(name: str, value: SupportsIndex, low: int, high: int) -> int:
    """Return `value` as an `int` of low..high.

    Raises `TypeError` where it is no integer, `ValueError` where it is outside.
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {shown(number)}: expected {low}..{high}")
    return number


class Rollouts(NamedTuple):
    """Counted results of random games.

    `black_wins`, `white_wins`, `draws` and `truncated`, the games cut by the turn limit
    (R8), add up to the number of games. `mean_turns` is the mean number of turns played,
    counted from the position given, cut games included; 0.0 for no games.
    """

    black_wins: int
    white_wins: int
    draws: int
    truncated: int
    mean_turns: float


class Solution(NamedTuple):
    """What is known of a zero-sum matrix game, whose row player wants high payoffs.

    `row` and `column` are strategies: the probability of each row, and of each column, in
    `float64`, at least 0, adding up to 1 within rounding. `gap` is what they leave open: the
    mean payoff of the row that is best against `column`, less that of the column that is
    best against `row`. `value`, halfway between these two, is therefore within half of it
    from the value of the game. All this is computed in double. `iterations` is how many it
    took; 0 for a pure solution, whose gap is 0.
    """

    value: float
    row: "npt.NDArray[np.float64]"
    column: "npt.NDArray[np.float64]"
    gap: float
    iterations: int
