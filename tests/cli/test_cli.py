"""The command: its output on both streams, and its exit codes."""

import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from xml.etree import ElementTree

import pytest

from wts_fast import Game, Position, __version__, bench, crosscheck, read_games
from wts_fast.arena import arena
from wts_fast.cli.main import main

EMPTY = "9/9/9/9/9/9/9/9/9 - 0"
SUDDEN_DEATH = "9/1bbbbb3/9/9/9/9/9/1wwwww3/9 - 3"
FIVE = "9/1bbbb4/9/9/9/9/9/9/9 - 4"


@pytest.fixture
def run(capsys):
    """Run the command; returns its exit code and what it printed on both streams."""

    def call(*arguments):
        code = main(arguments)
        return code, *capsys.readouterr()

    return call


def with_input(monkeypatch, *lines):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


class Terminal(io.StringIO):
    def isatty(self):
        return True


# --- all commands -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [[], *([name] for name in "crosscheck bench perft show trace replay play arena".split())],
)
def test_help_shows_an_example(capsys, command):
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert "usage: wts-fast" in text
    assert ("example: wts-fast " if command else "--help' shows each command") in text


def test_module_and_version(tmp_path):
    """`python -m wts_fast` is the command."""
    done = subprocess.run(
        [sys.executable, "-m", "wts_fast", "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"wts-fast {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "9/9"], "position string '9/9': expected 3 fields"),
        (["show", EMPTY, "--svg", "no/such/folder/board.svg"], "No such file or directory"),
        (["perft", "-1"], "depth is -1: expected 0..255"),
        (["perft", "99999999999"], "depth is 99999999999: expected 0..255"),
        (["trace", EMPTY, "z1", "a1"], "Black cannot pick z1: cells are 0..80 or a1..i9"),
        (["trace", "e8/9/9/9/9/9/9/9/9 a1 1", "b1", "a1"], "White cannot pick a1: the cell holds"),
        (["crosscheck", "--turns", "0"], "turns is 0: expected 1.."),
        (["crosscheck", "--turns", "1", "--seed", "-1"], "seed is -1: expected 0.."),
        (["replay", "no-such-record"], "No such file or directory"),
        (["play", "--seed", "1"], "--seed is for the picks of --random"),
        (["play", "--record", "no/such/folder/games.txt"], "No such file or directory"),
        (["replay", os.devnull], "contains no game"),
        (["play", "--random", "--seed", "-1"], "seed is -1: expected 0.."),
        (["arena", "random"], "an arena of 1 players: expected 2 or more"),
        (["arena", "random", "randon"], "no player is named 'randon': expected random, "),
        (["arena", "random", "random:depth=3"], "takes no 'depth': expected no arguments"),
        (["arena", "0", "0", "--games", "0"], "games is 0: expected 1.."),
        (["arena", "0", "0", "--jobs", "0"], "jobs is 0: expected 1.."),
        (["arena", "0", "0", "--max-turns", "0"], "max_turns is 0: expected 1.."),
        (["arena", "0", "0", "--svg", "no/such/folder/a.svg"], "No such file or directory"),
        (["play", "bbbbb4/9/9/9/9/9/9/9/9"], "expected 3 fields (rows, eggs, turn)"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("wts-fast: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["bogus"], ["perft"], ["perft", "x"], ["trace", EMPTY]])
def test_usage_errors_give_exit_code_2(capsys, arguments):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "error: " in capsys.readouterr().err


def run_apart(tmp_path, *arguments, **options):
    """Run the command in a separate process, with Python's default buffering of output."""
    return subprocess.run(
        [sys.executable, "-m", "wts_fast", *arguments],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **options,
    )


if sys.platform != "win32":

    def test_a_reader_who_leaves_early_is_no_error(tmp_path):
        """As in `wts-fast … | true`: the pipe is closed before anything is written."""
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            done = run_apart(tmp_path, "show", stdout=pipe)
        assert (done.returncode, done.stderr) == (0, "")


if os.path.exists("/dev/full"):

    def test_a_full_disk_is_told(tmp_path):
        with open("/dev/full", "w") as full:
            done = run_apart(tmp_path, "show", stdout=full)
        assert done.returncode == 2
        assert done.stderr == "wts-fast: [Errno 28] No space left on device\n"


# --- one by one -------------------------------------------------------------------------


def test_crosscheck(run):
    code, out, err = run("crosscheck", "--turns", "300", "--seed", "5")
    report = crosscheck.crosscheck(300, rng=5)
    assert (code, err) == (0, "")
    assert f"{report.turns} turns of {report.games} games compared, no difference" in out
    assert "(repeat with --turns 300 --seed 5)" in out
    for kind, count in report.kinds.items():
        assert f"{count:>10}  {kind}\n" in out
    assert "µs  core" in out
    assert "µs  reference" in out


def test_crosscheck_that_finds_a_difference_gives_exit_code_1(run, monkeypatch):
    def differ(*arguments, **options):
        raise crosscheck.EnginesDifferError("the engines differ in eggs")

    monkeypatch.setattr("wts_fast.cli.crosscheck.crosscheck", differ)
    assert run("crosscheck") == (1, "", "wts-fast: the engines differ in eggs\n")


def test_progress_shows_on_a_terminal_and_only_there(run, monkeypatch):
    terminal = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        assert main(["crosscheck", "--turns", "300"]) == 0
    assert "comparing" in terminal.getvalue()
    assert run("crosscheck", "--turns", "300")[2] == ""


def test_bench(run, monkeypatch):
    rows = [
        bench.Row("play", "µs a turn", 0.1, 30.0),
        bench.Row("games", "games/s", 30_000.0, 1_000.0),
        bench.Row("size", "bytes", 160.0, None),
    ]
    monkeypatch.setattr(bench, "measure", lambda: iter(rows))
    code, out, err = run("bench")
    assert (code, err) == (0, "")
    assert "processor: " in out
    table = [line.split() for line in out.splitlines()[-3:]]
    assert table == [
        ["play", "0.1", "30", "300.0", "µs", "a", "turn"],
        ["games", "30,000", "1,000", "30.0", "games/s"],
        ["size", "160", "bytes"],
    ]
    code, out, err = run("bench", "--json")
    assert (code, err) == (0, "")
    loaded = json.loads(out)
    assert loaded["machine"]["wts_fast"] == __version__
    assert [row["ratio"] for row in loaded["rows"]] == [pytest.approx(300), 30.0, None]


@pytest.mark.slow
def test_bench_measures_both_engines(monkeypatch):
    """The real measurement, as short as possible."""
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "STATEMENTS", ("position.play(40, 41)",))
    rows = list(bench.measure())
    assert [row.name for row in rows].count("position.play(40, 41)") == 1
    assert all(row.core > 0 for row in rows)
    assert all(row.ratio is None or row.ratio > 0 for row in rows)


PEERS = """
from typing import NamedTuple

ROUNDS = 2

class Row(NamedTuple):
    name: str
    games_per_second: float
    turns_per_second: float
    ratio: float
    what: str

def measure(progress):
    progress()
    return [Row("a peer", 20_000.0, 600_000.0, 51.5, "its loop")]

def versions():
    return {"a library": "1.2"}
"""


def bench_peers(folder, peers, *arguments):
    """Run `bench --peers` in a clone with this file."""
    (folder / "benchmarks").mkdir()
    (folder / "benchmarks" / "peers.py").write_text(peers, encoding="utf-8")
    return run_apart(folder, "bench", "--peers", *arguments, stdout=subprocess.PIPE)


def test_bench_peers(tmp_path):
    done = bench_peers(tmp_path, PEERS)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "a library: 1.2" in lines
    assert lines[-2].split() == ["games/s", "turns/s", "ratio"]
    assert lines[-1].split() == ["a", "peer", "20,000", "600,000", "51.5", "its", "loop"]


def test_bench_peers_as_json(tmp_path):
    done = bench_peers(tmp_path, PEERS, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    loaded = json.loads(done.stdout)
    assert loaded["machine"]["wts_fast"] == __version__
    assert loaded["machine"]["a library"] == "1.2"
    assert [row["games_per_second"] for row in loaded["rows"]] == [20_000.0]


def test_bench_peers_outside_a_clone(tmp_path):
    done = run_apart(tmp_path, "bench", "--peers", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (2, "")
    peers = tmp_path.resolve() / "benchmarks" / "peers.py"
    assert done.stderr == f"wts-fast: no {peers}: run this in the folder of a clone\n"


def test_bench_peers_without_a_library_names_the_extra(tmp_path):
    done = bench_peers(tmp_path, "import no_such_library")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "wts-fast: no_such_library is not installed: install the extra 'peers'"
    )
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("depth", "count"), [("0", "1"), ("1", "6,561")])
def test_perft(run, depth, count):
    code, out, err = run("perft", depth)
    assert (code, out) == (0, f"{count}\n")
    assert err.endswith("s of CPU time\n")


def test_perft_of_a_position(run):
    text = (
        "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbw2"
    )
    from wts_fast import perft

    for depth in (1, 2, 3):
        _, out, _ = run("perft", str(depth), f"{text} - 0")
        assert out == f"{perft(Position.from_string(f'{text} - 0'), depth):,}\n"


def test_show(run, tmp_path):
    picture = tmp_path / "board.svg"
    code, out, err = run("show", "b7w/9/9/9/4e4/9/9/9/e8 a9,e5 7", "--svg", str(picture))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == list("abcdefghi")
    assert lines[1].split() == ["1", "B", *".......", "W"]
    assert lines[5].split() == ["5", *"....2...."]
    assert lines[9].split() == ["9", "1", *"........"]
    assert "turns completed: 7" in out
    assert "state:           the game goes on" in out
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (SUDDEN_DEATH, "Sudden Death"),
        ("bbbbb4/9/9/9/9/9/9/9/9 - 5", "Black wins"),
        ("wwwww4/9/9/9/9/9/9/9/9 - 5", "White wins"),
        (
            "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/"
            "wwbbwbwwe i9 1",
            "a draw",
        ),
    ],
)
def test_show_says_how_it_stands(run, text, state):
    assert f"state:           {state}\n" in run("show", text)[1]


