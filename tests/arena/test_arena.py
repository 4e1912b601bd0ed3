"""The arena: which games are played, what is counted, and how it ends before its time."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from wts_fast import BLACK, WHITE, Captured, Hatched, Laid, Outcome, read_games, trace
from wts_fast.arena import Counts, Pair, PlayerError, arena, ratings
from wts_fast.players import RandomPlayer


def without_times(report):
    told = report.as_json()
    for player in told["players"]:
        assert player.pop("ms_a_move") > 0
    return told


FIELD = ["random", "some_bots:Counting", "some_bots:First"]


# --- which games are played -------------------------------------------------------------


def test_any_number_of_processes_plays_the_same_games():
    alone, together = (arena(FIELD, 5, rng=7, jobs=jobs) for jobs in (1, 2))
    assert alone.games == together.games
    assert without_times(alone) == without_times(together)
    assert len(alone.games) == 15


def test_another_seed_gives_other_games_and_a_fresh_one_is_told():
    fresh = arena(FIELD[:2], 2)
    assert fresh.games == arena(FIELD[:2], 2, rng=fresh.seed).games
    assert [game.moves for game in fresh.games] != [
        game.moves for game in arena(FIELD[:2], 2, rng=fresh.seed ^ 1).games
    ]


def test_a_game_does_not_depend_on_how_many_there_are():
    few, many = (arena(FIELD[:2], games, rng=7) for games in (2, 4))
    assert few.games == many.games[:2]


def test_colors_are_swapped_from_game_to_game():
    report = arena(["random", "some_bots:First", "some_bots:Last"], 3, rng=1)
    assert [(game.tags["Black"], game.tags["White"]) for game in report.games] == [
        ("random", "first"),
        ("first", "random"),
        ("random", "first"),
        ("random", "last"),
        ("last", "random"),
        ("random", "last"),
        ("first", "last"),
        ("last", "first"),
        ("first", "last"),
    ]
    for game in report.games:
        cells = [turn[0] for turn in game.moves]
        if game.tags["Black"] == "first":
            assert cells[0] == 0
        if game.tags["Black"] == "last":
            assert cells[0] == 80


def test_what_one_side_draws_does_not_reach_the_other():
    frugal = arena(["random", "some_bots:First"], 4, rng=3)
    wasteful = arena(["random", "some_bots:WastefulFirst"], 4, rng=3)
    assert frugal.games == wasteful.games


def test_both_sides_draw_other_numbers_in_every_game():
    report = arena(["random", "random"], 30, rng=4)
    assert sum(game.moves[0][0] == game.moves[0][1] for game in report.games) <= 3
    assert len({game.moves[0] for game in report.games}) >= 28


def test_each_pair_draws_other_numbers():
    report = arena(["random", "some_bots:First", "some_bots:First"], 2, rng=4)
    against_one, against_other = report.games[0], report.games[2]
    assert against_one.tags["Round"] == "1-2.1"
    assert against_other.tags["Round"] == "1-3.1"
    assert against_one.moves != against_other.moves


def test_what_a_player_keeps_does_not_reach_another_game_or_side():
    report = arena(["some_bots:Counting", "some_bots:First"], 4, rng=1)
    assert report.games[0].moves == report.games[2].moves
    assert report.games[1].moves == report.games[3].moves
    alike = arena(["some_bots:Counting", "some_bots:Counting"], 1).games[0]
    assert all(black == white for black, white in alike.moves)


# --- what is counted --------------------------------------------------------------------


def test_the_report_is_what_the_games_say():
    report = arena(["random", "some_bots:Counting", "some_bots:First"], 4, rng=2, max_turns=24)
    for pair in report.pairs:
        names = [report.names[pair.first], report.names[pair.second]]
        games = [g for g in report.games if {g.tags["Black"], g.tags["White"]} == set(names)]
        winners = [
            game.tags["Black" if game.outcome == BLACK else "White"]
            for game in games
            if game.outcome in (BLACK, WHITE)
        ]
        draws = sum(game.outcome == Outcome.DRAW for game in games)
        assert pair == (
            pair.first,
            pair.second,
            winners.count(names[0]),
            winners.count(names[1]),
            draws,
            4 - len(winners) - draws,
        )
    moves = [sum(len(g) for g in report.games if name in g.tags.values()) for name in report.names]
    assert [timing.moves for timing in report.timings] == moves
    assert report.counts == counted(report.games)
    assert all(sum(pair[place] for pair in report.pairs) for place in (2, 3, 5))


def counted(games):
    events, deaths = [], 0
    for game in games:
        held = False
        for position, turn in zip(game.positions(), game.moves, strict=False):
            told = trace(position, *turn)
            events += map(type, told.events)
            deaths += told.position.sudden_death and not held
            held = told.position.sudden_death
    return Counts(events.count(Laid), events.count(Hatched), events.count(Captured), deaths)


def test_eggs_and_captures_and_sudden_death_do_happen():
    report = arena(["random", "random"], 60, rng=1)
    assert all(count > 0 for count in report.counts)
    assert report.counts == counted(report.games)
    told = report.as_json()["a_game"]
    assert told["eggs"] == report.counts.eggs / 60


def test_truncated_games_are_told_apart_and_score_a_half():
    report = arena(["random", "some_bots:First"], 3, rng=1, max_turns=2)
    assert report.pairs == (Pair(0, 1, wins=0, losses=0, draws=0, truncated=3),)
    assert report.pairs[0].games == 3
    np.testing.assert_array_equal(report.scores(), [[np.nan, 0.5], [0.5, np.nan]])
    for game in report.games:
        assert (game.result, len(game)) == ("*", 2)
        assert game.tags["Termination"] == "truncated after 2 turns"


def test_scores_intervals_and_elo_fit_each_other():
    report = arena(["random", "some_bots:First", "some_bots:Last"], 5, rng=9)
    scores, intervals = report.scores(), report.intervals()
    points = np.zeros((3, 3))
    for pair in report.pairs:
        i, j = pair.first, pair.second
        assert scores[i, j] == pair.score / 5 == 1 - scores[j, i]
        assert tuple(intervals[i, j]) == ratings.interval(pair.score, 5)
        assert intervals[j, i] == pytest.approx(ratings.interval(5 - pair.score, 5))
        points[i, j], points[j, i] = pair.score, 5 - pair.score
    for ours, theirs in zip(report.elo(), ratings.elo(points), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert np.isnan(scores.diagonal()).all()
    assert np.isnan(intervals[range(3), range(3)]).all()


def test_the_report_as_json():
    report = arena(FIELD, 2, rng=5, max_turns=100)
    told = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert (told["version"], told["seed"], told["max_turns"], told["games"]) == (2, 5, 100, 6)
    assert [player["name"] for player in told["players"]] == ["random", "counting", "first"]
    assert told["players"][0]["elo"] == 0
    lengths = [len(game) for game in report.games]
    assert told["turns"] == {
        "mean": pytest.approx(np.mean(lengths)),
        "min": min(lengths),
        "max": max(lengths),
    }
    assert [(pair["first"], pair["second"]) for pair in told["pairs"]] == [(0, 1), (0, 2), (1, 2)]


def test_the_records_are_read_back_as_the_same_games():
    report = arena(["random", "random"], 3, rng=6, max_turns=20)
    assert report.names == ("random", "random #2")
    text = "\n\n".join(map(str, report.games))
    assert list(read_games(text)) == list(report.games)
    assert [game.tags["Round"] for game in report.games] == ["1-2.1", "1-2.2", "1-2.3"]
    assert {game.tags["Seed"] for game in report.games} == {"6"}


def test_players_without_a_name_are_named_after_their_class():
    class Nameless:
        def choose(self, position, player, rng):
            return position.legal_moves()[0]

    report = arena([Nameless(), Nameless(), "random"], 1)
    assert report.names == ("Nameless", "Nameless #2", "random")
    assert report.games[0].tags["White"] == "Nameless #2"


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_game_is_handed_out_once(jobs):
    handed = []
    report = arena(FIELD, 2, rng=1, jobs=jobs, on_game=handed.append)
    assert sorted(handed, key=lambda game: game.tags["Round"]) == list(report.games)


# --- how it ends before its time --------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "what", "jobs"),
    [
        ("raise", "raised KeyError: 'no\\nidea' at '", 1),
        ("raise", "raised KeyError: 'no\\nidea' at '", 2),
        ("taken", " picked ", 2),
        ("beyond", "picked 81 at '", 1),
        ("text", "picked 'e5' of type str at '", 1),
        ("float", "picked 4.0 of type float at '", 1),
        ("none", "picked None of type NoneType at '", 1),
    ],
)
def test_a_player_that_breaks_the_rules_is_named(how, what, jobs):
    with pytest.raises(PlayerError) as error:
        arena(["random", f"some_bots:Faulty:how={how}"], 2, rng=1, jobs=jobs)
    message = str(error.value)
    assert message.startswith("player 'faulty' (Black in game 1-2.2) ")
    assert what in message
    assert "\n" not in message
    game = arena(["random", "random"], 2, rng=1).games[1]
    assert str(game.positions()[2]) in message


def test_the_cell_that_was_picked_is_named():
    with pytest.raises(PlayerError, match=r"picked [a-i][1-9] at '[^']* 2': expected an empty"):
        arena(["random", "some_bots:Faulty:how=taken"], 4, rng=1)


def test_a_player_that_ends_its_process_ends_the_arena():
    with pytest.raises(
        PlayerError,
        match=r"^player 'faulty' \(Black in game 1-2.2\) ended its process \(exit code 3\) at '",
    ):
        arena(["random", "some_bots:Faulty:how=exit"], 2, rng=1, jobs=2)


def test_a_player_that_cannot_be_copied_or_sent():
    from some_bots import Uncopied

    with pytest.raises(PlayerError, match=r"'uncopied' .* cannot be copied: TypeError: not this"):
        arena(["random", Uncopied()], 1)
    with pytest.raises(PlayerError, match="cannot be sent to another process: TypeError: not this"):
        arena(["random", Uncopied()], 2, jobs=2)


def test_a_player_that_the_processes_cannot_import(bots, monkeypatch):
    from some_bots import First

    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(bots)])
    with pytest.raises(PlayerError, match="cannot come to another process: ModuleNotFoundError"):
        arena(["random", First()], 2, jobs=2)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((["random"], 1), {}, "an arena of 1 players: expected 2 or more"),
        ((["random", "randon"], 1), {}, "no player is named 'randon'"),
        ((["random"] * 2, 0), {}, "games is 0: expected 1.."),
        ((["random"] * 2, 1), {"jobs": 0}, "jobs is 0: expected 1.."),
        ((["random"] * 2, 1), {"max_turns": 0}, "max_turns is 0: expected 1.."),
        ((["random"] * 2, 1), {"rng": -1}, "seed is -1: expected 0.."),
    ],
)
def test_bad_arguments(arguments, options, message):
    with pytest.raises(ValueError) as error:
        arena(*arguments, **options)
    assert message in str(error.value)


def test_an_object_is_a_player_and_stays_as_it_was():
    class Local(RandomPlayer):
        name = "local"
        seen = 0

        def choose(self, position, player, rng):
            self.seen += 1
            return super().choose(position, player, rng)

    local = Local()
    assert arena([local, "random"], 2, rng=1).games[0].tags["Black"] == "local"
    assert local.seen == 0


SLOW_ARENA = """
import signal
from wts_fast.arena import arena

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        arena(["some_bots:Slow", "some_bots:Slow"], 4, jobs=2)
    except KeyboardInterrupt:
        print("stopped")
"""

if sys.platform != "win32":

    @pytest.mark.parametrize(
        ("number", "ending"), [(signal.SIGINT, (0, "stopped\n")), (signal.SIGKILL, (-9, ""))]
    )
    def test_no_process_plays_on_when_the_arena_is_stopped_or_killed(bots, number, ending):
        """They hold the output, whose end comes when the last of them has ended."""
        (bots / "slow.py").write_text(SLOW_ARENA, encoding="utf-8")
        with subprocess.Popen(
            [sys.executable, "slow.py"],
            cwd=bots,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if number == signal.SIGINT else subprocess.DEVNULL,
            text=True,
        ) as playing:
            assert [playing.stdout.readline() for _ in range(2)] == ["playing\n"] * 2
            playing.send_signal(number)
            out, _ = playing.communicate(timeout=60)
        assert (playing.returncode, out) == ending
