"""The picture of an arena: a ladder of Elo ratings and the win matrix, one row for each player."""

from collections.abc import Iterator
from html import escape
from math import ceil, floor, log10
from typing import Final

import numpy as np
import numpy.typing as npt

from wts_fast.arena.ratings import Z
from wts_fast.arena.report import Report
from wts_fast.types import shown

_ROW: Final = 40
_CELL: Final = 60  # the width of one of the matrix
_TOP: Final = 64
_BOTTOM: Final = 48
_GAP: Final = 24
_AXIS: Final = 320
_LETTER: Final = 8  # a letter's width, rather too wide than too narrow

_INK: Final = "#17303a"
_FAINT: Final = "#5d727b"
_GRID: Final = "#d9e2e3"
_ACCENT: Final = "#17495a"
_NONE: Final = "#eceff0"
_LOST, _EVEN, _WON = (238, 155, 90), (247, 247, 242), (88, 179, 165)


def picture(report: Report) -> str:
    """Return a picture of the report: the text of an SVG document.

    Players stand from the strongest down. The ladder has a dot at each one's Elo rating and a
    bar over its 95 % interval, against the player who was given first. The matrix has the
    mean score in percent of the row's player against the column's, and its 95 % interval.
    Each player's row is a group of class `wts-player` whose `data-name` is the name.
    """
    elo, errors = report.elo()
    order = np.argsort(-elo, kind="stable").tolist()
    labels = [_plain(name) for name in report.names]
    left = 2 * _GAP + _LETTER * max(len(f"{len(order)}  {label}") for label in labels)
    labels = [escape(label) for label in labels]
    scale = _Scale(elo - Z * errors, elo + Z * errors, left)
    matrix = left + _AXIS + _GAP
    width = matrix + _CELL * len(order) + _GAP
    height = _TOP + _ROW * len(order) + _BOTTOM
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="14" '
        f'fill="{_INK}">',
        f"<title>{_title(report)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_heads(report, left, matrix, len(order)),
        *_grid(scale, len(order)),
        *(
            line
            for place, number in enumerate(order)
            for line in (
                f'<g class="wts-player" data-name="{labels[number]}">',
                _text(_GAP, _middle(place), f"{place + 1}  {labels[number]}"),
                *_rating(scale, place, elo[number], errors[number]),
                *_scores(report, order, place, matrix),
                "</g>",
            )
        ),
        "</svg>\n",
    )
    return "\n".join(lines)


def _plain(name: str) -> str:
    """Return a name as XML can hold it, cut where it is very long."""
    return shown("".join(sign if sign.isprintable() else "?" for sign in name))


def _title(report: Report) -> str:
    games = report.pairs[0].games
    return f"{len(report.names)} players, {games} games a pair, seed {report.seed}"


def _middle(place: int) -> int:
    return _TOP + _ROW * place + _ROW // 2


def _text(x: float, middle: float, text: str, style: str = "") -> str:
    """Return a line of text whose letters stand around `middle`."""
    return f'<text x="{x:.4g}" y="{middle + 5:.4g}"{style}>{text}</text>'


_CENTERED: Final = ' text-anchor="middle"'
_SMALL: Final = f' text-anchor="middle" font-size="11" fill="{_FAINT}"'


def _heads(report: Report, left: int, matrix: int, players: int) -> Iterator[str]:
    yield _text(_GAP, 24, _title(report), f' font-size="12" fill="{_FAINT}"')
    first = escape(_plain(report.names[0]))
    yield _text(left, 48, f"Elo, {first} = 0", ' font-weight="bold"')
    yield _text(matrix, 24, "score against, %", ' font-weight="bold"')
    for place in range(players):
        yield _text(matrix + _CELL * place + _CELL / 2, 48, str(place + 1), _CENTERED)


# --- the ladder -------------------------------------------------------------------------


class _Scale:
    """Where an Elo rating stands in the picture."""

    def __init__(
        self, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], left: int
    ) -> None:
        least, most = float(low.min()), float(high.max())
        magnitude = 10.0 ** floor(log10((most - least) / 5))
        step = next(
            factor * magnitude for factor in (1, 2, 5, 10) if factor * magnitude * 5 >= most - least
        )
        self.step: float = step
        self.first, self.last = floor(least / step), ceil(most / step)
        self._left = left

    def x(self, elo: float) -> float:
        """Return the place from the left of an Elo rating."""
        return self._left + _AXIS * (elo / self.step - self.first) / (self.last - self.first)


def _grid(scale: _Scale, players: int) -> Iterator[str]:
    bottom = _TOP + _ROW * players
    for tick in range(scale.first, scale.last + 1):
        elo = tick * scale.step
        x = scale.x(elo)
        color = _GRID if tick else _FAINT
        yield f'<path d="M{x:.1f} {_TOP}V{bottom}" stroke="{color}"/>'
        yield _text(x, bottom + 16, f"{elo:g}", _SMALL)


def _rating(scale: _Scale, place: int, elo: float, error: float) -> Iterator[str]:
    y = _middle(place)
    low, high = scale.x(elo - Z * error), scale.x(elo + Z * error)
    if error:  # the first player's rating is 0 by agreement
        ends = f"M{low:.1f} {y - 5}v10M{low:.1f} {y}H{high:.1f}M{high:.1f} {y - 5}v10"
        yield f'<path d="{ends}" stroke="{_ACCENT}" stroke-width="2" fill="none"/>'
    yield (
        f'<circle cx="{scale.x(elo):.1f}" cy="{y}" r="5" fill="{_ACCENT}">'
        f"<title>{elo:+.0f} ± {Z * error:.0f}</title></circle>"
    )


# --- the matrix -------------------------------------------------------------------------


def _scores(report: Report, order: list[int], place: int, left: int) -> Iterator[str]:
    scores = report.scores()[order[place], order]
    intervals = report.intervals()[order[place], order]
    y = _middle(place)
    for column, (score, (low, high)) in enumerate(zip(scores, intervals, strict=True)):
        x = left + _CELL * column
        met = column != place
        yield (
            f'<rect x="{x}" y="{y - _ROW // 2}" width="{_CELL}" height="{_ROW}" '
            f'fill="{_heat(score) if met else _NONE}" stroke="#ffffff"/>'
        )
        if met:
            yield _text(x + _CELL / 2, y - 6, f"{100 * score:.1f}", _CENTERED)
            spread = f"{100 * low:.0f} – {100 * high:.0f}"
            yield _text(x + _CELL / 2, y + 8, spread, _SMALL.replace(_FAINT, _INK))


def _heat(score: float) -> str:
    """Return the color of a mean score: even is pale, and either end a color of its own."""
    end = _WON if score > 0.5 else _LOST
    share = abs(2 * score - 1)
    mixed = (
        round((1 - share) * pale + share * full) for pale, full in zip(_EVEN, end, strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
