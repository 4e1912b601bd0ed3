"""The Gymnasium environments: Gymnasium's own checks, and many games against single ones."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from wts_fast import BLACK, WHITE, Batch, IllegalMoveError
from wts_fast.arena import PlayerError
from wts_fast.envs.gymnasium import WhatTheShellEnv, WhatTheShellVectorEnv

MODES = list(AutoresetMode)


class Walker:
    """Picks the empty cells in order, from the top or the bottom, and counts its picks."""

    def __init__(self, name="walker"):
        self.name = name
        self.picks = 0

    def choose(self, position, player, rng):
        self.picks += 1
        cells = position.legal_moves()
        return cells[0] if self.picks % 3 else cells[-1]


class Constant:
    """Picks the same thing every time; its name is that of its class."""

    def __init__(self, pick):
        self.pick = pick

    def choose(self, position, player, rng):
        return self.pick


def random_cells(masks, rng):
    """Return a legal cell for each row of masks, or 0 where there is none."""
    return (masks * rng.random(masks.shape)).argmax(axis=-1)


# --- one game ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{}, {"player": WHITE, "dtype": "uint8"}, {"opponent": Walker(), "render_mode": "ansi"}],
)
def test_check_env(options):
    check_env(gymnasium.make("WhatTheShell-v0", **options).unwrapped)


def test_it_is_found_by_module_and_name():
    env = gymnasium.make("wts_fast.envs.gymnasium:WhatTheShell-v0", opponent=0)
    assert isinstance(env.unwrapped, WhatTheShellEnv)
    many = gymnasium.make_vec("WhatTheShell-v0", num_envs=3)
    assert isinstance(many, WhatTheShellVectorEnv)
    assert many.num_envs == 3


@pytest.mark.parametrize("player", [BLACK, WHITE])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_games_to_their_end(player, dtype):
    env = WhatTheShellEnv(player=player, dtype=dtype)
    rng = np.random.default_rng(1)
    rewards = set()
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        ended = False
        while not ended:
            action = random_cells(info["action_mask"], rng)
            observation, reward, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
            game = Batch.from_positions([env.position])
            assert observation in env.observation_space
            assert np.array_equal(observation, game.observe(player, dtype=dtype)[0])
            assert np.array_equal(info["action_mask"], game.legal_mask()[0])
            assert reward == (env.position.outcome.value_for(player) if ended else 0)
        assert terminated
        rewards.add(reward)
    assert rewards == {1.0, -1.0}


def test_a_seed_gives_the_same_game():
    def played(env, seed):
        env.reset(seed=seed)
        for cell in range(0, 10, 2):
            env.step(env.position.legal_moves()[cell])
        return env.position

    env = WhatTheShellEnv()
    assert played(env, 3) == played(env, 3) == played(WhatTheShellEnv(), 3)
    assert played(env, 4) != played(env, 3)


def test_agent_and_opponent_differ_under_one_seed():
    """The opponent does not draw from the stream that a seed gives the action space."""
    same = 0
    for seed in range(200):
        env = WhatTheShellEnv()
        env.action_space.seed(seed)
        env.reset(seed=seed)
        env.step(env.action_space.sample())
        same += len(env.position.eggs)
    assert same < 15  # 2.5 are expected


def test_a_game_cut_short_is_truncated():
    env = WhatTheShellEnv(max_turns=2, opponent=Walker())
    env.reset()
    assert env.step("i9")[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step("i8")
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["action_mask"].sum() == 77


def test_each_game_has_its_own_copy_of_the_opponent():
    opponent = Walker()
    env = WhatTheShellEnv(opponent=opponent, max_turns=2)
    for _ in range(2):
        env.reset()
        env.step("e5")
        assert env.position.to_array()[0, 0] == WHITE
        env.step("e6")
        assert env.position.to_array()[0, 1] == WHITE
    assert opponent.picks == 0


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_the_board_and_go_on_alone(copied):
    env = WhatTheShellEnv()
    env.reset(seed=5)
    env.step("e5")
    before = env.position
    twin = copied(env)
    twin.step(before.legal_moves()[-1])
    assert env.position == before
    env.step(before.legal_moves()[-1])
    assert env.position == twin.position


# --- many games -------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("player", [BLACK, WHITE])
def test_many_games_are_as_single_ones(mode, player):
    """The same results, to the last info, as Gymnasium's loop over single environments."""
    options = {"opponent": Walker(), "player": player, "max_turns": 8, "dtype": "uint8"}
    many = gymnasium.make_vec("WhatTheShell-v0", 40, autoreset_mode=mode, **options)
    assert many.metadata["autoreset_mode"] is mode
    single = SyncVectorEnv([lambda: WhatTheShellEnv(**options)] * 40, autoreset_mode=mode)
    assert many.observation_space == single.observation_space
    assert many.action_space == single.action_space
    told, expected = many.reset(), single.reset()
    rng = np.random.default_rng(2)
    counts = np.zeros(2, dtype=int)
    for _ in range(60):
        assert data_equivalence(told, expected, exact=True)
        actions = random_cells(told[-1]["action_mask"], rng)
        told, expected = many.step(actions), single.step(actions)
        ended = told[2] | told[3]
        counts += told[2].sum(), told[3].sum()
        if mode is AutoresetMode.DISABLED and ended.any():
            assert data_equivalence(told, expected, exact=True)
            told = many.reset(options={"reset_mask": ended})
            expected = single.reset(options={"reset_mask": ended})
            assert np.array_equal(told[0], expected[0])
            assert np.array_equal(told[1]["action_mask"][ended], expected[1]["action_mask"][ended])
            expected = told
    assert counts.min() > 20


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_both_sides(dtype):
    many = WhatTheShellVectorEnv(600, opponent=None, dtype=dtype, autoreset_mode="SameStep")
    batch = Batch(600)
    observations, infos = many.reset()
    rng = np.random.default_rng(3)
    ends = 0
    for _ in range(40):
        actions = np.stack([random_cells(infos["action_mask"], rng) for _ in range(2)], axis=1)
        assert actions in many.action_space
        observations, rewards, terminations, _, infos = many.step(actions)
        batch.play(*actions.T)
        both = np.stack([batch.observe(side, dtype=dtype) for side in (BLACK, WHITE)], axis=1)
        assert np.array_equal(rewards, batch.values(BLACK, undecided=0))
        assert np.array_equal(terminations, batch.outcomes != 0)
        for game in np.flatnonzero(terminations):
            assert np.array_equal(infos["final_obs"][game], both[game])
        batch.reset(where=terminations)
        both[terminations] = 0
        assert np.array_equal(observations, both)
        assert np.array_equal(infos["action_mask"], batch.legal_mask())
        ends += terminations.sum()
    assert ends > 500
    assert observations in many.observation_space


