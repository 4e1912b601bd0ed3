"""Players that fail: who loses which game, and what the report and the records say."""

import pytest

from wts_fast import read_games
from wts_fast.arena import Pair, PlayerError, arena

OTHERS = ["random", "random"]


@pytest.mark.parametrize(
    ("how", "what", "options"),
    [
        ("raise", r"raised KeyError: 'no\nidea' at '", {}),
        ("raise", r"raised KeyError: 'no\nidea' at '", {"jobs": 2}),
        ("leave", "raised SystemExit: 3 at '", {}),
        ("taken", "picked ", {}),
        ("text", "picked 'e5' of type str at '", {"jobs": 2}),
        ("exit", "ended its process (exit code 3) at '", {"jobs": 2}),
        ("hang", "took more than 0.2 s at '", {"seconds_per_move": 0.2}),
        ("hang", "took more than 0.2 s at '", {"seconds_per_move": 0.2, "jobs": 2}),
        ("dawdle", "took more than 0.2 s at '", {"seconds_per_move": 0.2}),
    ],
)
def test_a_player_that_fails_loses_that_game_and_the_arena_goes_on(how, what, options):
    report = arena(
        ["random", f"some_bots:Faulty:how={how}"], 4, rng=1, on_error="forfeit", **options
    )
    expected = arena(OTHERS, 4, rng=1)
    failed = [game for game in report.games if "Termination" in game.tags]
    assert [game.tags["Round"] for game in failed] == ["1-2.2", "1-2.4"]
    for game, other in zip(report.games, expected.games, strict=True):
        if game in failed:
            assert (game.result, game.tags["Black"]) == ("0-1", "faulty")
            assert game.moves == other.moves[:2]
            begin = f"forfeit: player 'faulty' (Black in game {game.tags['Round']}) "
            assert game.tags["Termination"].startswith(begin + what)
            assert f"'{game.position}'" in game.tags["Termination"]
        else:
            assert game.moves == other.moves
    assert report.failures[0] == (0, "")
    assert report.failures[1].games == 2
    assert report.failures[1].message == failed[0].tags["Termination"].removeprefix("forfeit: ")
    assert report.pairs[0].wins == 2 + sum(game.result == "1-0" for game in expected.games[::2])
    assert report.pairs[0].games == 4


def test_where_both_fail_in_a_turn_each_scores_a_half_and_has_failed():
    report = arena(["some_bots:Hopeless"] * 2, 2, rng=1, on_error="forfeit")
    assert report.pairs == (Pair(0, 1, wins=0, losses=0, draws=2, truncated=0),)
    assert [failures.games for failures in report.failures] == [2, 2]
    game = report.games[1]
    assert (game.result, len(game)) == ("1/2-1/2", 2)
    assert game.tags["Termination"] == (
        f"forfeit: player 'hopeless #2' (Black in game 1-2.2) raised ValueError: as B\\udc80 at "
        f"'{game.position}'; player 'hopeless' (White in game 1-2.2) raised ValueError: as "
        f"W\\udc80 at '{game.position}'"
    )
    assert list(read_games("\n\n".join(map(str, report.games)))) == list(report.games)


def test_a_player_that_cannot_be_copied_forfeits():
    from some_bots import Uncopied

    report = arena(["random", Uncopied()], 2, rng=1, on_error="forfeit")
    assert report.pairs[0].wins == 2
    assert [len(game) for game in report.games] == [0, 0]


@pytest.mark.parametrize("how", ["exit", "hang"])
def test_a_process_that_is_lost_stops_the_arena_where_that_is_asked_for(how):
    with pytest.raises(PlayerError, match=r"^player 'faulty' \(Black in game 1-2.2\) "):
        arena(["random", f"some_bots:Faulty:how={how}"], 2, rng=1, seconds_per_move=0.3)


def test_a_process_that_dies_while_no_player_is_at_work_stops_the_arena():
    from some_bots import Deadly

    with pytest.raises(
        PlayerError,
        match=r"process that plays has ended before its time, in game 1-2\.1: exit code 4",
    ):
        arena(["random", Deadly()], 1, jobs=2, on_error="forfeit")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"on_error": "ignore"}, ValueError, "on_error is 'ignore': expected stop or forfeit"),
        ({"seconds_per_move": 0}, ValueError, "seconds_per_move is 0.0: expected above 0"),
        ({"seconds_per_move": float("nan")}, ValueError, "seconds_per_move is nan: expected"),
        ({"seconds_per_move": "soon"}, TypeError, "must be a number or None, not str"),
        ({"max_turns": 10_001}, ValueError, "max_turns is 10001: expected 1..10000"),
    ],
)
def test_bad_arguments(options, error, message):
    with pytest.raises(error) as raised:
        arena(OTHERS, 1, **options)
    assert message in str(raised.value)
