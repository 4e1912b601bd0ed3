"""The OpenSpiel game: OpenSpiel's own test, its bots and algorithms."""

import copy
import pickle

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, mcts
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.policy import UniformRandomPolicy

import wts_fast.envs.openspiel  # noqa: F401
from wts_fast import BLACK, WHITE, Batch, IllegalMoveError, Outcome, Position, outcomes

FOUR = "9/1bbbb4/9/9/9/9/9/9/9 - 4"
"""Black has four in a row, open at both ends."""


@pytest.fixture
def game():
    return pyspiel.load_game("what_the_shell")


def test_random_games_in_openspiel(game):
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_the_turn_based_game_in_openspiel(game):
    turn_based = pyspiel.convert_to_turn_based(game)
    pyspiel.random_sim_test(turn_based, num_sims=2, serialize=False, verbose=False)


def test_what_the_game_is(game):
    kind = game.get_type()
    assert kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert game.num_distinct_actions() == 81
    assert game.num_players() == 2
    assert game.max_game_length() == 400
    assert game.observation_tensor_shape() == [5, 9, 9]
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)


def test_a_state_is_a_position(game):
    rng = np.random.default_rng(1)
    for _ in range(5):
        state, position = game.new_initial_state(), Position()
        while not state.is_terminal():
            assert state.current_player() == pyspiel.PlayerId.SIMULTANEOUS
            for player, color in enumerate((BLACK, WHITE)):
                assert state.legal_actions(player) == position.legal_moves()
                seen = Batch.from_positions([position]).observe(color)
                assert np.array_equal(state.observation_tensor(player), seen.ravel())
                assert state.observation_string(player) == str(position)
            picks = rng.choice(position.legal_moves(), 2).tolist()
            state.apply_actions(picks)
            position = position.play(*picks)
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert str(state) == str(position)
        assert state.legal_actions(0) == []
        assert state.returns() == [
            position.outcome.value_for(BLACK),
            position.outcome.value_for(WHITE),
        ]
        assert state.is_terminal() == (position.outcome is not Outcome.UNDECIDED)


def test_actions_have_names(game):
    state = game.new_initial_state()
    assert state.action_to_string(0, 40) == "Black e5"
    assert state.action_to_string(1, 80) == "White i9"
    assert state.string_to_action(1, "White i9") == 80


def test_information_states_recall_the_actions(game):
    one, other = (game.new_initial_state() for _ in range(2))
    one.apply_actions([0, 1])
    one.apply_actions([2, 3])
    other.apply_actions([2, 1])
    other.apply_actions([0, 3])
    assert one.observation_string(0) == other.observation_string(0)
    assert one.information_state_string(0) != other.information_state_string(0)


def test_max_turns():
    game = pyspiel.load_game("what_the_shell(max_turns=2)")
    assert game.max_game_length() == 2
    for state in (game.new_initial_state(), game.new_initial_state(FOUR)):
        state.apply_actions([70, 71])
        assert not state.is_terminal()
        state.apply_actions([72, 73])
        assert state.is_terminal()
        assert state.returns() == [0, 0]
        assert state.legal_actions(0) == []


@pytest.mark.parametrize(
    "copied",
    [
        lambda state: state.clone(),
        copy.deepcopy,
        lambda state: pickle.loads(pickle.dumps(state)),
        lambda state: pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(state.get_game(), state)
        )[1],
    ],
    ids=["clone", "deepcopy", "pickle", "serialize"],
)
def test_copies_keep_the_board_and_go_on_alone(copied):
    state = pyspiel.load_game("what_the_shell(max_turns=3)").new_initial_state(FOUR)
    state.apply_actions([0, 0])
    twin = copied(state)
    assert str(twin) == str(state)
    assert twin.history() == state.history()
    twin.apply_actions([9, 1])
    assert twin.returns() == [1, -1]
    assert not state.is_terminal()
    for cell in (1, 2):
        state.apply_actions([cell, cell])
    assert state.is_terminal()


# --- bots and algorithms ----------------------------------------------------------------


def test_bots_play_simultaneous_moves(game):
    rng = np.random.RandomState(1)
    bots = [UniformRandomBot(player, rng) for player in (0, 1)]
    results = {
        tuple(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)) for _ in range(20)
    }
    assert results == {(1, -1), (-1, 1)}


def test_expected_values_of_simultaneous_moves():
    """What uniform play is worth, by OpenSpiel's tree of one turn and by the core."""
    game = pyspiel.load_game("what_the_shell(max_turns=1)")
    position = Position.from_string(FOUR)
    results = outcomes(position)
    legal = results >= 0
    wins = (results == Outcome.BLACK_WINS).sum() - (results == Outcome.WHITE_WINS).sum()
    uniform = UniformRandomPolicy(game)
    values = policy_value(game.new_initial_state(FOUR), uniform)
    assert values[0] == pytest.approx(wins / legal.sum())
    assert values[0] == -values[1] > 0


def test_mcts_plays_the_turn_based_game(game):
    turn_based = pyspiel.convert_to_turn_based(game)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    bot = mcts.MCTSBot(turn_based, 2.0, 5, evaluator, solve=False, random_state=rng)
    state = turn_based.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sorted(state.returns()) == [-1, 1]


def test_the_search_of_openspiel_in_cpp(game):
    turn_based = pyspiel.convert_to_turn_based(game)
    bot = pyspiel.MCTSBot(
        turn_based,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1),
        uct_c=2.0,
        max_simulations=100,
        max_memory_mb=10,
        solve=False,
        seed=1,
        verbose=False,
    )
    root = bot.mcts_search(turn_based.new_initial_state())
    assert root.explore_count == 100
    assert root.best_child().action in range(81)


def test_an_environment_of_openspiel(game):
    env = rl_environment.Environment(game)
    step = env.reset()
    rng = np.random.default_rng(1)
    while not step.last():
        step = env.step([rng.choice(legal) for legal in step.observations["legal_actions"]])
    assert sorted(step.rewards) == [-1, 1]


# --- bad input --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([40, 0], "Black cannot pick e5: the cell holds a black turtle"),
        ([0, 81], "White cannot pick 81: cells are 0..80 or a1..i9"),
    ],
)
def test_bad_actions_change_nothing(game, actions, message):
    state = game.new_initial_state()
    state.apply_actions([40, 41])
    with pytest.raises(IllegalMoveError) as raised:
        state.apply_actions(actions)
    assert str(raised.value) == message
    assert str(state) == "9/9/9/9/4bw3/9/9/9/9 - 1"
    assert state.history() == [40, 41]


def test_a_game_that_is_over_takes_no_actions():
    state = pyspiel.load_game("what_the_shell(max_turns=1)").new_initial_state()
    state.apply_actions([40, 41])
    with pytest.raises(IllegalMoveError, match="no turn is left"):
        state.apply_actions([0, 1])
    with pytest.raises(ValueError, match="2 actions"):
        pyspiel.load_game("what_the_shell").new_initial_state().apply_actions([0])


def test_bad_settings(game):
    with pytest.raises(ValueError, match="max_turns is 0: expected 1"):
        pyspiel.load_game("what_the_shell(max_turns=0)")
    with pytest.raises(ValueError, match="position string 'x': expected 3 fields"):
        game.new_initial_state("x")
    with pytest.raises(ValueError, match="takes no parameters"):
        game.make_py_observer(None, {"planes": 1})
