"""The picture of an arena: what stands where, read back from the SVG text."""

import xml.etree.ElementTree as ET

import pytest

from wts_fast.arena import Counts, Pair, Report, picture

SVG = "{http://www.w3.org/2000/svg}"


def report_of(names, *pairs):
    return Report(
        seed=1,
        max_turns=400,
        openings=0,
        names=tuple(names),
        pairs=tuple(Pair(*pair) for pair in pairs),
        pentanomials=((0,) * 5,) * len(pairs),
        timings=(),
        failures=(),
        counts=Counts(0, 0, 0, 0),
        sprt=None,
        games=(),
    )


MIDDLING, STRONG, WEAK = "middling", 'a "strong" <one> & more', "weak\x07 bell"
THREE = report_of(
    (MIDDLING, STRONG, WEAK), (0, 1, 2, 6, 2, 0), (0, 2, 9, 1, 0, 0), (1, 2, 10, 0, 0, 0)
)


def rows_of(report):
    return ET.fromstring(picture(report)).findall(f"{SVG}g[@class='wts-player']")


def texts(row):
    return [text.text for text in row.findall(f"{SVG}text")]


def test_the_strongest_stands_on_top_with_its_name_and_scores():
    rows = rows_of(THREE)
    assert [row.get("data-name") for row in rows] == [STRONG, MIDDLING, "weak? bell"]
    assert texts(rows[0]) == [f"1  {STRONG}", "70.0", "40 – 89", "100.0", "72 – 100"]
    assert texts(rows[1]) == ["2  middling", "30.0", "11 – 60", "90.0", "60 – 98"]
    assert texts(rows[2]) == ["3  weak? bell", "0.0", "0 – 28", "10.0", "2 – 40"]


def test_ratings_stand_on_the_scale_in_proportion():
    elo, errors = THREE.elo()
    dots = {
        row.get("data-name"): float(row.find(f"{SVG}circle").attrib["cx"]) for row in rows_of(THREE)
    }
    ticks = {}
    for text in ET.fromstring(picture(THREE)).findall(f"{SVG}text[@font-size='11']"):
        ticks[float(text.text)] = float(text.attrib["x"])
    a_point = (max(ticks.values()) - min(ticks.values())) / (max(ticks) - min(ticks))
    assert dots[MIDDLING] == pytest.approx(ticks[0], abs=0.6)
    assert dots[STRONG] == pytest.approx(ticks[0] + elo[1] * a_point, abs=0.6)
    assert dots["weak? bell"] == pytest.approx(ticks[0] + elo[2] * a_point, abs=0.6)
    assert min(ticks) <= min(elo - 1.96 * errors)
    assert max(ticks) >= max(elo + 1.96 * errors)
    assert 3 <= len(ticks) <= 8


def test_only_the_first_player_has_no_error_bar():
    bars = {row.get("data-name"): len(row.findall(f"{SVG}path")) for row in rows_of(THREE)}
    assert bars == {STRONG: 1, MIDDLING: 0, "weak? bell": 1}


def test_colors_tell_who_scores_more():
    def channels(rect):
        color = rect.attrib["fill"]
        return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))

    rows = [list(map(channels, row.findall(f"{SVG}rect"))) for row in rows_of(THREE)]
    assert rows[0][2] == (88, 179, 165)  # 100 %
    assert rows[2][0] == (238, 155, 90)  # 0 %
    red, green, _ = rows[0][1]  # 70 %
    assert 88 < red < green < 247
    even = rows_of(report_of("ab", (0, 1, 1, 1, 0, 0)))[0]
    assert channels(even.findall(f"{SVG}rect")[1]) == (247, 247, 242)


@pytest.mark.parametrize("games", [1, 10, 10**6])
@pytest.mark.parametrize("players", [2, 12])
def test_any_report_has_a_picture_inside_its_frame(games, players):
    pairs = [(i, j, games, 0, 0, 0) for i in range(players) for j in range(i + 1, players)]
    root = ET.fromstring(picture(report_of(["long name " * 9] * players, *pairs)))
    width, height = (int(root.attrib[name]) for name in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {width} {height}"
    assert root.get("role") == "img"
    assert root[0].text == f"{players} players, {games} games a pair, seed 1"
    for element in root.iter():
        if "x" in element.attrib:
            assert 0 <= float(element.attrib["x"]) <= width
            assert 0 <= float(element.attrib["y"]) <= height
