"""Imports of and by compiled modules, which `lint-imports` does not see."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
FOLDERS = ("position", "batch", "search")
"""The folders of the source: each takes from itself and those before it."""

SHARED = {"core", "notation", "randomness", "symmetry", "threads", "types"}
"""What the core may import of the package."""

BESIDE_OR_BELOW = sorted(
    [
        *(ROOT / "wts_fast" / "reference").glob("*.py"),
        *(ROOT / "wts_fast" / f"{name}.py" for name in SHARED - {"core"}),
    ]
)
"""The Python files of the package that must not import the core."""

FILES = sorted(path for kind in ("pyx", "pxd", "pxi") for path in SOURCE.rglob(f"*.{kind}"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_source_file_imports_from_below(path):
    text = path.read_text(encoding="utf-8")
    of_package = re.findall(r"^from wts_fast\.(\w+)[\w.]* c?import", text, re.MULTILINE)
    of_package += re.findall(r"^from wts_fast import (\w+)", text, re.MULTILINE)
    assert set(of_package) <= SHARED
    folder = path.relative_to(SOURCE).parts[0]
    others = re.findall(r"^from (\w+)[\w.]* cimport", text, re.MULTILINE)
    reached = {other for other in others if other in FOLDERS}
    assert reached <= set(FOLDERS[: FOLDERS.index(folder) + 1])


@pytest.mark.parametrize("path", BESIDE_OR_BELOW, ids=lambda path: path.name)
def test_a_file_beside_or_below_the_core_does_not_import_it(path):
    assert not re.search(
        r"import.*\bcore\b|wts_fast\.core\.\w+ import", path.read_text(encoding="utf-8")
    )


def test_every_folder_has_files():
    assert {path.relative_to(SOURCE).parts[0] for path in FILES} == set(FOLDERS)
