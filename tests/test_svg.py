"""The pictures of `wts_fast.svg`: the pieces and their cells, read from the SVG text."""

import random
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import pytest

import wts_fast
from wts_fast import reference, svg

ENGINES = [
    pytest.param(wts_fast.Position, id="core"),
    pytest.param(reference.Position, id="reference"),
]
SVG = "{http://www.w3.org/2000/svg}"
CLASSES = {1: "wts-black", 2: "wts-white", 3: "wts-egg"}
MIDGAME = "9/1be6/9/4e4/3wbbe2/9/9/9/b7w g5,c2,e4 12"


def random_text(seed: int) -> str:
    """Return the string of a random position: any number of pieces, up to a full board."""
    rng = random.Random(seed)
    cells = rng.sample(range(81), rng.randint(0, 81) if seed else 81)
    i, j = sorted(rng.randint(0, len(cells)) for _ in range(2))
    position = reference.Position.from_cells(
        cells[:i], cells[i:j], cells[j:], rng.randint(0, 2**32 - 1)
    )
    return str(position)


ALL_EGGS = str(reference.Position.from_cells((), (), random.Random(81).sample(range(81), 81)))
TEXTS = ["9/9/9/9/9/9/9/9/9 - 0", MIDGAME, ALL_EGGS, *map(random_text, range(40))]


def root_of(position: Any) -> ET.Element:
    return ET.fromstring(svg.board(position))


def pieces(root: ET.Element) -> list[ET.Element]:
    return [element for element in root.iter() if "data-cell" in element.attrib]


def piece(root: ET.Element, cell: str) -> ET.Element:
    (found,) = (element for element in pieces(root) if element.get("data-cell") == cell)
    return found


def place(element: ET.Element) -> tuple[int, int]:
    return int(element.attrib["x"]), int(element.attrib["y"])


def use_of(element: ET.Element) -> ET.Element:
    (use,) = element.findall(f"{SVG}use")
    return use


def number_of(element: ET.Element) -> str | None:
    return element.findtext(f"{SVG}text")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", TEXTS)
def test_every_piece_is_drawn_once_as_what_it_is(engine: Any, text: str) -> None:
    position = engine.from_string(text)
    drawn = Counter((p.get("data-cell"), p.get("class")) for p in pieces(root_of(position)))
    contents = position.to_array().ravel().tolist()
    expected = {(wts_fast.cell_name(i), CLASSES[c]) for i, c in enumerate(contents) if c}
    assert drawn == Counter(expected)


@pytest.mark.parametrize("text", TEXTS)
def test_a_piece_uses_the_drawing_of_its_class(text: str) -> None:
    for element in pieces(root_of(reference.Position.from_string(text))):
        assert use_of(element).get("href") == f"#{element.get('class')}"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("a1", (40, 40)),
        ("b1", (80, 40)),
        ("a2", (40, 80)),
        ("i1", (360, 40)),
        ("e5", (200, 200)),
        ("a9", (40, 360)),
        ("i9", (360, 360)),
    ],
)
@pytest.mark.parametrize("kind", ["black", "white", "eggs"])
def test_row_1_is_on_top_and_column_a_on_the_left(
    kind: str, cell: str, expected: tuple[int, int]
) -> None:
    cells: dict[str, Any] = {"black": (), "white": (), kind: (cell,)}
    position = reference.Position.from_cells(**cells)
    assert place(use_of(piece(root_of(position), cell))) == expected


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_stand_on_the_centers_of_their_cells(text: str) -> None:
    for element in pieces(root_of(reference.Position.from_string(text))):
        row, column = divmod(wts_fast.cell_index(element.attrib["data-cell"]), 9)
        assert place(use_of(element)) == (40 + 40 * column, 40 + 40 * row)


@pytest.mark.parametrize("engine", ENGINES)
def test_eggs_are_numbered_in_hatching_order_from_1(engine: Any) -> None:
    root = root_of(engine.from_string(MIDGAME))
    assert [number_of(piece(root, cell)) for cell in ("g5", "c2", "e4")] == ["1", "2", "3"]


