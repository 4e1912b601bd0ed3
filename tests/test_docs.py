"""Every example in the documentation runs, with the output shown."""

import doctest
import re
from pathlib import Path

import pytest

from wts_fast import Position, svg
from wts_fast.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_run(page):
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted == page.read_text(encoding="utf-8").count(">>> ")
    assert result.failed == 0


def test_the_readme_names_every_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = set(re.findall(r"^    (\w+)", capsys.readouterr().out, flags=re.MULTILINE))
    table = re.findall(r"^\| `wts-fast (\w+)", PAGES[0].read_text(encoding="utf-8"), re.MULTILINE)
    assert set(table) == commands
    assert len(table) == 8


def test_the_page_of_rules_has_every_id_that_the_engines_name():
    ids = r"\b(?:B[12]|T[1-3]|E[12]|C[1-6]|H[1-5]|W[1-3]|S[12]|D1|R[1-8])\b"
    listed = re.findall(
        rf"^\| ({ids}) \|", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(listed) == len(set(listed)) == 32
    engines = [
        "wts_fast/reference/rules.py",
        "wts_fast/core/rules.pxd",
        "src/batch/kernel/kernel.pxi",
        "src/batch/lines.pxd",
    ]
    for path in engines:
        named = set(re.findall(ids, (ROOT / path).read_text(encoding="utf-8")))
        assert named
        assert named <= set(listed)


def test_the_pictures_show_the_turn_that_the_readme_tells():
    before = Position.from_string("bww5e/9/8e/9/4ewwb1/4w4/4w4/4b4/9 e5,i1,i3 0")
    assert str(before) in PAGES[0].read_text(encoding="utf-8")
    for name, position in (("before", before), ("after", before.play("d1", "a9"))):
        drawn = (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn == svg.board(position)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    for target in targets:
        assert (page.parent / target).exists(), target
