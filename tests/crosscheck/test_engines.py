"""Engines that are asked by a JSON object a line: what they answer, and what they do instead."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mutants import MUTANTS

from wts_fast import Position, cell_index, conformance, crosscheck, reference
from wts_fast.cli.main import main
from wts_fast.crosscheck import (
    ClassEngine,
    EngineFaultError,
    EnginesDifferError,
    ProcessEngine,
    program,
)

JAVASCRIPT = Path(__file__).parents[2] / "examples" / "javascript" / "engine.mjs"
NODE = shutil.which("node")

FIRST = {"position": "9/9/9/9/9/9/9/9/9 - 0", "black": "a1", "white": "b1"}
RIGHT = {"after": "bw7/9/9/9/9/9/9/9/9 - 1", "winning": [0, 0], "outcome": "undecided"}


class Scripted:
    """An engine that gives one answer to everything."""

    def __init__(self, answer):
        self.answer = answer

    def ask(self, request):
        return self.answer


def python(code):
    """Return the command of a program that reads lines as `lines`."""
    begin = "import sys, json, time, os\nlines = iter(sys.stdin.readline, '')\n"
    return [sys.executable, "-c", begin + code]


def joined(command):
    """Return a command as one text, as a user gives it."""
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


@pytest.fixture
def ask():
    """Ask a program the first request; it is stopped at the end."""
    started = []

    def ask(command, timeout=60.0):
        started.append(ProcessEngine(command, timeout))
        return started[-1].ask(FIRST)

    yield ask
    for engine in started:
        engine.close()


# --- programs ---------------------------------------------------------------------------


def test_a_program_answers(ask):
    assert ask(python(f"for line in lines: print({json.dumps(RIGHT)!r}, flush=True)")) == RIGHT


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "the engine ended with exit code 0"),
        ("sys.exit(3)", "the engine ended with exit code 3"),
        ("next(lines); sys.exit('out of eggs')", "exit code 1; it wrote:\nout of eggs"),
        ("print('hello', flush=True)", "the engine wrote a line that is not JSON: b'hello"),
        ("print(flush=True)", "the engine wrote a line that is not JSON: b'"),
        ("print('[' * 99_000, flush=True)", "the engine wrote a line that is not JSON: b'[[[["),
        (r"sys.stdout.buffer.write(b'\xff\n'); sys.stdout.flush()", r"not JSON: b'\xff\n'"),
        ("while True: print('x' * 1000, end='')", "wrote a line of more than 100,000 bytes"),
    ],
)
def test_a_program_that_gives_no_answer(ask, code, message):
    with pytest.raises(EngineFaultError) as caught:
        ask(python(code))
    assert message in str(caught.value)


@pytest.mark.parametrize("code", ["time.sleep(1000)", "while True: pass"])
def test_a_silent_program_is_stopped(ask, code):
    with pytest.raises(EngineFaultError, match=r"the engine was silent for 0\.5 s"):
        ask(python(code), timeout=0.5)


def test_a_program_that_does_not_read_is_stopped():
    engine = ProcessEngine(python("while True: print('{}', flush=True)"), timeout=0.5)
    try:
        with pytest.raises(EngineFaultError, match="was silent"):
            for _ in range(1_000):
                engine.ask({"position": "x" * 10_000})
    finally:
        engine.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
def test_what_a_program_started_is_stopped_with_it(tmp_path):
    file = tmp_path / "pid"
    code = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        f"open({str(file)!r}, 'w').write(str(child.pid))\n"
        "print('{}', flush=True)\n"
        "time.sleep(1000)"
    )
    engine = ProcessEngine(python(code), timeout=60)
    engine.ask(FIRST)
    state = Path(f"/proc/{file.read_text()}/stat")
    assert state.exists()
    engine.close()
    while state.exists() and ") Z" not in state.read_text():
        time.sleep(0.01)


def test_a_program_is_started_again_after_a_fault(tmp_path):
    seen = tmp_path / "seen"
    code = (
        f"next(lines); first = not os.path.exists({str(seen)!r}); open({str(seen)!r}, 'w')\n"
        f"print('?' if first else {json.dumps(RIGHT)!r}, flush=True); next(lines)"
    )
    engine = ProcessEngine(python(code), timeout=60)
    with pytest.raises(EngineFaultError):
        engine.ask(FIRST)
    assert engine.ask(FIRST) == RIGHT
    engine.close()
    engine.close()


@pytest.mark.parametrize(
    ("command", "timeout", "message"),
    [
        ("", 1, "the engine's command is empty"),
        pytest.param(
            "'a",
            1,
            "the engine's command \"'a\": No closing quotation",
            marks=pytest.mark.skipif(os.name == "nt", reason="the program splits it there"),
        ),
        ("a", 0, "timeout is 0: expected seconds above 0"),
        ("a", float("nan"), "timeout is nan: expected seconds above 0"),
    ],
)
def test_a_bad_command(command, timeout, message):
    with pytest.raises(ValueError) as caught:
        program(command, timeout)
    assert str(caught.value).startswith(message)


# --- answers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([], "the engine answers []: expected an object with 'after'"),
        ({}, "the engine answers {}: expected an object with 'after'"),
        ({"after": 1}, "the engine answers 'after': 1: expected a position string or null"),
        (RIGHT | {"winning": [0]}, "the engine answers 'winning': [0]: expected two numbers 0..81"),
        (RIGHT | {"winning": [0, 82]}, "'winning': [0, 82]: expected two numbers 0..81"),
        (RIGHT | {"winning": [0, True]}, "'winning': [0, True]: expected two numbers 0..81"),
        (RIGHT | {"outcome": "won"}, "'outcome': 'won': expected one of undecided, black_wins"),
        (RIGHT | {"outcome": []}, "'outcome': []: expected one of undecided"),
        (RIGHT | {"trace": "x"}, "'trace': 'x': expected lists of strings"),
        (RIGHT | {"trace": [[]]}, "'trace': [[]]: expected lists of strings"),
        (RIGHT | {"trace": [[1]]}, "'trace': [[1]]: expected lists of strings"),
    ],
)
def test_an_answer_that_the_protocol_does_not_know(answer, message):
    with pytest.raises(EnginesDifferError) as caught:
        crosscheck.check_vectors(Scripted(answer))
    first, second, *_, last = str(caught.value).splitlines()
    assert message in first
    assert second == "position:  9/9/9/9/9/9/9/9/9 - 0"
    assert last == "found in vector game-01-01"


class Changed(ClassEngine):
    """The core, with one answer changed."""

    def ask(self, request):
        return self.change(super().ask(request))


class CountsMore(Changed):
    def change(self, answer):
        return {"sequences": answer["sequences"] + 1} if "sequences" in answer else answer


class CountsNot(Changed):
    def change(self, answer):
        return {"sequences": None} if "sequences" in answer else answer


class CountsWords(Changed):
    def change(self, answer):
        return {"sequences": "many"} if "sequences" in answer else answer


def test_perfts():
    with pytest.raises(EnginesDifferError, match="differ in perft: expected 6561, got 6562\n"):
        crosscheck.check_vectors(CountsMore(Position))
    with pytest.raises(EnginesDifferError, match="answers 'sequences': 'many': expected a number"):
        crosscheck.check_vectors(CountsWords(Position))
    assert crosscheck.check_vectors(CountsNot(Position))[1] == 0


class Reordered:
    """The reference, which tells a trace in another order."""

    def __init__(self, reorder):
        self.reorder = reorder

    def ask(self, request):
        if "depth" in request:
            return {"sequences": None}
        before = reference.Position.from_string(request["position"])
        turn = cell_index(request["black"]), cell_index(request["white"])
        answer = conformance.expected_answer(conformance.traced_turn(before, turn))._asdict()
        if answer["trace"] is not None:
            answer["trace"] = self.reorder(list(answer["trace"]))
        return json.loads(json.dumps(answer))


def test_traces_are_compared():
    def placed_last_first(trace):
        return [trace[1], trace[0], *trace[2:]] if len(trace) > 1 else trace

    turns, _ = crosscheck.check_vectors(Reordered(placed_last_first))
    assert turns > 0
    with pytest.raises(EnginesDifferError, match=r"^the engines differ in trace\n") as caught:
        crosscheck.check_vectors(Reordered(lambda trace: trace[:2]))
    assert '\nits trace: [["placed", "black", ' in str(caught.value)


# --- differences ------------------------------------------------------------------------


def mutant(name):
    return next(mutant for mutant in MUTANTS if mutant.name.startswith(name))


def test_a_difference_is_small_and_told(tmp_path):
    engine = ClassEngine(mutant("H1 the newest").position(tmp_path))
    with pytest.raises(EnginesDifferError) as caught:
        crosscheck.check_vectors(engine)
    lines = str(caught.value).splitlines()
    assert lines[0] == "the engines differ in after"
    before = reference.Position.from_string(lines[1].removeprefix("position:  "))
    black, white = lines[2].removeprefix("picks:     ").split()
    assert lines[3].startswith(f"reference: {before.play(black, white)}, undecided, winning")
    assert lines[4].startswith("engine:    ")
    assert lines[5].startswith("rules:     ")
    assert "H1" in lines[5]
    assert len(before.eggs) == 2
    assert before.black.bit_count() + before.white.bit_count() == 3
    assert before.turn == 0
    assert "(H1)" in str(caught.value)


class WrongUntil:
    """Gives a wrong answer so many times, then does something else."""

    def __init__(self, times, then):
        self.times, self.then, self.asked = times, then, 0

    def ask(self, request):
        self.asked += 1
        if self.asked > self.times:
            return self.then(request)
        return RIGHT | {"after": "9/9/9/9/9/9/9/9/9 - 0"}


def ends(request):
    raise EngineFaultError("the engine ended")


@pytest.mark.parametrize("times", [1, 2])
def test_an_engine_that_ends_while_a_position_is_made_small_is_asked_no_more(times):
    engine = WrongUntil(times, ends)
    with pytest.raises(EnginesDifferError, match=r"^the engines differ in after\n"):
        crosscheck.check_vectors(engine)
    assert engine.asked == times + 1


def test_a_difference_that_does_not_come_again_is_told():
    engine = WrongUntil(1, ClassEngine(Position).ask)
    with pytest.raises(EnginesDifferError) as caught:
        crosscheck.check_vectors(engine)
    lines = str(caught.value).splitlines()
    assert lines[0] == "the engines differ in after"
    assert lines[4] == "engine:    9/9/9/9/9/9/9/9/9 - 0, undecided, winning turtles 0 to 0"


def test_random_turns_follow_the_vectors():
    report = crosscheck.check_engine(ClassEngine(Position), 200, rng=1)
    assert report.turns >= 200
    assert report.vectors > 1_500
    again = crosscheck.crosscheck(200, rng=1)
    assert (report.turns, report.games, report.kinds) == (again.turns, again.games, again.kinds)
    assert crosscheck.crosscheck(10**9, rng=1, seconds=0).games == 1


# --- the command ------------------------------------------------------------------------


def test_the_command_checks_a_class_of_python(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where Python does not find the source folder
    code = main(["crosscheck", "--engine", "wts_fast:Position", "--turns", "50", "--seed", "2"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert "turns and 17 perfts of the conformance vectors compared, no difference\n" in out
    assert "µs  core" not in out


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("no_such_module:Position", "the engine ended with exit code 1; it wrote:"),
        ("wts_fast:NoSuchClass", "the engine ended with exit code 1; it wrote:"),
        (joined(python("print(0, flush=True)")), "the engine answers 0: expected an object"),
    ],
)
def test_the_command_reports_a_fault(capsys, tmp_path, monkeypatch, engine, message):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "report.txt"
    assert main(["crosscheck", "--engine", engine, "--report", str(file)]) == 1
    _, err = capsys.readouterr()
    assert err.startswith(f"wts-fast: {message}")
    assert err == f"wts-fast: {file.read_text(encoding='utf-8')}"


def test_a_report_that_cannot_be_written_does_not_hide_the_difference(capsys, tmp_path):
    engine = joined(python("print(0, flush=True)"))
    folder = str(tmp_path)
    assert main(["crosscheck", "--engine", engine, "--report", folder]) == 1
    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith("wts-fast: report not written: ")
    assert second.startswith("wts-fast: the engine answers 0: ")


def test_the_command_without_a_program(capsys):
    assert main(["crosscheck", "--engine", "./no-such-program"]) == 2
    assert "no-such-program" in capsys.readouterr().err
    assert main(["crosscheck", "--timeout", "1"]) == 2
    assert capsys.readouterr().err == "wts-fast: --timeout is for the program of --engine\n"


def test_a_class_that_prints_is_understood(tmp_path, monkeypatch):
    (tmp_path / "talks.py").write_text(
        "from wts_fast import Position\nprint('hello')\n\n"
        "class Talks:\n    @staticmethod\n    def from_string(text):\n"
        "        print(text)\n        return Position.from_string(text)\n"
    )
    monkeypatch.chdir(tmp_path)
    engine = program("talks:Talks", 60)
    assert engine.ask(FIRST) == RIGHT
    engine.close()


# --- the engine in JavaScript -----------------------------------------------------------

needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")

PATCHES = {
    "C1 a direction": ("const AROUND = [[-1, 0], ", "const AROUND = ["),
    "C2 eggs are not captured": (" || piece === EGG;", ";"),
    "C6 White is captured first": (
        '  const byBlack = capturesOf(next.board, "b", black); // C6: both before anything is removed',
        '  const byBlack = capturesOf(next.board, "b", black); remove(next, byBlack);',
    ),
    "H1 the newest egg": ("position.eggs.shift()", "position.eggs.pop()"),
    "H2 no captures": ("capturesOf(position.board, player, egg)", "[]"),
    "H3 no egg vanishes": ("if (spend.b > 0 && spend.w > 0) {", "if (false) {"),
    "E1 the oldest egg": ("next.eggs.push(black)", "next.eggs.unshift(black)"),
    "W2 a line of four": ("const five = [0, 1, 2, 3, 4]", "const five = [0, 1, 2, 3]"),
    "W2 a direction": ("const ACROSS = [[0, 1], ", "const ACROSS = ["),
    "D1 a full board": ('"undecided" : "draw"', '"undecided" : "undecided"'),
    "T1 a taken cell": ("board[black] === EMPTY && ", ""),
    "H5 a captured egg hatches": (
        "    position.eggs = position.eggs.filter((egg) => egg !== cell);\n",
        "",
    ),
}


@needs_node
def test_the_engine_in_javascript_passes():
    engine = ProcessEngine([NODE, str(JAVASCRIPT)], timeout=60)
    report = crosscheck.check_engine(engine, 500, rng=1)
    engine.close()
    assert report.perfts == 17


@needs_node
@pytest.mark.parametrize("name", PATCHES)
def test_a_mutant_in_javascript_is_found(name, tmp_path):
    old, new = PATCHES[name]
    source = JAVASCRIPT.read_text(encoding="utf-8")
    assert source.count(old) == 1
    patched = tmp_path / "engine.mjs"
    patched.write_text(source.replace(old, new), encoding="utf-8")
    engine = ProcessEngine([NODE, str(patched)], timeout=60)
    with pytest.raises(EnginesDifferError, match="found in vector"):
        crosscheck.check_vectors(engine)
    engine.close()
