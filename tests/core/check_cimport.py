"""Cython code of others, built against the installed package.

It needs Cython and a C compiler, so it runs only where it is named, as .ci/run does:

    pytest tests/check_cimport.py
"""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Distribution, Extension

import wts_fast

SOURCE = """
from wts_fast.core.position cimport Position, wrap
from wts_fast.core.bitboard cimport bit_of
from wts_fast.core.rules cimport play_turn, position_t


def play(Position position not None, int black, int white):
    cdef position_t state = position.state
    play_turn(&state, bit_of(black), bit_of(white))
    return wrap(&state)
"""


def test_turn_is_played_on_the_struct(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("outsider.pyx").write_text(SOURCE)
    modules = cythonize([Extension("outsider", ["outsider.pyx"])], language_level=3)
    distribution = Distribution({"ext_modules": modules})
    distribution.get_command_obj("build_ext").inplace = True
    distribution.run_command("build_ext")
    monkeypatch.syspath_prepend(tmp_path)
    import outsider

    position = wts_fast.Position.from_string("9/9/9/9/bww6/9/9/9/9 - 0")
    assert outsider.play(position, 39, 80) == position.play("d5", "i9")
