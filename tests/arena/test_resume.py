"""Games are kept as they finish, and an arena that was stopped goes on."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from wts_fast import Game, Position, read_games
from wts_fast.arena import PlayerError, Records, Tournament, arena
from wts_fast.cli.main import main

PLAYERS = ["some_bots:Unhurried", "random"]
COMMAND = ["arena", *PLAYERS, "--seed", "5", "--max-turns", "40"]


def in_order(games):
    return sorted(games, key=lambda game: [int(n) for n in game.tags["Round"][4:].split(".")])


def games_in(path):
    return in_order(read_games(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def whole():
    """The games of the uninterrupted run, of which the player's own delay is no part."""
    return arena(["random", "random"], 12, rng=5, max_turns=40).games


def moves(games):
    return [game.moves for game in games]


# --- what is left of a run that ended before its time -------------------------------------

if sys.platform != "win32":

    @pytest.mark.parametrize("jobs", ["1", "2"])
    @pytest.mark.parametrize(
        ("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 130), (signal.SIGINT, 130)]
    )
    def test_a_run_that_is_stopped_leaves_whole_games_and_goes_on(bots, whole, jobs, number, code):
        path = bots / "games.txt"
        command = [*COMMAND, "--records", str(path), "--games", "12", "--jobs", jobs]
        with subprocess.Popen(
            [sys.executable, "-m", "wts_fast", *command],
            cwd=bots,
            env={**os.environ, "PYTHONPATH": str(bots)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as playing:
            while playing.poll() is None and not (path.exists() and b"1-2.2" in path.read_bytes()):
                time.sleep(0.002)
            playing.send_signal(number)
            out, err = playing.communicate(timeout=60)
        assert playing.returncode == code
        with Records(path, resume=True) as records:
            kept = in_order(records.games)
        assert 1 <= len(kept) < 12
        if code == 130:
            assert err == f"wts-fast: {len(kept)} of 12 games finished\nwts-fast: stopped\n"
            assert "unhurried - random" in out
        told = bots / "report.json"
        assert main([*command, "--resume", "--json", str(told)]) == 0
        assert moves(games_in(path)) == moves(whole)
        uninterrupted = arena(PLAYERS, 12, rng=5, max_turns=40)
        assert games_in(path) == list(uninterrupted.games)
        loaded, expected = json.loads(told.read_text()), uninterrupted.as_json()
        for report in (loaded, expected):
            for player in report["players"]:
                del player["moves"], player["ms_a_move"]
        assert loaded == expected


def test_a_player_that_fails_leaves_the_games_before(tmp_path, capsys):
    path, told = tmp_path / "games.txt", tmp_path / "report.json"
    told.write_text("as it was")
    arguments = ["arena", "random", "some_bots:Faulty:how=raise", "--seed", "1", "--games", "4"]
    arguments += ["--records", str(path), "--json", str(told)]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert "random - faulty" in out
    assert err.startswith("wts-fast: 1 of 4 games finished\nwts-fast: player 'faulty'")
    assert games_in(path) == list(arena(["random", "some_bots:Faulty:how=none"], 1, rng=1).games)
    assert told.read_text() == "as it was"
    assert sorted(entry.name for entry in tmp_path.iterdir() if "report" in entry.name) == [
        "report.json"
    ]
    assert main([*arguments, "--resume", "--on-error", "forfeit"]) == 0
    assert [game.result for game in games_in(path)][1::2] == ["0-1", "0-1"]
    assert "first failure: player 'faulty' (Black in game 1-2.2) raised" in capsys.readouterr().out
    assert json.loads(told.read_text())["players"][1]["failures"] == 2


@pytest.mark.parametrize("cut", [1, 2, 3, 30, 200, "start", "head"])
def test_a_torn_record_is_cut_off(tmp_path, whole, cut):
    path = tmp_path / "games.txt"
    texts = [f"{game}\n\n".encode() for game in whole[:2]]
    last = texts[1]
    torn = {"start": last[:1], "head": last[: last.index(b"\n\n") + 2]}.get(cut) or last[:-cut]
    path.write_bytes(texts[0] + torn)
    with Records(path, resume=True) as records:
        assert records.games == whole[:1]
        assert path.read_bytes() == texts[0] + torn
        records.add(whole[1])
        records.add(whole[2])
    assert games_in(path) == list(whole[:3])


def test_a_torn_first_record_is_cut_off(tmp_path, whole):
    path = tmp_path / "games.txt"
    path.write_bytes(str(whole[0]).encode()[:40])
    with Records(path, resume=True) as records:
        assert records.games == ()
        records.add(whole[0])
    assert games_in(path) == list(whole[:1])


def test_a_file_that_holds_something_else_stays_as_it_was(tmp_path):
    path = tmp_path / "games.txt"
    for data in (b"Dear diary,\n\n", b"\xff\xfe", b"1. e5 d4", b'[Event "x"]\n\n1. e5 ab *\n\n'):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"records file '.*games.txt': "):
            Records(path, resume=True)
        assert path.read_bytes() == data


# --- what goes on from what ----------------------------------------------------------------


def test_the_same_arena_with_more_games_is_extended(whole):
    played = []
    report = arena(
        ["random", "random"],
        12,
        max_turns=40,
        done=iter([whole[7], whole[2]]),
        on_game=played.append,
    )
    assert report.games == whole
    assert report.seed == 5
    assert [game.tags["Round"] for game in played] == [
        f"1-2.{number}" for number in range(1, 13) if number not in (3, 8)
    ]
    assert report.timings[0].moves == sum(map(len, played))


def test_with_all_games_done_nothing_is_played_and_no_time_is_known(whole):
    def unexpected(game):
        raise AssertionError(game)

    report = arena(["random", "random"], 12, max_turns=40, done=whole, on_game=unexpected)
    assert report.games == whole
    told = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert [player["ms_a_move"] for player in told["players"]] == [None, None]
    assert (told["pairs"], told["a_game"]) == tuple(
        arena(["random", "random"], 12, rng=5, max_turns=40).as_json()[key]
        for key in ("pairs", "a_game")
    )


def changed(game, **tags):
    other = Game(game.start, {**game.tags, **tags})
    for turn in game.moves:
        other.play(*turn)
    other.tags.update(tags)
    return other


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (["random", "random"], {"rng": 6}, "has Seed '5': expected '6'"),
        (["random", "random"], {"max_turns": 41}, "has MaxTurns '40': expected '41'"),
        (["some_bots:First", "random"], {}, "has Black 'random': expected 'first'"),
        (["random", "some_bots:First"], {}, "has White 'random #2': expected 'first'"),
    ],
)
def test_games_of_another_arena_are_refused_with_what_differs(whole, players, options, message):
    with pytest.raises(ValueError) as error:
        arena(players, 12, **{"max_turns": 40, "done": whole, **options})
    assert str(error.value) == f"game 1 of those done {message}"