@pytest.mark.parametrize("text", TEXTS)
def test_exactly_the_eggs_bear_numbers_each_on_its_egg(text: str) -> None:
    position = reference.Position.from_string(text)
    elements = pieces(root_of(position))
    numbered = {e.get("data-cell"): number_of(e) for e in elements if number_of(e)}
    names = map(wts_fast.cell_name, position.eggs)
    assert numbered == {name: str(n) for n, name in enumerate(names, start=1)}
    for element in elements:
        for label in element.findall(f"{SVG}text"):
            (x, y), (middle, center) = place(label), place(use_of(element))
            assert x == middle
            assert center < y < center + 20


@pytest.mark.parametrize("text", TEXTS)
def test_both_engines_give_the_same_text(text: str) -> None:
    core, plain = wts_fast.Position.from_string(text), reference.Position.from_string(text)
    assert svg.board(core) == svg.board(plain) == svg.board(core)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", TEXTS)
def test_the_title_is_the_position_string_and_comes_first(engine: Any, text: str) -> None:
    root = root_of(engine.from_string(text))
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == text


def test_pictures_follow_a_game_turn_by_turn() -> None:
    rng = random.Random(5)
    position = wts_fast.Position()
    while not position.is_over:
        picks = rng.choices(position.legal_moves(), k=2)
        position = position.play(*picks)
        root = root_of(position)
        assert root.findtext(f"{SVG}title") == str(position)
        assert len(pieces(root)) == 81 - position.empty.bit_count()


@pytest.mark.parametrize("engine", ENGINES)
def test_notebooks_show_the_picture(engine: Any) -> None:
    position = engine.from_string(MIDGAME)
    assert position._repr_svg_() == svg.board(position)


def test_it_is_an_accessible_picture_that_scales() -> None:
    root = root_of(wts_fast.Position())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("viewBox") == "0 0 400 400"
    assert (root.get("width"), root.get("height")) == ("400", "400")


def test_columns_are_labelled_above_and_below_and_rows_on_both_sides() -> None:
    root = root_of(wts_fast.Position())
    labels = Counter((text.text, *place(text)) for text in root.iter(f"{SVG}text"))
    expected = []
    for i, letter in enumerate("abcdefghi"):
        middle = 40 + 40 * i
        expected += [(letter, middle, 15), (letter, middle, 395)]
        expected += [(str(i + 1), 10, middle + 5), (str(i + 1), 390, middle + 5)]
    assert labels == Counter(expected)


def test_it_has_its_own_background() -> None:
    root = root_of(wts_fast.Position())
    background = next(element for element in root if element.tag == f"{SVG}rect")
    assert (background.get("width"), background.get("height")) == ("400", "400")
    assert str(background.get("fill")).startswith("#")


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_comes_from_outside(text: str) -> None:
    root = root_of(reference.Position.from_string(text))
    ids = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert {element.get("href") for element in root.iter(f"{SVG}use")} <= ids
    assert svg.board(reference.Position.from_string(text)).count("http") == 1  # the namespace


def test_pictures_on_one_page_leave_each_other_alone() -> None:
    roots = [root_of(reference.Position.from_string(text)) for text in TEXTS]
    definitions = {ET.tostring(root[1]) for root in roots}
    assert roots[0][1].tag == f"{SVG}defs"
    assert len(definitions) == 1
    for root in roots:
        ids = {element.get("id") for element in root.iter()} - {None}
        assert ids == {"wts-black", "wts-egg", "wts-white"}
        assert [element.get("id") for element in root[1]] == ["wts-black", "wts-white", "wts-egg"]
        assert not list(root.iter(f"{SVG}style"))


def test_the_two_turtles_differ_in_every_color_even_in_gray() -> None:
    black, white, _ = root_of(wts_fast.Position())[1]

    def shell_gray(turtle: ET.Element) -> float:
        shell = turtle.findall(f"{SVG}ellipse")[-1].attrib["fill"]
        red, green, blue = (int(shell[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    assert shell_gray(black) < 0.2
    assert shell_gray(white) > 0.9


def test_a_full_board_stays_small() -> None:
    assert len(svg.board(reference.Position.from_string(ALL_EGGS))) < 16_000


def test_what_is_no_position():
    with pytest.raises(TypeError, match="expected a Position of either engine, not str"):
        svg.board("9/9")
