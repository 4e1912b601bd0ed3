"""Shared definitions: contents of cells, players, outcomes, errors."""

from enum import IntEnum
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, SupportsFloat, SupportsIndex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SIZE: Final = 9
"""Rows, and columns, of the board (rule B1)."""

CELLS: Final = SIZE * SIZE
"""Cells of the board; a cell is an int 0..80, 9 * row + column."""

MAX_TURN: Final = 2**32 - 1
"""The highest turn number of a position; it stays the same when more turns are played."""

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
    """The outcome of a position; it follows from the board alone (R6).

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
    "Position() takes no arguments and returns the empty board: use Position.from_string for a "
    "position string, Position.from_cells for cells and a turn"
)
"""The message of both engines for `Position(...)`."""


class IllegalMoveError(ValueError):
    """A pick that the rules do not allow; the message has the player, the cell and the reason.

    An attribute that does not apply is `None`.
    """

    player: int | None
    """Whose pick it is, `BLACK` or `WHITE`."""
    cell: int | None
    """The picked cell 0..80; `None` if the pick is not a cell of the board."""
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
        """Return the error for a pick, which the message shows as `pick`."""
        message = f"{PLAYER_NAMES[player]} cannot pick {pick}: {reason}"
        return cls(message, player=player, cell=cell, reason=reason)

    def in_game(self, game: int, place: str) -> "IllegalMoveError":
        """Return this error for one game of several; `place` begins the message."""
        return type(self)(
            f"{place}: {self}", player=self.player, cell=self.cell, reason=self.reason, game=game
        )


def check_player(player: int) -> int:
    """Return `player`; raise `ValueError` unless it is `BLACK` or `WHITE`."""
    if player not in (BLACK, WHITE):
        raise ValueError(f"player must be BLACK (1) or WHITE (2), not {player!r}")
    return player


class AnyPosition(Protocol):
    """A position of either engine: the members that functions on positions use."""

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
    """Raise `TypeError` unless `position` is a position of either engine."""
    if not hasattr(position, "eggs"):
        kind = type(position).__name__
        raise TypeError(f"expected a Position of either engine, not {kind}")


MAX_DEPTH: Final = 255
"""The greatest depth that perft takes: its recursion must fit a small stack."""


MAX_COUNT: Final = 2**63 - 1
"""The greatest number of games or turns that can be asked for."""


def shown(value: object) -> str:
    """Return any value as error messages show it, cut to 40 characters."""
    try:
        text = str(value)
    except ValueError:  # an int of thousands of digits
        return "a huge number"
    return text if len(text) <= 40 else f"{text[:40]}…"


def check_int(name: str, value: SupportsIndex, low: int, high: int) -> int:
    """Return `value` as an `int` of low..high.

    Raises `TypeError` if it is not an integer, `ValueError` if it is outside.
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {shown(number)}: expected {low}..{high}")
    return number


def check_float(name: str, value: SupportsFloat | SupportsIndex, low: float, high: float) -> float:
    """Return `value` as a `float` of low..high.

    Raises `TypeError` where it is no number, `ValueError` where it is NaN or outside.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}") from None
    except OverflowError:
        raise ValueError(f"{name} is {shown(value)}: expected {low}..{high}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}: expected {low}..{high}")
    return number


class Rollouts(NamedTuple):
    """The results of random games, counted.

    `black_wins`, `white_wins`, `draws` and `truncated`, the games cut by the turn limit
    (R8), add up to the number of games. `mean_turns` is the mean number of turns played
    from the given position, including cut games; 0.0 for no games.
    """

    black_wins: int
    white_wins: int
    draws: int
    truncated: int
    mean_turns: float


class Solution(NamedTuple):
    """An approximate solution of a zero-sum matrix game; the row player maximizes the payoff.

    `row` and `column` are strategies: the probabilities of the rows, and of the columns, as
    `float64`, at least 0, adding up to 1 within rounding. `gap` is the mean payoff of the best
    row against `column`, minus the mean payoff of the best column against `row`. `value` is
    halfway between these two, so it is within `gap / 2` of the value of the game. All are
    computed in double precision. `iterations` is the number of iterations made; 0 for a pure
    solution, whose gap is 0.
    """

    value: float
    row: "npt.NDArray[np.float64]"
    column: "npt.NDArray[np.float64]"
    gap: float
    iterations: int


class SearchResult(NamedTuple):
    """What a search knows of its root, after a run.

    Arrays of shape (2, 81) hold Black's numbers in row 0 and White's in row 1, by cell.
    `visits` (`int64`) counts how often the player picked the cell in simulations, those of
    earlier runs and kept subtrees included; `means` (`float64`) is their mean value for that
    player, NaN for cells without visits. Where the root comes back within a game, one
    simulation counts several visits (R8). `values`, `float64` of shape (81, 81), is the mean
    value for Black after the joint move `[black, white]`, NaN where no simulation played it.

    `picks` are the most visited cells of Black and White. `policies`, `float64` of shape
    (2, 81), are the strategies that solve the matrix of values over each player's cells with
    at least 3 % of the visits, and the most visited one; the static evaluation stands in
    where no simulation played the joint move. `value` is what that matrix is worth to Black,
    -1 to 1. `line` is the principal line: the most visited picks, turn by turn, as long as
    the tree knows them.

    `simulations` and `seconds` are those of this run.
    """

    visits: "npt.NDArray[np.int64]"
    means: "npt.NDArray[np.float64]"
    values: "npt.NDArray[np.float64]"
    picks: tuple[int, int]
    policies: "npt.NDArray[np.float64]"
    value: float
    line: tuple[tuple[int, int], ...]
    simulations: int
    seconds: float

    @property
    def simulations_per_second(self) -> float:
        """The speed of this run."""
        return self.simulations / self.seconds