def test_trace(run):
    code, out, err = run("trace", "bww5e/9/9/9/9/9/9/9/9 i1 7", "d1", "a9")
    assert (code, err) == (0, "")
    assert out.startswith(
        "Black's turtle lands on d1 (T2)\n"
        "White's turtle lands on a9 (T2)\n"
        "Black's turtle on d1 captures c1 and b1 (C1)\n"
        "the oldest egg, on i1, hatches for Black (H1)\n"
    )
    assert "position:        b2b4b/9/9/9/9/9/9/9/w8 - 8\n" in out


def test_trace_takes_indices_and_capitals_too(run):
    position = "bww5e/9/9/9/9/9/9/9/9 i1 7"
    assert run("trace", position, "3", "A9") == run("trace", position, "d1", "a9")


def recorded_games():
    won = Game(Position.from_string(FIVE), {"Black": "Ann", "White": "Bob"})
    won.play("f2", "a9")
    cut = Game()
    cut.play("e5", "e5")
    return won, cut


def test_replay(run, tmp_path, monkeypatch):
    record = tmp_path / "games.txt"
    record.write_text("\n".join(map(str, recorded_games())), encoding="utf-8")
    expected = (
        "game 1: Ann - Bob, 1 turn, 1-0\n"
        "game 2: ? - ?, 1 turn, *\n"
        "2 games, every turn legal and the same in both engines\n"
    )
    assert run("replay", str(record)) == (0, expected, "")
    monkeypatch.setattr(sys, "stdin", io.StringIO(record.read_text(encoding="utf-8")))
    assert run("replay", "-") == (0, expected, "")
    told = run("replay", str(record), "--trace")[1]
    assert "5. f2 a9\nBlack's turtle lands on f2 (T2)\n" in told


