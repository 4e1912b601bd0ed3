"""A game: its positions, undo, tags, comments, and its record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any, Final, TextIO, cast, final

from wts_fast.core.position import Position
from wts_fast.notation import cell_index
from wts_fast.records import RESULTS, Reader, format_game
from wts_fast.types import AnyPosition, Cell, Outcome, check_position

_PATH: Final = re.compile(r"(?!\d+\.)[^\n\[{]*(?:\.[A-Za-z]{1,5}|[/\\][A-Za-z][^\n\[{/\\]*)")
"""One line that ends in a file name's extension, or in a separator and a name."""


@final
class Game:
    """A game of What the Shell: a start position, turns, tags and comments.

    `position` is the start position, of either engine; all positions of the game are of the
    same engine. The default is the empty board of the compiled engine. `tags` are copied.
    (Type checkers see the positions of the compiled engine, which has the same members.)

    Two attributes may be changed: `tags`, a dict of tag values by name, and `comments`, a
    dict of comments by the number of turns played in this game before the comment: 0 is
    before the first turn, `len(game)` after the last.

    Games are equal if start (including its turn), moves, tags and comments are equal, in
    either engine; `result` is compared instead of the tag `Result`. They are not hashable.

    >>> game = Game(tags={"Black": "Ada"})
    >>> game.play("e5", "d4").turn
    1
    >>> game.comments[1] = "White leaves the centre."
    >>> print(game)
    [Black "Ada"]
    [Result "*"]
    <BLANKLINE>
    1. e5 d4 {White leaves the centre.} *
    """

    tags: dict[str, str]
    comments: dict[int, str]

    def __init__(
        self, position: AnyPosition | None = None, tags: Mapping[str, str] | None = None
    ) -> None:
        if isinstance(position, str):
            raise TypeError(
                "expected a Position, not str: use Game.from_string for a record, and "
                "Position.from_string for a position string"
            )
        if position is not None:
            check_position(position)
        # Whatever their engine, all have the members of the core's Position.
        self._positions = [Position() if position is None else cast("Position", position)]
        self._moves: list[tuple[int, int]] = []
        self.tags = dict(tags or {})
        self.comments = {}

    @staticmethod
    def from_string(text: str) -> Game:
        """Return the game of a record, in the compiled engine; the inverse of `str(game)`.

        Raises what `read_games` raises, `TypeError` for anything but a string, and
        `ValueError` unless it holds exactly one game.
        """
        if not isinstance(text, str):
            raise TypeError(f"a record must be a str, not {type(text).__name__}")
        reader = Reader(StringIO(text), Game)
        if not reader.more():
            raise reader.unexpected("a game")
        game = reader.game()
        if reader.more():
            raise reader.unexpected("the end of the text, after one game")
        return game

    @property
    def start(self) -> Position:
        """The position from which the game started."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The current position."""
        return self._positions[-1]

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The turns played: pairs of Black's and White's pick, cells 0..80."""
        return tuple(self._moves)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the current position."""
        return self._positions[-1].outcome

    @property
    def is_over(self) -> bool:
        """Whether the game is over in the current position."""
        return self._positions[-1].is_over

    @property
    def result(self) -> str:
        """`"1-0"` where Black wins, `"0-1"` where White does, `"1/2-1/2"` or `"*"`.

        It follows from the outcome if the game is over. Otherwise it is the tag `Result`,
        for games that were resigned or adjudicated, or `"*"` without that tag.
        """
        if self.is_over:
            return RESULTS[self.outcome]
        return self.tags.get("Result", "*")

    def positions(self) -> list[Position]:
        """Return the positions from the start to the current one, one more than turns played."""
        return self._positions.copy()

    def play(self, black: Cell, white: Cell) -> Position:
        """Play one turn, drop the tag `Result`, and return the new position.

        Raises what `Position.play` raises; the game is unchanged then.
        """
        picks = _as_int(black), _as_int(white)
        position = self.position.play(*picks)
        self._moves.append(cast("tuple[int, int]", picks))
        self._positions.append(position)
        self.tags.pop("Result", None)
        return position

    def undo(self) -> tuple[int, int]:
        """Take the last turn back and return its picks.

        Drops the tag `Result` and the comments that came after the turn. Raises
        `IndexError` if no turn has been played in this game.
        """
        if not self._moves:
            raise IndexError("there is no turn to take back: the game is at its start position")
        for at in [at for at in self.comments if at >= len(self)]:
            del self.comments[at]
        self.tags.pop("Result", None)
        self._positions.pop()
        return self._moves.pop()

    def __len__(self) -> int:
        """Return the number of turns played in this game; a game with 0 turns is false."""
        return len(self._moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._value() == other._value()

    def _value(self) -> tuple[object, ...]:
        """The values that `==` compares. The start is encoded with its turn, without its engine."""
        tags = {name: value for name, value in self.tags.items() if name != "Result"}
        return self.start.to_bytes(), self._moves, tags, self.result, self.comments

    def __str__(self) -> str:
        """Return the record, without a line end after the result.

        Raises `ValueError` for what a record cannot hold: a tag name with other characters
        than letters, digits and `_`; a tag value with a line end; a tag `Position`, which is
        reserved for the start; an unknown result; a comment with `}`, or with a key outside
        0..`len(game)`. Raises `TypeError` for a tag or a comment that is not a string.
        """
        return format_game(self)

    def __repr__(self) -> str:
        return f"<Game turns={len(self)} result={self.result!r} position='{self.position}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.start, self.moves, self.tags, self.comments)


def _as_int(cell: Cell) -> Cell:
    """Return the index of a cell, or `cell` itself if it is invalid: `play` raises the error."""
    try:
        return cell_index(cell)
    except ValueError:
        return cell


def _replay(
    start: AnyPosition,
    moves: Iterable[tuple[int, int]],
    tags: Mapping[str, str],
    comments: Mapping[int, str],
) -> Game:
    """Return a new game from the values that `Game.__reduce__` gives to `copy` and `pickle`."""
    game = Game(start)
    for black, white in moves:
        game.play(black, white)
    game.tags.update(tags)
    game.comments.update(comments)
    return game


def write_games(games: Iterable[Game], file: TextIO) -> None:
    """Write the records of `games` to an open text file, an empty line after each.

    Open the file with `encoding="utf-8"`. If comments contain carriage returns, open it
    with `newline=""` for writing and for reading.

    Raises `TypeError` for anything but a text file, and at the first item that is not a
    `Game`; `ValueError` at the first game that cannot be written as a record. The games
    before it are written.
    """
    if not hasattr(file, "write"):
        raise TypeError(f"expected an open text file to write to, not {type(file).__name__}")
    for game in games:
        if not isinstance(game, Game):
            raise TypeError(f"expected a Game to write, not {type(game).__name__}")
        file.write(f"{game}\n\n")


def read_games(source: str | TextIO) -> Iterator[Game]:
    """Yield the games of a string, or of an open text file, one by one as they are read.

    They are played in the compiled engine. The tag `Result` is kept in `tags` only if the
    game is not over on the board; several comments in one place are joined by a space.

    Raises `IllegalMoveError` for a turn that the rules do not allow, with the game and the
    turn; `ValueError` for any other error, with the game, the line, what was found there
    and what was expected, and for a string that looks like the path of a file; `TypeError`
    for anything but a string or an open text file.

    >>> [game.result for game in read_games("1. e5 e5 0-1 1. a1 b2 *")]
    ['0-1', '*']
    """
    if not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"expected a record as a str or an open text file, not {kind}")
    if isinstance(source, str) and _PATH.fullmatch(source):
        raise ValueError(
            f"game 1, line 1: found {source!r}, which looks like a path: expected the text of a "
            "record, or an open file, as from open(path, encoding='utf-8')"
        )
    reader = Reader(StringIO(source) if isinstance(source, str) else source, Game)
    while reader.more():
        yield reader.game()