def test_games_that_cannot_have_been_played_here_are_refused(whole):
    game = whole[0]
    short = Game(tags=game.tags)
    elsewhere = Game(Position.from_string("bw7/9/9/9/9/9/9/9/9 - 0"), game.tags)
    started = Game(Game().position.play("a1", "b1"), game.tags)
    for wrong, message in (
        (changed(game, Round="1-2.13"), "has Round '1-2.13': expected one of 1-2.1..1-2.12"),
        (changed(game, Round="one"), "has Round 'one': expected one of 1-2.1..1-2.12, with at"),
        (changed(game, Event="tea"), "has Event 'tea': expected 'wts-fast arena'"),
        (short, "has result * after 0 turns: expected a game that is over, truncated"),
        (started, "begins with 1 random turns: expected openings=0"),
        (elsewhere, "starts at 'bw7/9/9/9/9/9/9/9/9 - 0': expected '9/9/9/9/9/9/9/9/9 - 0'"),
    ):
        with pytest.raises(ValueError, match="game 2 of those done ") as error:
            arena(["random", "random"], 12, max_turns=40, done=[whole[1], wrong])
        assert message in str(error.value)
    with pytest.raises(ValueError, match=r"game 2 of those done has Round '1-2.1': expected it"):
        arena(["random", "random"], 12, max_turns=40, done=[game, game])
    with pytest.raises(TypeError, match="expected a Game as done, not str"):
        arena(["random", "random"], 12, done=["1-2.1"])


def test_a_tournament_keeps_what_was_played_before_an_error(whole):
    tournament = Tournament(["random", "random"], 12, rng=5, max_turns=40)
    with pytest.raises(ValueError, match="no game is finished"):
        tournament.report()
    games = []

    def third_is_too_many(game):
        games.append(game)
        if len(games) == 3:
            raise PlayerError("enough")

    with pytest.raises(PlayerError, match="enough"):
        tournament.play(third_is_too_many)
    assert (tournament.finished, tournament.total) == (3, 12)
    assert tournament.report().games == whole[:3]
    tournament.play()
    assert tournament.report().games == whole


def test_a_report_before_all_have_met():
    tournament = Tournament(["random"] * 3, 1, rng=1)
    with pytest.raises(PlayerError):
        tournament.play(lambda _: (_ for _ in ()).throw(PlayerError("enough")))
    report = tournament.report()
    told = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert [pair["score"] is None for pair in told["pairs"]] == [False, True, True]
    assert told["pairs"][1]["interval"] == [None, None]


# --- the command ---------------------------------------------------------------------------


def test_an_existing_file_of_records_needs_resume(tmp_path, capsys):
    path = tmp_path / "games.txt"
    path.write_text("as it was")
    assert main([*COMMAND, "--records", str(path)]) == 2
    assert "is not empty: expected a new one, or --resume" in capsys.readouterr().err
    assert path.read_text() == "as it was"


def test_resume_needs_a_file_of_records(capsys):
    assert main([*COMMAND, "--resume"]) == 2
    assert "--resume goes on with a file of records: expected" in capsys.readouterr().err


def test_resume_begins_with_a_file_that_is_not_there(tmp_path, capsys):
    path = tmp_path / "games.txt"
    command = [*COMMAND, "--records", str(path), "--resume"]
    assert main([*command, "--games", "1"]) == 0
    first = path.read_bytes()
    assert main([*command, "--games", "2"]) == 0
    assert path.read_bytes().startswith(first)
    assert [game.tags["Round"] for game in games_in(path)] == ["1-2.1", "1-2.2"]
    assert main([*command, "--games", "1"]) == 2
    assert "has Round '1-2.2': expected one of 1-2.1..1-2.1" in capsys.readouterr().err


def test_a_report_may_go_to_what_is_no_file(capsys):
    assert main(["arena", "0", "0", "--games", "1", "--json", os.devnull]) == 0
    assert not os.path.isfile(os.devnull)
