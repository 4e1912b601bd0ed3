"""The picture in docs/ shows the figures in benchmarks/peers.json."""

import json

import picture


def test_the_same_figures_give_the_same_picture(tmp_path):
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    picture.main(first)
    picture.main(second)
    assert first.read_bytes() == second.read_bytes()


def test_the_picture_shows_the_figures():
    """Versions of matplotlib draw differently, but the text is the same."""
    drawn = picture.PICTURE.read_text(encoding="utf-8")
    measured = json.loads(picture.FIGURES.read_text(encoding="utf-8"))
    for row in measured["rows"]:
        assert f">{row['name']}</text>" in drawn
        assert f">{picture.label_of(row)}</text>" in drawn
    for line in picture.caption_of(measured["machine"]).splitlines():
        assert f">{line}<" in drawn


def test_numbers_are_rounded_as_people_read_them():
    numbers = [1_218_016.4, 38_233.0, 934.4, 46.4, 2.4]
    assert [picture.rounded(number) for number in numbers] == [
        "1,220,000",
        "38,200",
        "934",
        "46",
        "2.4",
    ]
