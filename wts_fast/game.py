"""A game: positions in a row, undo, tags, comments, and the record in which it is kept.

A record is a text in the manner of PGN: tags one a line, an empty line, the turns with
Black's pick first, and the result. Braces hold comments.

    [Black "Ada"]
    [White "Grace"]
    [Result "1-0"]

    1. e5 e5 2. d4 f6 {White resigns.} 1-0

`Result` is written from the game's result. A start position other than the empty board
stands in the tag `Position`, and the numbers count on from its turn: the first is one
higher than the number of turns completed there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any, Final, NamedTuple, TextIO, cast, final

from wts_fast._position import Position
from wts_fast.notation import CELL_NAMES, cell_index
from wts_fast.types import AnyPosition, Cell, IllegalMoveError, Outcome, check_position

RESULTS: Final = {
    Outcome.UNDECIDED: "*",
    Outcome.BLACK_WINS: "1-0",
    Outcome.WHITE_WINS: "0-1",
    Outcome.DRAW: "1/2-1/2",
}
"""How a record writes an outcome."""

_ANY_RESULT: Final = "a result: " + ", ".join(RESULTS.values())

_WIDTH: Final = 80
_EMPTY_BOARD: Final = str(Position())
_TAG_NAME: Final = re.compile("[A-Za-z0-9_]+")
_TAG_LINE: Final = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\["\\])*)"\]')


@final
class Game:
    """A game of What the Shell: a start position, the turns played from it, and what is said.

    `position` is the start, of either engine, and the game stays in its engine; the default
    is the empty board in the compiled one. `tags` are copied. (For type checkers its
    positions are those of the compiled engine, which has the same members.)

    Two attributes are free to change: `tags`, a dict of what is known of the game by name,
    and `comments`, a dict of comments by the number of turns played in this game before
    them: 0 stands before the first turn, `len(game)` behind the last.

    Games are equal where start (its turn too), moves, tags and comments are, whatever the
    engine; of the tag `Result` counts what it makes of `result`. They are not hashable.

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

        Raises what `read_games` raises, `TypeError` for what is no string, and `ValueError`
        unless it is exactly one game.
        """
        if not isinstance(text, str):
            raise TypeError(f"a record must be a str, not {type(text).__name__}")
        reader = _Reader(StringIO(text))
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
        """The position as it stands now."""
        return self._positions[-1]

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The turns played: Black's and White's pick, cells 0..80."""
        return tuple(self._moves)

    @property
    def outcome(self) -> Outcome:
        """The outcome on the board."""
        return self._positions[-1].outcome

    @property
    def is_over(self) -> bool:
        """Whether the game has ended on the board."""
        return self._positions[-1].is_over

    @property
    def result(self) -> str:
        """`"1-0"` where Black wins, `"0-1"` where White does, `"1/2-1/2"` or `"*"`.

        It follows from the board where that is decided. Where it is not, it is the tag
        `Result`, for games that were resigned or adjudicated, or else `"*"`.
        """
        if self.is_over:
            return RESULTS[self.outcome]
        return self.tags.get("Result", "*")

    def positions(self) -> list[Position]:
        """Return the positions from the start to now, one more than turns played."""
        return self._positions.copy()

    def play(self, black: Cell, white: Cell) -> Position:
        """Play one turn, drop the tag `Result`, and return the new position.

        Raises what `Position.play` raises, and then nothing has changed.
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
        `IndexError` where no turn has been played in this game.
        """
        if not self._moves:
            raise IndexError("there is no turn to take back: the game is at its start position")
        for at in [at for at in self.comments if at >= len(self)]:
            del self.comments[at]
        self.tags.pop("Result", None)
        self._positions.pop()
        return self._moves.pop()

    def __len__(self) -> int:
        """Return the number of turns played in this game; without any it counts as false."""
        return len(self._moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._value() == other._value()

    def _value(self) -> tuple[object, ...]:
        """What makes games equal. The encoding of the start holds its turn, but no engine."""
        tags = {name: value for name, value in self.tags.items() if name != "Result"}
        return self.start.to_bytes(), self._moves, tags, self.result, self.comments

    def __str__(self) -> str:
        """Return the record, without a line end after the result.

        Raises `ValueError` for what a record cannot hold: a tag whose name has other
        characters than letters, digits and `_`, or whose value has a line end; a tag
        `Position`, for that is the start; a result that is none; a comment with `}`, or
        one that does not stand between the turns played. Raises `TypeError` for a tag's
        value or a comment that is no string.
        """
        return "\n".join((*_tag_lines(self), "", _wrap(_movetext(self))))

    def __repr__(self) -> str:
        return f"<Game turns={len(self)} result={self.result!r} position='{self.position}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.start, self.moves, self.tags, self.comments)


def _as_int(cell: Cell) -> Cell:
    """Return the index of a cell; what names none stays as it is, for `play` to refuse."""
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
    """Return a game of its own from what `Game.__reduce__` gives to `copy` and `pickle`."""
    game = Game(start)
    for black, white in moves:
        game.play(black, white)
    game.tags.update(tags)
    game.comments.update(comments)
    return game


# --- writing ----------------------------------------------------------------------------


def write_games(games: Iterable[Game], file: TextIO) -> None:
    """Write the records of `games` to an open text file, an empty line after each.

    Open the file with `encoding="utf-8"`, and with `newline=""` both here and for reading
    where comments hold carriage returns.

    Raises `TypeError` for what is no file, and at what is no game, `ValueError` at the
    first game that has no record; those before it are written.
    """
    if not hasattr(file, "write"):
        raise TypeError(f"expected an open text file to write to, not {type(file).__name__}")
    for game in games:
        if not isinstance(game, Game):
            raise TypeError(f"expected a Game to write, not {type(game).__name__}")
        file.write(f"{game}\n\n")


def _tag_lines(game: Game) -> Iterator[str]:
    for name, value in game.tags.items():
        if name == "Position":
            raise ValueError("tag 'Position' cannot be written: it is kept for the start position")
        for part in (name, value):
            if not isinstance(part, str):
                raise TypeError(f"tag {name!r} cannot be written: expected a str, not {part!r}")
        if not _TAG_NAME.fullmatch(name):
            raise ValueError(f"tag {name!r} cannot be written: expected letters, digits and '_'")
        if re.search(r"[\r\n]", value):
            raise ValueError(f"tag {name!r} cannot be written: {value!r} has a line end")
        if name != "Result":
            yield _tag_line(name, value)
    if str(game.start) != _EMPTY_BOARD:
        yield _tag_line("Position", str(game.start))
    yield _tag_line("Result", game.result)


def _tag_line(name: str, value: str) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    return f'[{name} "{escaped}"]'


def _movetext(game: Game) -> Iterator[str]:
    """Yield the words and the comments of the record in order; `ValueError` as `Game.__str__`."""
    if game.result not in RESULTS.values():
        raise ValueError(f"result {game.result!r} cannot be written: expected {_ANY_RESULT}")
    for at, comment in game.comments.items():
        if at not in range(len(game) + 1):
            raise ValueError(f"comment at {at!r} cannot be written: expected 0..{len(game)}")
        if not isinstance(comment, str):
            raise TypeError(f"comment at {at} cannot be written: expected a str, not {comment!r}")
        if "}" in comment:
            raise ValueError(f"comment at {at} cannot be written: {comment!r} has a '}}'")
    for at, (black, white) in enumerate(game.moves):
        yield from _comment(game, at)
        yield f"{_turn_number(game, at)}."
        yield CELL_NAMES[black]
        yield CELL_NAMES[white]
    yield from _comment(game, len(game))
    yield game.result


def _comment(game: Game, at: int) -> Iterator[str]:
    if at in game.comments:
        yield f"{{{game.comments[at]}}}"


def _turn_number(game: Game, at: int) -> int:
    """Return the number of the turn that follows `at` turns played in this game."""
    return game.start.turn + at + 1


def _wrap(tokens: Iterable[str]) -> str:
    """Join tokens by spaces, or by a line end where a line would grow too wide.

    A token stays as it is, too wide or with line ends of its own.
    """
    parts: list[str] = []
    column = -1
    for token in tokens:
        first, *others = token.split("\n")
        fits = column + 1 + len(first) <= _WIDTH
        parts += " " if fits else "\n", token
        column = len(others[-1]) if others else len(first) + (column + 1 if fits else 0)
    return "".join(parts[1:])


# --- reading ----------------------------------------------------------------------------


def read_games(source: str | TextIO) -> Iterator[Game]:
    """Yield the games of a text, or of an open text file, one by one as they are read.

    They are played in the compiled engine. The tag `Result` is kept in `tags` only where
    the board leaves the result open; several comments at one place are joined by a space.

    Raises `IllegalMoveError` for a turn that the rules do not allow, with the game and the
    turn; `ValueError` for any other fault, with the game, the line, what was found there
    and what was expected; `TypeError` for what is neither a text nor an open text file.

    >>> [game.result for game in read_games("1. e5 e5 0-1 1. a1 b2 *")]
    ['0-1', '*']
    """
    if not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(f"expected a record as a str or an open text file, not {kind}")
    reader = _Reader(StringIO(source) if isinstance(source, str) else source)
    while reader.more():
        yield reader.game()


_TAG: Final = "tag"
_WORD: Final = "word"
_COMMENT: Final = "comment"
_OPEN: Final = "open comment"
_END: Final = "end"


class _Token(NamedTuple):
    """A piece of a record: its kind, its text, and the line on which it begins."""

    kind: str
    text: str
    line: int


def _tokens(lines: Iterable[object]) -> Iterator[_Token]:
    """Yield the tokens of a text, at last an `_OPEN` if a comment never ends, and an `_END`."""
    comment: list[str] | None = None
    number = opened = 1
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str):
            raise TypeError("expected a file that is opened as text, not as bytes")
        text = line.removeprefix("\ufeff") if number == 1 else line
        if comment is None and text.lstrip().startswith("["):
            yield _Token(_TAG, text.strip(), number)
            continue
        for piece in re.findall("[{}]|[^{}]+", text):
            if comment is not None:
                if piece == "}":
                    yield _Token(_COMMENT, "".join(comment), opened)
                    comment = None
                else:
                    comment.append(piece)
            elif piece == "{":
                comment, opened = [], number
            else:
                # A turn's number may stand close to its first pick, as in "1.e5 e5".
                words = re.sub(r"(?<!\S)([0-9]+\.)(?=\S)", r"\1 ", piece).split()
                yield from (_Token(_WORD, word, number) for word in words)
    if comment is not None:
        yield _Token(_OPEN, "a comment without an end", opened)
    yield _Token(_END, "the end of the text", number)