def test_replay_names_game_and_turn_of_an_illegal_one(run, tmp_path):
    record = tmp_path / "games.txt"
    record.write_text("1. e5 e5 *\n\n1. e5 e5 2. e5 a1 *\n", encoding="utf-8")
    code, _, err = run("replay", str(record))
    assert code == 2
    assert err == "wts-fast: game 2, turn 2: Black cannot pick e5: the cell holds an egg\n"


def test_replay_of_bytes_that_are_no_text(run, tmp_path):
    record = tmp_path / "games.txt"
    record.write_bytes(b"\xff\xfe\x00")
    code, _, err = run("replay", str(record))
    assert code == 2
    assert err.startswith(f"wts-fast: {record} is not UTF-8 text: ")
    assert err.count("\n") == 1


def test_replay_of_a_closed_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert run("replay", "-") == (2, "", "wts-fast: standard input is closed\n")


def test_output_that_cannot_show_every_character(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "wts_fast", "crosscheck", "--turns", "30"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert r"\xb5s  core" in done.stdout


def test_play_two_at_one_keyboard(run, monkeypatch):
    with_input(monkeypatch, "a1", "a1", "F2", "z9", "a1", " i9 ")
    code, out, err = run("play", FIVE)
    assert (code, err) == (0, "")
    assert out.count("not an empty cell: enter the name of one, such as e5\n") == 2
    assert "5 winning turtles to 0: Black wins (W3)" in out
    assert Game.from_string(out[out.index("[") :]).moves[-1] == (14, 80)
    assert out.endswith(" 1-0\n\n")


@pytest.mark.parametrize("last", [["q"], ["e6", "Q"], []])
def test_play_stops_at_q_and_at_the_end_of_the_input(run, monkeypatch, last):
    with_input(monkeypatch, "e5", "e5", *last)
    code, out, err = run("play")
    assert (code, err) == (0, "")
    assert Game.from_string(out[out.index("[") :]).moves == ((40, 40),)


def test_play_keeps_the_record_of_a_game_that_is_interrupted(run, monkeypatch, tmp_path):
    def interrupted(prompt):
        raise KeyboardInterrupt

    record = tmp_path / "games.txt"
    record.write_text("1. a1 b2 *", encoding="utf-8")  # without a line end
    for _ in range(2):
        monkeypatch.setattr("builtins.input", interrupted)
        code, out, _ = run("play", FIVE, "--record", str(record))
        assert code == 130
        assert "[" not in out
    code, out, _ = run("replay", str(record))
    assert code == 0
    assert out.startswith("game 1: ? - ?, 1 turn, *\ngame 2: ? - ?, 0 turns, *\ngame 3: ")


def test_play_against_random_picks_can_be_repeated(run, monkeypatch):
    records = []
    for _ in range(2):
        with_input(monkeypatch, "e5", "e6", "q")
        code, out, _ = run("play", "--random", "--seed", "4")
        assert code == 0
        assert "White's pick" not in out
        records.append(out)
    assert records[0] == records[1]


def test_arena(run, tmp_path):
    told, records, drawn = (tmp_path / name for name in ("a.json", "a.txt", "a.svg"))
    code, out, err = run(
        *"arena 0 random --games 6 --jobs 2 --seed 3 --max-turns 30".split(),
        *("--json", str(told), "--records", str(records), "--svg", str(drawn)),
    )
    report = arena(["random"] * 2, 6, rng=3, max_turns=30)
    assert (code, err) == (0, "")
    (pair,) = report.pairs
    assert pair.truncated
    loaded = json.loads(told.read_text(encoding="utf-8"))
    assert loaded["pairs"] == report.as_json()["pairs"]
    assert loaded["a_game"] == report.as_json()["a_game"]
    with open(records, encoding="utf-8") as lines:
        kept = sorted(read_games(lines), key=lambda game: game.tags["Round"])
    assert kept == list(report.games)
    assert run("replay", str(records))[0] == 0
    assert ElementTree.parse(drawn).getroot().tag.endswith("svg")
    (row,) = (line for line in out.splitlines() if "random - random #2" in line)
    assert row.split()[2:6] == [str(count) for count in pair[2:]]
    assert row.split()[0] == f"{pair.score / 6:.1%}"
    elo, errors = report.elo()
    rows = [line.split()[:-2] for line in out.splitlines() if line.startswith("random")]
    second = ["random", "#2", f"{elo[1]:.0f}", "±", f"{1.96 * errors[1]:.0f}"]
    assert sorted(rows) == [second, ["random", "0"]]
    assert (rows[0] == second) == (elo[1] > 0)
    assert f"eggs: {report.counts.eggs / 6:.2f} a game\n" in out
    assert out.endswith("(repeat with --seed 3)\n")


def test_an_arena_whose_player_breaks_the_rules(run, tmp_path, monkeypatch):
    (tmp_path / "cheats.py").write_text(
        "class Cheat:\n    name = 'cheat'\n    def choose(self, *_):\n        return 99\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert run("arena", "0", "cheats:Cheat", "--games", "1") == (
        2,
        "",
        "wts-fast: 0 of 1 game finished\n"
        "wts-fast: player 'cheat' (White in game 1-2.1) picked 99 at '9/9/9/9/9/9/9/9/9 - 0': "
        "expected an empty cell\n",
    )


if sys.platform != "win32":

    def test_picks_are_hidden_on_a_terminal(tmp_path):
        """On a real terminal nothing that is typed at a prompt is shown before the turn is printed."""
        import pty

        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "wts_fast", "play"]
        with subprocess.Popen(
            command,
            cwd=tmp_path,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        ) as playing:
            os.close(theirs)
            to_first, to_second, to_third = (
                answer_prompt(ours, answer) for answer in ("d4", "f6", "q")
            )
            with suppress(OSError):  # how Linux tells that the other side has gone
                while os.read(ours, 4096):
                    pass
        os.close(ours)
        assert playing.returncode == 0
        assert to_first.endswith("Black's pick (hidden), q to stop: ")
        assert to_second.split() == "White's pick (hidden), q to stop:".split()
        assert "\nd4 f6\r\nBlack's turtle lands on d4 (T2)" in to_third

    def answer_prompt(terminal, answer):
        """Type an answer at the next prompt; returns what the terminal showed until then."""
        shown = ""
        while not shown.endswith("to stop: "):
            shown += os.read(terminal, 4096).decode()
        os.write(terminal, f"{answer}\n".encode())
        return shown