def test_the_random_opponent_picks_for_all_games():
    many = WhatTheShellVectorEnv(500, player=WHITE)
    many.reset(seed=1)
    observations, *_ = many.step(np.full(500, 40))
    others = observations[:, 1].reshape(500, 81).argmax(axis=1)
    assert len(np.unique(others)) > 70
    again = WhatTheShellVectorEnv(500, player=WHITE)
    again.reset(seed=1)
    assert np.array_equal(again.step(np.full(500, 40))[0], observations)


def test_results_are_not_touched_later():
    many = WhatTheShellVectorEnv(3, autoreset_mode="SameStep")
    first, infos = many.reset()
    many.step([0, 1, 2])
    assert not first.any()
    assert infos["action_mask"].all()


def test_a_copy_of_many_games_goes_on_alone():
    many = WhatTheShellVectorEnv(5)
    many.reset(seed=1)
    many.step(np.arange(5))
    twin = pickle.loads(pickle.dumps(many))
    actions = random_cells(
        many.step(np.arange(5) + 40)[-1]["action_mask"], np.random.default_rng(1)
    )
    twin.step(np.arange(5) + 40)
    assert data_equivalence(twin.step(actions), many.step(actions), exact=True)


def test_many_games_are_rendered():
    texts = WhatTheShellVectorEnv(2, render_mode="ansi")
    texts.reset(seed=1)
    texts.step([0, 8])
    assert [text.splitlines()[1].split()[1] for text in texts.render()] == ["B", "."]
    pictures = WhatTheShellVectorEnv(2, render_mode="rgb_array")
    pictures.reset()
    assert [picture.shape for picture in pictures.render()] == [(288, 288, 3)] * 2
    with pytest.warns(UserWarning, match="made without a render_mode"):
        assert WhatTheShellVectorEnv(2).render() is None