class _Reader:
    """Reads the games of a text, one token ahead: `_token` is the next one."""

    _token: _Token

    def __init__(self, lines: Iterable[object]) -> None:
        self._tokens = _tokens(lines)
        self._number = 0

    def more(self) -> bool:
        """Go to what follows the last game, and return whether it is more than the end."""
        self._number += 1
        self._advance()
        return self._token.kind != _END

    def game(self) -> Game:
        """Read a game up to its result, and no line beyond: a pipe gives it at once."""
        start, tags = self._tags()
        tagged = tags.pop("Result", None)
        game = Game(start, tags)
        while not self._at_result(game):
            self._play_turn(game)
        result = self._token.text
        if game.is_over and result != game.result:
            raise self.unexpected(f"{game.result!r}, the result on the board")
        if tagged not in (None, result):
            raise self.unexpected(f"{tagged!r}, as in the tag Result")
        if result != game.result:
            game.tags["Result"] = result
        return game

    def unexpected(self, expected: str) -> ValueError:
        """Return the error of a token that stands where another was expected."""
        found = repr(self._token.text) if self._token.kind in (_TAG, _WORD) else self._token.text
        return self._fault(f"found {found}: expected {expected}")

    def _fault(self, message: object) -> ValueError:
        return ValueError(f"game {self._number}, line {self._token.line}: {message}")

    def _advance(self) -> None:
        self._token = next(self._tokens)
        if self._token.kind == _OPEN:
            raise self.unexpected("'}' to close it")

    def _tags(self) -> tuple[AnyPosition | None, dict[str, str]]:
        """Read the tag lines into the start position, if they give one, and the other tags."""
        start = None
        tags: dict[str, str] = {}
        while self._token.kind == _TAG:
            name, value = self._tag()
            if name in tags:
                raise self.unexpected(f"the tag {name} only once")
            if name == "Position":
                start = self._position(value)
            tags[name] = value
            self._advance()
        tags.pop("Position", None)
        return start, tags

    def _tag(self) -> tuple[str, str]:
        match = _TAG_LINE.fullmatch(self._token.text)
        if match is None:
            raise self.unexpected('[Name "value"]')
        name, value = match[1], re.sub(r"\\(.)", r"\1", match[2])
        if name == "Result" and value not in RESULTS.values():
            raise self.unexpected(_ANY_RESULT)
        return name, value

    def _position(self, text: str) -> Position:
        try:
            return Position.from_string(text)
        except ValueError as error:
            raise self._fault(error) from None

    def _at_result(self, game: Game) -> bool:
        """Return whether the result comes next; otherwise it is the number of the next turn."""
        number = f"{_turn_number(game, len(game))}."
        text = self._text_after_comments(game)
        if text != number and text not in RESULTS.values():
            raise self.unexpected(f"{number!r} or {_ANY_RESULT}")
        return text != number

    def _play_turn(self, game: Game) -> None:
        self._advance()
        black = self._pick(game, "Black")
        white = self._pick(game, "White")
        try:
            game.play(black, white)
        except IllegalMoveError as error:
            turn = _turn_number(game, len(game))
            raise IllegalMoveError(f"game {self._number}, turn {turn}: {error}") from None

    def _pick(self, game: Game, player: str) -> int:
        try:
            cell = cell_index(self._text_after_comments(game))
        except ValueError:
            raise self.unexpected(f"{player}'s pick, a cell such as 'e5'") from None
        self._advance()
        return cell

    def _text_after_comments(self, game: Game) -> str:
        """Leave the comments that come next with the game; return what stands behind them.

        That may be a tag or the end, but their texts are no number, pick or result.
        """
        while self._token.kind == _COMMENT:
            before = game.comments.get(len(game))
            text = self._token.text
            game.comments[len(game)] = text if before is None else f"{before} {text}"
            self._advance()
        return self._token.text
