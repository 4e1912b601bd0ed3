"""Pictures: a position as a small SVG document.

A notebook shows many pictures on one page, which share style sheets and ids. So there is no
style sheet, and an id names the same drawing in every document.
"""

from collections.abc import Iterator
from typing import Final

from wts_fast import notation
from wts_fast.types import BLACK, CELLS, SIZE, WHITE, AnyPosition, check_position

_CELL: Final = 40
_MARGIN: Final = 20
_WATER_SIDE: Final = SIZE * _CELL
_SIDE: Final = _WATER_SIDE + 2 * _MARGIN

_FRAME: Final = "#17495a"
_LABEL: Final = "#e6f2f0"
_WATER: Final = "#a8d4cc"
_DARK_WATER: Final = "#96c7bf"

_TURTLES: Final = {BLACK: "wts-black", WHITE: "wts-white"}


def board(position: AnyPosition) -> str:
    """Return a picture of a position of either engine: the text of an SVG document.

    The title is the position string, and eggs are numbered in hatching order, 1 is the
    oldest. Each piece is a group of class `wts-black`, `wts-white` or `wts-egg` whose
    `data-cell` is the name of its cell. Raises `TypeError` for anything but
    a position.
    """
    check_position(position)
    contents, eggs = position.to_array().tobytes(), position.eggs
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIDE} {_SIDE}" width="{_SIDE}" '
        f'height="{_SIDE}" role="img" font-family="sans-serif" text-anchor="middle">',
        f"<title>{notation.format_position(contents, eggs, position.turn)}</title>",
        "<defs>",
        _turtle_drawing("wts-black", "#0d1513", "#4d6257", "#1c2925", "#788e83", "#f2f5ee"),
        _turtle_drawing("wts-white", "#45453c", "#f1e9d3", "#fffef8", "#978f78", "#33332c"),
        _EGG_DRAWING,
        "</defs>",
        *_water(),
        *_labels(),
        *_turtles(contents),
        *_eggs(eggs),
        "</svg>\n",
    )
    return "\n".join(lines)


# --- drawings, around (0, 0) ------------------------------------------------------------


def _turtle_drawing(name: str, outline: str, skin: str, shell: str, seams: str, eyes: str) -> str:
    return f"""\
<g id="{name}" fill="{skin}" stroke="{outline}" stroke-width="1.2" stroke-linejoin="round">
<path d="M-3 13L0 18.2L3 13z"/>
<ellipse cy="-12.4" rx="4.6" ry="5.2"/>
<ellipse rx="6.4" ry="3.6" transform="translate(-11.5 -7.5) rotate(40)"/>
<ellipse rx="6.4" ry="3.6" transform="translate(11.5 -7.5) rotate(-40)"/>
<ellipse rx="5.4" ry="3.4" transform="translate(-10 11) rotate(-45)"/>
<ellipse rx="5.4" ry="3.4" transform="translate(10 11) rotate(45)"/>
<ellipse cy="2" rx="12" ry="12.4" fill="{shell}"/>
<path d="M-4 -4H4L7.5 2L4 8H-4L-7.5 2zM-4 -4L-7 -8M4 -4L7 -8M7.5 2H12M4 8L7 12M-4 8L-7 12M-7.5 2\
H-12" fill="none" stroke="{seams}"/>
<circle cx="-2" cy="-14" r="0.9" fill="{eyes}" stroke="none"/>
<circle cx="2" cy="-14" r="0.9" fill="{eyes}" stroke="none"/>
</g>"""


_EGG_DRAWING: Final = """\
<g id="wts-egg" fill="#ffd27a" stroke="#70430f" stroke-width="1.2">
<path d="M0 -17.5C9 -17.5 15 -5 15 3C15 12 9 17 0 17S-15 12 -15 3C-15 -5 -9 -17.5 0 -17.5z"/>
<path d="M-9.5 -6C-8 -10 -6 -12.5 -3.5 -14" fill="none" stroke="#fff1cf" stroke-width="2" \
stroke-linecap="round"/>
</g>"""


# --- the board and its pieces -----------------------------------------------------------


def _center(cell: int) -> tuple[int, int]:
    row, column = divmod(cell, SIZE)
    return _MARGIN + _CELL * column + _CELL // 2, _MARGIN + _CELL * row + _CELL // 2


def _text(x: int, y: int, text: object) -> str:
    return f'<text x="{x}" y="{y}">{text}</text>'


def _water() -> Iterator[str]:
    yield f'<rect width="{_SIDE}" height="{_SIDE}" rx="10" fill="{_FRAME}"/>'
    yield (
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{_WATER_SIDE}" height="{_WATER_SIDE}" '
        f'fill="{_WATER}"/>'
    )
    corners = ((x - _CELL // 2, y - _CELL // 2) for x, y in map(_center, range(1, CELLS, 2)))
    squares = "".join(f"M{x} {y}h{_CELL}v{_CELL}h-{_CELL}z" for x, y in corners)
    yield f'<path d="{squares}" fill="{_DARK_WATER}"/>'


def _labels() -> Iterator[str]:
    yield f'<g fill="{_LABEL}" font-size="15">'
    for i in range(SIZE):
        middle, _ = _center(i)
        for edge in (_MARGIN // 2, _SIDE - _MARGIN // 2):
            yield _text(middle, edge + 5, notation.CELL_NAMES[i][0])
            yield _text(edge, middle + 5, i + 1)
    yield "</g>"


def _turtles(contents: bytes) -> Iterator[str]:
    for cell, content in enumerate(contents):
        if content in _TURTLES:
            yield _piece(_TURTLES[content], cell)


def _eggs(eggs: tuple[int, ...]) -> Iterator[str]:
    yield '<g fill="#3f2504" font-size="18" font-weight="bold">'
    for number, cell in enumerate(eggs, start=1):
        x, y = _center(cell)
        yield _piece("wts-egg", cell, _text(x, y + 7, number))
    yield "</g>"


def _piece(name: str, cell: int, number: str = "") -> str:
    x, y = _center(cell)
    return (
        f'<g class="{name}" data-cell="{notation.CELL_NAMES[cell]}">'
        f'<use href="#{name}" x="{x}" y="{y}"/>{number}</g>'
    )
