"""The PettingZoo environment: PettingZoo's own tests, and what they leave out."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.utils import parallel_to_aec

from wts_fast import BLACK, WHITE, Batch, IllegalMoveError, Outcome, Position
from wts_fast.envs.pettingzoo import parallel_env

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of environments that these import
    from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test

BLACK_WINS = [("a1", "i9"), ("b1", "h9"), ("c1", "a5"), ("d1", "e5"), ("e1", "i1")]
"""Picks with which Black has five in row 1 after five turns."""


@pytest.fixture
def env():
    made = parallel_env()
    made.reset()
    return made


def play(env, picks):
    """Play turns; return what the last step returned."""
    for black, white in picks:
        told = env.step({"black": black, "white": white})
    return told


def test_parallel_api():
    parallel_api_test(parallel_env(), num_cycles=1000)


def test_parallel_api_of_games_cut_short():
    parallel_api_test(parallel_env(max_turns=3), num_cycles=1000)


def test_parallel_seed():
    parallel_seed_test(parallel_env)


def test_rendering_as_pettingzoo_expects():
    render_test(lambda render_mode: parallel_to_aec(parallel_env(render_mode=render_mode)))


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_observations_are_what_each_player_sees(dtype):
    """To the end of random games, in the spaces, and the same as a batch tells."""
    env = parallel_env(dtype=dtype)
    rng = np.random.default_rng(1)
    for _ in range(5):
        observations, infos = env.reset()
        while env.agents:
            cells = np.flatnonzero(observations["black"]["action_mask"])
            black, white = rng.choice(cells, 2)
            observations, _, _, _, infos = env.step({"black": black, "white": white})
            game = Batch.from_positions([env.position])
            for agent, player in (("black", BLACK), ("white", WHITE)):
                seen = observations[agent]
                assert seen in env.observation_space(agent)
                planes = game.observe(player, dtype=dtype)[0]
                assert np.array_equal(seen["observation"], planes)
                assert seen["observation"].dtype == dtype
                for told in (seen, infos[agent]):
                    assert np.array_equal(told["action_mask"], game.legal_mask()[0])
            assert np.array_equal(env.state(), game.observe(BLACK, dtype=dtype)[0])
            assert env.state() in env.state_space


def test_observations_are_not_touched_later(env):
    first, _ = env.reset()
    play(env, [("e5", "d4")])
    assert not first["black"]["observation"].any()
    assert first["white"]["action_mask"].all()
    first["white"]["action_mask"][:] = 0
    observations, _, _, _, _ = play(env, [("a1", "b1")])
    assert observations["white"]["action_mask"].sum() == 77


def test_a_win(env):
    play(env, BLACK_WINS[:-1])
    _, rewards, terminations, truncations, infos = play(env, BLACK_WINS[-1:])
    assert rewards == {"black": 1.0, "white": -1.0}
    assert terminations == {"black": True, "white": True}
    assert truncations == {"black": False, "white": False}
    assert not infos["black"]["action_mask"].any()
    assert env.agents == []
    assert env.possible_agents == ["black", "white"]


def test_a_game_cut_short_is_truncated():
    env = parallel_env(max_turns=2)
    env.reset()
    told = play(env, [("a1", "b1")])
    assert told[3] == {"black": False, "white": False}
    _, rewards, terminations, truncations, infos = play(env, [("c1", "d1")])
    assert rewards == {"black": 0.0, "white": 0.0}
    assert terminations == {"black": False, "white": False}
    assert truncations == {"black": True, "white": True}
    assert infos["black"]["action_mask"].sum() == 77
    assert env.agents == []


def test_a_game_that_ends_in_its_last_turn_is_not_truncated():
    env = parallel_env(max_turns=5)
    env.reset()
    _, _, terminations, truncations, _ = play(env, BLACK_WINS)
    assert terminations["black"]
    assert not truncations["black"]
    assert env.position.outcome is Outcome.BLACK_WINS


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_copies_keep_the_board_and_go_on_alone(env, copied):
    play(env, BLACK_WINS[:3])
    before = env.position
    twin = copied(env)
    assert twin.position == before
    assert twin.agents == env.agents
    play(twin, BLACK_WINS[3:])
    assert twin.agents == []
    assert env.position == before
    assert env.agents == ["black", "white"]
    play(env, [("a9", "b9")])
    assert twin.position.outcome is Outcome.BLACK_WINS


# --- rendering --------------------------------------------------------------------------


def test_text_and_picture_show_the_board(capsys):
    position = Position().play("a1", "i1").play("a9", "a9")
    made = {mode: parallel_env(render_mode=mode) for mode in ("ansi", "rgb_array", "human")}
    for env in made.values():
        env.reset()
        play(env, [("a1", "i1"), ("a9", "a9")])
    text = made["ansi"].render()
    assert text.splitlines()[1].split() == "1 B . . . . . . . W".split()
    assert text.splitlines()[9].split()[:2] == ["9", "1"]
    assert capsys.readouterr().out.splitlines()[-10:] == text.splitlines()
    picture = made["rgb_array"].render()
    assert picture.shape == (288, 288, 3)
    cells = picture.reshape(9, 32, 9, 32, 3).swapaxes(1, 2)
    kinds = {
        content: np.unique(cells[position.to_array() == content], axis=0) for content in range(4)
    }
    assert [len(kind) for kind in kinds.values()] == [1, 1, 1, 1]
    black, white, egg = (kinds[content].mean() for content in (1, 2, 3))
    assert black < egg < white
    picture[:] = 0
    assert made["rgb_array"].render().any()


def test_without_a_render_mode_there_is_a_warning(env):
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert env.render() is None


# --- bad input --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ({"black": 40, "white": 0}, IllegalMoveError, "Black cannot pick e5: the cell holds"),
        ({"black": 0, "white": 81}, IllegalMoveError, "White cannot pick 81: cells are 0..80"),
        ({"black": 0, "white": 1.5}, TypeError, "a cell must be an int 0..80 or a name"),
        ({"black": 0, "white": None}, TypeError, "not NoneType"),
        ({"black": 0}, ValueError, "there are actions for 'black': expected 'black' and 'white'"),
        ({}, ValueError, "there are actions for no agent: expected 'black' and 'white'"),
        (
            {"black": 0, "white": 1, "red": 2},
            ValueError,
            "there are actions for 'black', 'white', 'red': expected 'black' and 'white'",
        ),
        ([0, 1], TypeError, "actions must be a dict by agent, not list"),
    ],
)
def test_bad_actions_change_nothing(env, actions, error, message):
    play(env, [("e5", "d4")])
    before = env.position
    with pytest.raises(error) as raised:
        env.step(actions)
    assert message in str(raised.value)
    assert env.position == before
    assert env.agents == ["black", "white"]


@pytest.mark.parametrize("actions", [{"black": 8, "white": 9}, {}])
def test_a_step_needs_a_game(actions):
    env = parallel_env()
    with pytest.raises(ResetNeeded, match="no game is going on"):
        env.step(actions)
    env.reset()
    play(env, BLACK_WINS)
    with pytest.raises(ResetNeeded, match="no game is going on"):
        env.step(actions)
    env.reset()
    env.step({"black": 8, "white": 9})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_turns": 0}, ValueError, "max_turns is 0: expected 1..4294967295"),
        ({"max_turns": "9"}, TypeError, "max_turns must be an int, not str"),
        (
            {"render_mode": "svg"},
            ValueError,
            "render_mode is 'svg': expected None, human, ansi, rgb_array",
        ),
        ({"dtype": "int8"}, ValueError, "planes are float32 or uint8, not int8"),
    ],
)
def test_bad_settings(options, error, message):
    with pytest.raises(error) as raised:
        parallel_env(**options)
    assert str(raised.value) == message


def test_threads_have_environments_of_their_own(eight_at_once):
    """Observations in one thread are not mixed up with those of another."""

    def played(number):
        env = parallel_env()
        rng = np.random.default_rng(number)
        observations, _ = env.reset()
        while env.agents:
            cells = np.flatnonzero(observations["black"]["action_mask"])
            black, white = rng.choice(cells, 2)
            observations, *_ = env.step({"black": black, "white": white})
            board = env.position.to_array()
            for agent, player in (("black", BLACK), ("white", WHITE)):
                own = observations[agent]["observation"][0]
                assert np.array_equal(own, board == player)
                assert np.array_equal(observations[agent]["action_mask"], env.position.legal_mask())
        return str(env.position)

    together = [eight_at_once(played) for _ in range(3)]
    assert together == [[played(number) for number in range(8)]] * 3
