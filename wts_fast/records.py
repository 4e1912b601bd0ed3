"""The text format of records: writing and reading games.

A record is similar to PGN: one tag per line, an empty line, the turns with Black's pick first,
and the result. Comments are in braces.

    [Black "Ada"]
    [White "Grace"]
    [Result "1-0"]

    1. e5 e5 2. d4 f6 {White resigns.} 1-0

`Result` is the game's result. A start position other than the empty board is written in the
tag `Position`, and turn numbers continue from its turn: the first is one higher than the
number of turns completed there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from wts_fast.core.position import Position
from wts_fast.notation import CELL_NAMES, cell_index
from wts_fast.types import AnyPosition, IllegalMoveError, Outcome

if TYPE_CHECKING:
    from wts_fast.game import Game

RESULTS: Final = {
    Outcome.UNDECIDED: "*",
    Outcome.BLACK_WINS: "1-0",
    Outcome.WHITE_WINS: "0-1",
    Outcome.DRAW: "1/2-1/2",
}
"""The result in a record, by outcome."""

_ANY_RESULT: Final = "a result: " + ", ".join(RESULTS.values())

_WIDTH: Final = 80
_EMPTY_BOARD: Final = str(Position())
_TAG_NAME: Final = re.compile("[A-Za-z0-9_]+")
_TAG_LINE: Final = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\["\\])*)"\]')


# --- writing ----------------------------------------------------------------------------


def format_game(game: Game) -> str:
    """Return the record of a game, the same as `str(game)`; raises what that raises."""
    return "\n".join((*_tag_lines(game), "", _wrap(_movetext(game))))


def _tag_lines(game: Game) -> Iterator[str]:
    for name, value in game.tags.items():
        if name == "Position":
            raise ValueError(
                "tag 'Position' cannot be written: it is reserved for the start position"
            )
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

    A token is never broken: it may be too wide, or contain line ends.
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
    """Yield the tokens of a text; at the end `_OPEN` if a comment is not closed, then `_END`."""
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
                # No space is needed between a turn's number and its first pick, as in "1.e5 e5".
                words = re.sub(r"(?<!\S)([0-9]+\.)(?=\S)", r"\1 ", piece).split()
                yield from (_Token(_WORD, word, number) for word in words)
    if comment is not None:
        yield _Token(_OPEN, "a comment without an end", opened)
    yield _Token(_END, "the end of the text", number)


class Reader:
    """Reads the games of a text, one token ahead: `_token` is the next one.

    `new_game` makes a game from a start position, or `None`, and tags.
    """

    _token: _Token

    def __init__(
        self,
        lines: Iterable[object],
        new_game: Callable[[AnyPosition | None, dict[str, str]], Game],
    ) -> None:
        self._new_game = new_game
        self._tokens = _tokens(lines)
        self._number = 0

    def more(self) -> bool:
        """Advance to the next game, and return whether there is one."""
        self._number += 1
        self._advance()
        return self._token.kind != _END

    def game(self) -> Game:
        """Read a game up to its result, and no further line, which a pipe might not have yet."""
        start, tags = self._tags()
        tagged = tags.pop("Result", None)
        game = self._new_game(start, tags)
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
        """Return the error for the current token, where `expected` was expected."""
        found = repr(self._token.text) if self._token.kind in (_TAG, _WORD) else self._token.text
        return self._fault(f"found {found}: expected {expected}")

    def _fault(self, message: object) -> ValueError:
        return ValueError(f"game {self._number}, line {self._token.line}: {message}")

    def _advance(self) -> None:
        self._token = next(self._tokens)
        if self._token.kind == _OPEN:
            raise self.unexpected("'}' to close it")

    def _tags(self) -> tuple[AnyPosition | None, dict[str, str]]:
        """Read the tag lines; return the start position, or `None`, and the other tags."""
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
        """Return whether the result comes next, not the number of the next turn."""
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
            place = f"game {self._number}, turn {turn}"
            raise error.in_game(self._number, place) from None

    def _pick(self, game: Game, player: str) -> int:
        try:
            cell = cell_index(self._text_after_comments(game))
        except ValueError:
            raise self.unexpected(f"{player}'s pick, a cell such as 'e5'") from None
        self._advance()
        return cell

    def _text_after_comments(self, game: Game) -> str:
        """Add the comments that come next to the game; return the text after them.

        That may be a tag or the end, whose texts are not a number, pick or result.
        """
        while self._token.kind == _COMMENT:
            before = game.comments.get(len(game))
            text = self._token.text
            game.comments[len(game)] = text if before is None else f"{before} {text}"
            self._advance()
        return self._token.text