# --- bad input --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        ("a1", IllegalMoveError, "Black cannot pick a1: the cell holds a white turtle"),
        (81, IllegalMoveError, "Black cannot pick 81: cells are 0..80 or a1..i9"),
        (0.0, TypeError, "a cell must be an int 0..80 or a name such as 'e5', not float"),
    ],
)
def test_bad_actions_change_nothing(action, error, message):
    env, twin = (WhatTheShellEnv(opponent=Walker()) for _ in range(2))
    for each in (env, twin):
        each.reset()
        each.step("e5")
    before = env.position
    with pytest.raises(error) as raised:
        env.step(action)
    assert str(raised.value) == message
    assert env.position == before
    for cell in ("e6", "e7"):
        env.step(cell)
        twin.step(cell)
        assert env.position == twin.position


@pytest.mark.parametrize("opponent", ["random", Walker()])
@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([60, 40], IllegalMoveError, "game 1: Black cannot pick e5: the cell holds a black turtle"),
        ([0, 1, 2], ValueError, "actions have shape (3,): expected (2,)"),
        ([0.0, 1.0], TypeError, "actions must be an array of integers, not of float64"),
    ],
)
def test_bad_arrays_change_nothing(opponent, actions, error, message):
    env, twin = (WhatTheShellVectorEnv(2, opponent=opponent) for _ in range(2))
    for each in (env, twin):
        each.reset(seed=1)
        each.step([40, 40])
    with pytest.raises(error) as raised:
        env.step(actions)
    assert str(raised.value) == message
    for cells in ([41, 41], [42, 42]):
        assert data_equivalence(env.step(cells), twin.step(cells), exact=True)


@pytest.mark.parametrize(
    ("pick", "message"),
    [
        (40, "opponent 'Constant' (White) picked e5 at '{}': expected an empty cell"),
        (99, "opponent 'Constant' (White) picked 99 at '{}': expected an empty cell"),
        (None, "opponent 'Constant' (White) picked None of type NoneType at '{}': expected an"),
    ],
)
def test_an_opponent_that_picks_no_empty_cell(pick, message):
    env = WhatTheShellEnv(opponent=Constant(8))
    env.reset()
    env.step("e5")
    env._copy.pick = pick
    with pytest.raises(PlayerError) as raised:
        env.step("e6")
    assert message.format(env.position) in str(raised.value)
    many = WhatTheShellVectorEnv(2, opponent=Constant(99))
    many.reset()
    with pytest.raises(PlayerError, match="picked 99"):
        many.step([0, 1])


def test_a_step_needs_a_game():
    env = WhatTheShellEnv(max_turns=1)
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="no game is going on"):
            env.step(0)
        env.reset()
        env.step(0)
    many = WhatTheShellVectorEnv(2, max_turns=1, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded, match="no game is going on"):
        many.step([0, 0])
    with pytest.raises(ResetNeeded, match="reset all games before some of them"):
        many.reset(options={"reset_mask": np.array([True, False])})
    many.reset()
    many.step([0, 0])
    many.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match="1 games have ended, the first of them game 1"):
        many.step([0, 0])


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        ([True, False], TypeError, "reset_mask must be an array of bool, not list"),
        (np.ones(2), TypeError, "reset_mask must be an array of bool, not one of float64"),
        (np.ones(3, dtype=bool), ValueError, "reset_mask has shape (3,): expected (2,)"),
        (
            np.zeros(2, dtype=bool),
            ValueError,
            "reset_mask is False everywhere: expected True for one game or more",
        ),
    ],
)
def test_bad_masks(mask, error, message):
    many = WhatTheShellVectorEnv(2)
    many.reset()
    with pytest.raises(error) as raised:
        many.reset(options={"reset_mask": mask})
    assert str(raised.value) == message


@pytest.mark.parametrize("make", [WhatTheShellEnv, WhatTheShellVectorEnv])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opponent": "nobody"}, ValueError, "no player is named 'nobody'"),
        ({"opponent": 3.5}, TypeError, "expected a player, or a"),
        ({"player": 3}, ValueError, "player must be BLACK (1) or WHITE (2), not 3"),
        ({"max_turns": 0}, ValueError, "max_turns is 0: expected 1..4294967295"),
        ({"render_mode": "svg"}, ValueError, "render_mode is 'svg': expected None, "),
        ({"dtype": "int8"}, ValueError, "planes are float32 or uint8, not int8"),
    ],
)
def test_bad_settings(make, options, error, message):
    with pytest.raises(error) as raised:
        make(**options)
    assert message in str(raised.value)


def test_bad_settings_of_many_games():
    with pytest.raises(ValueError, match="num_envs is 0: expected 1"):
        WhatTheShellVectorEnv(0)
    with pytest.raises(ValueError, match="autoreset_mode is 'Never': expected NextStep, SameStep"):
        WhatTheShellVectorEnv(1, autoreset_mode="Never")
