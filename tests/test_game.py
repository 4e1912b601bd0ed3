"""Game: history and undo, result, records written and read. Over both engines."""

import copy
import doctest
import io
import pickle
import re
from itertools import cycle, islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wts_fast
import wts_fast.game
from wts_fast import IllegalMoveError, Outcome, reference
from wts_fast.game import RESULTS, Game, read_games, write_games

ENGINES = [
    pytest.param(wts_fast.Position, id="core"),
    pytest.param(reference.Position, id="reference"),
]

EMPTY_BOARD = "9/9/9/9/9/9/9/9/9 - 0"
BLACK_WON = "bbbbb4/9/9/9/9/9/9/9/wwww5 - 9"
ONE_TURN_LEFT = "bbbb5/9/9/9/9/9/9/9/wwww5 - 4"
ONE_CELL_LEFT = (
    "wbwbwbwbb/bbwwbbbwb/bbbwbwbwb/wbbwbwbwb/bwwwbbbbw/wbbbwwwwb/wbbwwwbww/bbwwwwbbb/wwbbwbww1 - 80"
)
ANY_RESULT = "a result: *, 1-0, 0-1, 1/2-1/2"


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


def play_all(game, *turns):
    for turn in turns:
        game.play(*turn.split())
    return game


def message_of(error_type, text):
    """Return the message of the error that reading `text` raises, of exactly this type."""
    with pytest.raises(error_type) as caught:
        list(read_games(text))
    assert type(caught.value) is error_type
    return str(caught.value)


# --- random games -----------------------------------------------------------------------

any_speed = settings(deadline=None)

picks = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=45)
tag_names = st.from_regex("[A-Za-z0-9_]+", fullmatch=True).filter(
    lambda name: name not in ("Result", "Position")
)
tag_values = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]))
comment_texts = st.text(st.characters(exclude_characters="}", exclude_categories=["Cs"]))
spoken_texts = comment_texts | st.text('{[]" \\\r\n\t1.e5*', max_size=200)


def play_some(game, turns):
    """Play turns whose picks are taken as an index into the legal moves."""
    for black, white in turns:
        legal = game.position.legal_moves()
        if not legal:
            break
        game.play(legal[black % len(legal)], legal[white % len(legal)])


@st.composite
def games(draw, engine):
    """A game that can be written, of any start, turns, tags, comments and result."""
    before = Game(engine())
    play_some(before, draw(st.just([]) | picks))
    start = before.position
    if draw(st.booleans()):
        board = str(start).rsplit(" ", 1)[0]
        start = engine.from_string(f"{board} {draw(st.integers(0, 2**32 - 1))}")
    game = Game(start, draw(st.dictionaries(tag_names, tag_values, max_size=5)))
    play_some(game, draw(picks))
    game.comments.update(draw(st.dictionaries(st.integers(0, len(game)), spoken_texts, max_size=5)))
    if draw(st.booleans()):
        game.tags["Result"] = draw(st.sampled_from(list(RESULTS.values())))
    return game


@pytest.mark.parametrize("engine", ENGINES)
class TestRoundTrip:
    @any_speed
    @given(data=st.data())
    def test_a_record_reads_back_as_the_game(self, engine, data):
        game = data.draw(games(engine))
        again = Game.from_string(str(game))
        assert again == game
        assert again.start.to_bytes() == game.start.to_bytes()
        assert again.moves == game.moves
        assert again.comments == game.comments
        assert again.result == game.result
        assert str(again) == str(game)

        game.tags.pop("Result", None)
        again.tags.pop("Result", None)
        assert list(again.tags.items()) == list(game.tags.items())
        assert [p.to_bytes() for p in again.positions()] == [p.to_bytes() for p in game.positions()]

    @any_speed
    @given(data=st.data())
    def test_several_games_in_one_text(self, engine, data):
        written = data.draw(st.lists(games(engine), max_size=4))
        file = io.StringIO()
        write_games(written, file)
        assert list(read_games(file.getvalue())) == written
        file.seek(0)
        assert list(read_games(file)) == written

    @any_speed
    @given(data=st.data())
    def test_copies_and_pickles_are_equal(self, engine, data):
        game = data.draw(games(engine))
        for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert again == game
            assert again.tags == game.tags
            assert list(again.tags) == list(game.tags)
            assert again.positions() == game.positions()
            assert type(again.position) is engine

    @any_speed
    @given(data=st.data())
    def test_no_line_of_turns_is_wider_than_80_columns(self, engine, data):
        game = data.draw(games(engine))
        game.comments.clear()
        lines = str(game).split("\n\n", 1)[1].split("\n")
        assert all(len(line) <= 80 for line in lines)
        for line, following in pairwise(lines):
            assert len(line) + 1 + len(following.split(" ")[0]) > 80

    @any_speed
    @given(data=st.data())
    def test_undo_goes_back_through_all_positions(self, engine, data):
        game = data.draw(games(engine))
        positions, moves = game.positions(), list(game.moves)
        while moves:
            assert game.undo() == moves.pop()
            positions.pop()
            assert game.positions() == positions
            assert game.position is positions[-1]
            assert game.moves == tuple(moves)


@any_speed
@given(st.text('[]{}"\\ \r\n*1.-02/abe5A\ufeff', max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        found = list(read_games(text))
    except ValueError as error:
        assert re.match(r"game \d+, (line|turn) \d+: ", str(error))
    else:
        assert [Game.from_string(str(game)) for game in found] == found


@settings(any_speed, max_examples=300)
@given(data=st.data())
def test_a_record_cut_short_is_refused(data):
    """The result stands last, so nothing before it can be mistaken for a whole record."""
    record = str(data.draw(games(wts_fast.Position)))
    cut = record[: data.draw(st.integers(0, len(record) - 1))]
    if not re.search(r"(^|[\s}])(\*|[01]-[01])$", cut):
        with pytest.raises(ValueError, match="game 1, line"):
            Game.from_string(cut)


def long_game(turns):
    """A game that could go on for ever (R8): every second turn, all newcomers are captured."""
    start = wts_fast.Position.from_string("9/9/9/9/1b4w2/9/9/9/9 - 0")
    return play_all(Game(start), *islice(cycle(["f5 c5", "e5 d5"]), turns))


# --- the game ---------------------------------------------------------------------------


def test_a_new_game_is_the_empty_board_of_the_core():
    game = Game()
    assert type(game.position) is wts_fast.Position
    assert str(game.position) == EMPTY_BOARD
    assert (game.moves, game.tags, game.comments, len(game)) == ((), {}, {}, 0)
    assert (game.outcome, game.is_over, game.result) == (Outcome.UNDECIDED, False, "*")


def test_play_adds_a_turn_and_returns_the_position(engine):
    game = Game(engine())
    after = game.play("e5", 41)
    assert type(after) is engine
    assert after == engine().play(40, 41)
    assert game.position is after
    assert game.positions() == [engine(), after]
    assert game.start == engine()
    assert game.moves == ((40, 41),)
    assert [type(cell) for cell in game.moves[0]] == [int, int]
    assert len(game) == 1


def test_picks_of_any_integer_type_become_ints():
    numpy = pytest.importorskip("numpy")
    game = Game()
    game.play(numpy.int8(3), numpy.uint64(4))
    assert [type(cell) for cell in game.moves[0]] == [int, int]


@pytest.mark.parametrize(
    ("black", "white", "error", "message"),
    [
        ("e5", "a1", IllegalMoveError, "Black cannot pick e5: the cell holds an egg"),
        ("a1", 40, IllegalMoveError, "White cannot pick e5: the cell holds an egg"),
        ("a1", 81, IllegalMoveError, "White cannot pick 81: cells are 0..80 or a1..i9"),
        ("a1", None, TypeError, "not NoneType"),
    ],
)
def test_a_refused_turn_changes_nothing(engine, black, white, error, message):
    game = play_all(Game(engine(), {"Result": "1-0"}), "e5 e5")
    game.tags["Result"] = "1-0"
    before = copy.deepcopy(game)
    with pytest.raises(error, match=re.escape(message)):
        game.play(black, white)
    assert game == before
    assert game.tags == {"Result": "1-0"}
    assert len(game.positions()) == 2


def test_what_is_handed_out_is_not_the_history_itself(engine):
    tags = {"Black": "Ada"}
    game = play_all(Game(engine(), tags), "e5 e5")
    game.positions().clear()
    game.tags["White"] = "Grace"
    assert len(game.positions()) == 2
    assert isinstance(game.moves, tuple)
    assert tags == {"Black": "Ada"}


def test_undo_returns_the_picks_and_drops_what_came_after(engine):
    game = play_all(Game(engine()), "e5 e5", "a1 b2")
    game.comments.update({0: "before", 1: "between", 2: "after"})
    game.tags.update(Result="0-1", Black="Ada")
    comments = game.comments
    assert game.undo() == (0, 10)
    assert str(game.position) == "9/9/9/9/4e4/9/9/9/9 e5 1"
    assert comments is game.comments
    assert game.comments == {0: "before", 1: "between"}
    assert game.tags == {"Black": "Ada"}
    assert game.result == "*"


def test_undo_at_the_start_says_so_and_changes_nothing(engine):
    game = Game(engine.from_string(ONE_TURN_LEFT), {"Result": "1-0"})
    with pytest.raises(IndexError, match="there is no turn to take back: the game is at its start"):
        game.undo()
    assert game.tags == {"Result": "1-0"}
    assert len(game.positions()) == 1


def test_undo_reopens_a_finished_game(engine):
    game = play_all(Game(engine.from_string(ONE_TURN_LEFT)), "e1 i5")
    assert game.is_over
    game.undo()
    assert not game.is_over
    assert game.result == "*"
    assert game.play("i5", "e9").outcome == Outcome.WHITE_WINS


# --- the result -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "turn", "outcome", "result"),
    [
        (EMPTY_BOARD, "a1 b2", Outcome.UNDECIDED, "*"),
        (ONE_TURN_LEFT, "e1 i5", Outcome.BLACK_WINS, "1-0"),
        (ONE_TURN_LEFT, "i5 e9", Outcome.WHITE_WINS, "0-1"),
        (ONE_CELL_LEFT, "i9 i9", Outcome.DRAW, "1/2-1/2"),
    ],
)
def test_the_result_follows_from_the_board(engine, start, turn, outcome, result):
    game = play_all(Game(engine.from_string(start)), turn)
    assert (game.outcome, game.is_over, game.result) == (outcome, outcome != 0, result)
    assert f'[Result "{result}"]' in str(game).split("\n")
    assert str(game).endswith(f" {result}")


def test_the_tag_holds_the_result_while_the_board_leaves_it_open(engine):
    game = Game(engine.from_string(ONE_TURN_LEFT), {"Result": "0-1"})
    assert game.result == "0-1"
    assert not game.is_over
    game.play("a5", "b5")
    assert "Result" not in game.tags
    assert game.result == "*"


def test_the_board_overrules_the_tag(engine):
    game = Game(engine.from_string(BLACK_WON), {"Result": "0-1"})
    assert game.result == "1-0"
    assert str(game).endswith('[Result "1-0"]\n\n1-0')


def test_the_tag_is_read_back_only_where_the_board_leaves_the_result_open():
    adjudicated = '[Result "1/2-1/2"]\n\n1. e5 e5 1/2-1/2'
    assert Game.from_string(adjudicated).tags == {"Result": "1/2-1/2"}
    assert Game.from_string(f'[Position "{BLACK_WON}"]\n[Result "1-0"]\n\n1-0').tags == {}
    assert Game.from_string('[Result "*"]\n\n1. e5 e5 *').tags == {}


def test_the_token_alone_gives_the_result():
    assert Game.from_string("1. e5 e5 0-1").result == "0-1"
    assert Game.from_string("1. e5 e5 0-1").tags == {"Result": "0-1"}


# --- equality, copies, repr -------------------------------------------------------------


def example(engine):
    game = play_all(Game(engine(), {"Black": "Ada"}), "e5 e5", "a1 b2")
    game.comments[1] = "Eggs!"
    return game


def test_equal_games_have_the_same_start_moves_tags_and_comments(engine):
    def changed(change):
        game = example(engine)
        change(game)
        return game

    assert example(engine) == example(engine)
    assert example(engine) != changed(Game.undo)
    assert example(engine) != changed(lambda game: game.play("c3", "c3"))
    assert example(engine) != changed(lambda game: game.tags.update(Black="Eve"))
    assert example(engine) != changed(lambda game: game.tags.update(Result="1-0"))
    assert example(engine) != changed(lambda game: game.comments.update({1: "Egg!"}))
    assert example(engine) != changed(lambda game: game.comments.update({2: "Eggs!"}))
    assert example(engine) == changed(lambda game: game.tags.update(Result="*"))
    assert example(engine) != str(example(engine))


def test_the_turn_of_the_start_counts_for_equality(engine):
    later = engine.from_string("9/9/9/9/9/9/9/9/9 - 3")
    assert later == engine()
    assert Game(later) != Game(engine())


def test_the_same_game_in_either_engine_is_equal():
    assert example(wts_fast.Position) == example(reference.Position)


def test_games_are_not_hashable():
    with pytest.raises(TypeError, match="unhashable type: 'Game'"):
        hash(Game())


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_are_independent(engine, duplicate):
    game = example(engine)
    game.tags["Result"] = "0-1"
    other = duplicate(game)
    assert other.result == "0-1"
    other.tags["Black"] = "Eve"
    other.comments[2] = "Done."
    other.play("c3", "d4")
    assert game.tags == {"Black": "Ada", "Result": "0-1"}
    assert game.comments == {1: "Eggs!"}
    assert len(game) == 2
    assert len(game.positions()) == 3
    game.undo()
    assert len(other) == 3


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_pickle_protocol_works(engine, protocol):
    assert pickle.loads(pickle.dumps(example(engine), protocol)) == example(engine)


def test_a_pickle_holds_the_moves_and_not_every_position():
    game = long_game(2000)
    assert len(pickle.dumps(game)) < 20 * len(game)


def test_repr_shows_where_the_game_stands(engine):
    game = play_all(Game(engine()), "e5 e5")
    assert repr(game) == "<Game turns=1 result='*' position='9/9/9/9/4e4/9/9/9/9 e5 1'>"


# --- writing ----------------------------------------------------------------------------


def test_the_record_of_a_new_game():
    assert str(Game()) == '[Result "*"]\n\n*'


def test_the_record_of_a_game(engine):
    game = Game(engine(), {"Event": 'The "Shell"', "Path": "C:\\eggs", "White": "Łukasz 🐢"})
    play_all(game, "e5 e5", "d4 f6")
    game.comments.update({2: "White resigns.", 0: "", 1: "An {egg"})
    game.tags["Result"] = "1-0"
    game.tags["Black"] = "Ada"
    assert str(game) == "\n".join(
        [
            r'[Event "The \"Shell\""]',
            r'[Path "C:\\eggs"]',
            '[White "Łukasz 🐢"]',
            '[Black "Ada"]',
            '[Result "1-0"]',
            "",
            "{} 1. e5 e5 {An {egg} 2. d4 f6 {White resigns.} 1-0",
        ]
    )


def test_another_start_stands_in_a_tag_and_numbers_count_on(engine):
    game = play_all(Game(engine.from_string("9/9/9/9/4e4/9/9/9/9 e5 41")), "a1 b2", "c3 d4")
    assert str(game) == (
        '[Position "9/9/9/9/4e4/9/9/9/9 e5 41"]\n[Result "*"]\n\n42. a1 b2 43. c3 d4 *'
    )
    assert Game.from_string(str(game)).tags == {}


def test_an_empty_board_with_turns_completed_is_another_start(engine):
    game = play_all(Game(engine.from_string("9/9/9/9/9/9/9/9/9 - 2")), "a1 b2")
    assert str(game).startswith('[Position "9/9/9/9/9/9/9/9/9 - 2"]\n')
    assert str(game).endswith("\n3. a1 b2 *")


def test_numbers_go_on_where_the_turn_of_the_position_stays(engine):
    game = play_all(Game(engine.from_string("9/9/9/9/9/9/9/9/9 - 4294967295")), "a1 b2", "c3 d4")
    assert game.position.turn == 4294967295
    assert str(game).endswith("\n4294967296. a1 b2 4294967297. c3 d4 *")
    assert Game.from_string(str(game)) == game


def test_lines_break_between_words_after_80_columns():
    game = play_all(
        Game(), *(f"{column}{row} {column}{row}" for row in (2, 4) for column in "abcdef")
    )
    assert str(game).split("\n")[2:] == [
        "1. a2 a2 2. b2 b2 3. c2 c2 4. d2 d2 5. e2 e2 6. f2 f2 7. a4 a4 8. b4 b4 9. c4 c4",
        "10. d4 d4 11. e4 e4 12. f4 f4 *",
    ]
    assert len(str(game).split("\n")[2]) == 80
    game.comments[0] = ""
    assert str(game).split("\n")[2].endswith("9. c4")


def test_a_comment_is_never_wrapped_inside():
    game = play_all(Game(), "a1 a1", "b2 b2")
    game.comments[1] = "wide " * 40
    game.comments[2] = "two\n" + "x" * 75
    assert str(game).split("\n")[2:] == [
        "1. a1 a1",
        "{" + "wide " * 40 + "}",
        "2. b2 b2 {two",
        "x" * 75 + "} *",
    ]
    game.comments[2] += "xxx"
    assert str(game).endswith("x}\n*")


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ({"The Event": "x"}, "tag 'The Event' cannot be written: expected letters, digits and '_'"),
        ({"": "x"}, "tag '' cannot be written: expected letters, digits and '_'"),
        ({"Évent": "x"}, "tag 'Évent' cannot be written: expected letters, digits and '_'"),
        ({"Event\n": "x"}, r"tag 'Event\n' cannot be written: expected letters, digits and '_'"),
        ({"Event": "a\nb"}, r"tag 'Event' cannot be written: 'a\nb' has a line end"),
        ({"Event": "a\rb"}, r"tag 'Event' cannot be written: 'a\rb' has a line end"),
        (
            {"Position": EMPTY_BOARD},
            "tag 'Position' cannot be written: it is reserved for the start position",
        ),
        ({"Result": "Ada"}, f"result 'Ada' cannot be written: expected {ANY_RESULT}"),
    ],
)
def test_tags_that_cannot_be_written(tags, message):
    with pytest.raises(ValueError) as caught:
        str(Game(tags=tags))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("at", "comment", "message"),
    [
        (1, "a } b", "comment at 1 cannot be written: 'a } b' has a '}'"),
        (2, "late", "comment at 2 cannot be written: expected 0..1"),
        (-1, "early", "comment at -1 cannot be written: expected 0..1"),
        ("1", "odd", "comment at '1' cannot be written: expected 0..1"),
    ],
)
def test_comments_that_cannot_be_written(at, comment, message):
    game = play_all(Game(), "e5 e5")
    game.comments[at] = comment
    with pytest.raises(ValueError) as caught:
        str(game)
    assert str(caught.value) == message


def test_games_go_into_a_file_and_come_out_of_it(engine, tmp_path):
    written = [example(engine), Game(engine()), play_all(Game(engine()), "a1 b2")]
    path = tmp_path / "games.txt"
    with path.open("w", encoding="utf-8") as file:
        write_games(written[:2], file)
    with path.open("a", encoding="utf-8") as file:
        write_games(written[2:], file)
    assert path.read_text(encoding="utf-8") == "".join(f"{game}\n\n" for game in written)
    with path.open(encoding="utf-8") as file:
        assert list(read_games(file)) == written


def test_games_before_one_without_a_record_are_written():
    file = io.StringIO()
    with pytest.raises(ValueError, match="tag 'a b' cannot be written"):
        write_games([Game(), Game(tags={"a b": ""})], file)
    assert file.getvalue() == '[Result "*"]\n\n*\n\n'


# --- reading ----------------------------------------------------------------------------


def test_reading_gives_games_of_the_core():
    game = Game.from_string(str(example(reference.Position)))
    assert type(game.start) is wts_fast.Position


def test_tags_are_read_in_order_with_their_escapes():
    game = Game.from_string(r"""
[B "say \"egg\""]
  [A_1 "back\\slash \\\"[]{}"]
[Result "*"]
[C ""]

*""")
    assert list(game.tags.items()) == [
        ("B", 'say "egg"'),
        ("A_1", 'back\\slash \\"[]{}'),
        ("C", ""),
    ]


def test_blank_space_between_words_is_free():
    assert Game.from_string("\n\n1.\n\ta1   b2\n\n2. c3\nd4 *\n\n").moves == ((0, 10), (20, 30))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_of_windows_and_a_byte_order_mark_are_accepted(line_end, mark, tmp_path):
    games = [example(wts_fast.Position), play_all(Game(), "a1 b2")]
    text = mark + "".join(f"{game}\n\n" for game in games).replace("\n", line_end)
    assert list(read_games(text)) == games
    path = tmp_path / "games.txt"
    path.write_bytes(text.encode("utf-8"))
    for newline in (None, ""):
        with path.open(encoding="utf-8", newline=newline) as file:
            assert list(read_games(file)) == games


def test_a_byte_order_mark_elsewhere_is_no_blank():
    assert "found '\\ufeff*': expected" in message_of(ValueError, "\n\ufeff*")


def test_comments_stand_where_they_were_met():
    game = Game.from_string("{a}{b\n [c} 1. {d} a1{e}b2 { f }2.{}c3 d4 {g} {} {h}* ")
    assert game.comments == {0: "a b\n [c d e", 1: " f  ", 2: "g  h"}


def test_an_empty_comment_is_joined_too():
    assert Game.from_string("{}{a} *").comments == {0: " a"}


def test_a_line_end_of_windows_in_a_comment_is_kept():
    assert Game.from_string("{a\r\nb}\r\n*").comments == {0: "a\r\nb"}


def test_games_are_yielded_as_soon_as_their_last_line_is_read():
    asked = []

    def lines():
        for line in ("1. a1\n", "b2 *\n", "1. zz\n"):
            asked.append(line)
            yield line

    games = read_games(lines())
    assert asked == []
    assert next(games).moves == ((0, 10),)
    assert asked == ["1. a1\n", "b2 *\n"]
    with pytest.raises(ValueError, match="game 2, line 3: found 'zz'"):
        next(games)


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", "\ufeff\n"])
def test_no_text_holds_no_games(text):
    assert list(read_games(text)) == []
    assert list(read_games(io.StringIO(text))) == []
    with pytest.raises(ValueError, match=r"line \d: found the end of the text: expected a game$"):
        Game.from_string(text)


def test_from_string_reads_one_game_only():
    with pytest.raises(ValueError) as caught:
        Game.from_string('1. a1 b2 *\n\n[Black "Ada"]\n\n*')
    assert str(caught.value) == (
        "game 2, line 3: found '[Black \"Ada\"]': expected the end of the text, after one game"
    )
    with pytest.raises(
        ValueError, match="game 2, line 1: found 'e5': expected the end of the text"
    ):
        Game.from_string("* e5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1. a1 b2 2. e5 e5 3. e5 a2 *",
            "game 1, turn 3: Black cannot pick e5: the cell holds an egg",
        ),
        (
            "*\n1. a1 b2\n2. c3 a1 *",
            "game 2, turn 2: White cannot pick a1: the cell holds a black turtle",
        ),
        (
            '[Position "9/9/9/9/4e4/9/9/9/9 e5 6"]\n\n7. e5 a1 *',
            "game 1, turn 7: Black cannot pick e5: the cell holds an egg",
        ),
        (
            f'[Position "{ONE_TURN_LEFT}"]\n\n5. e1 i5 6. a5 b5 1-0',
            "game 1, turn 6: Black cannot pick a5: the game is over (BLACK_WINS)",
        ),
    ],
)
def test_illegal_turns(text, message):
    assert message_of(IllegalMoveError, text) == message


BLACKS_PICK = "Black's pick, a cell such as 'e5'"
WHITES_PICK = "White's pick, a cell such as 'e5'"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # numbers and junk
        ("2. a1 b2 *", f"line 1: found '2.': expected '1.' or {ANY_RESULT}"),
        ("1. a1 b2\n1. c3 d4 *", f"line 2: found '1.': expected '2.' or {ANY_RESULT}"),
        ("1. a1 b2 c3 d4 *", f"line 1: found 'c3': expected '2.' or {ANY_RESULT}"),
        ("1 a1 b2 *", f"line 1: found '1': expected '1.' or {ANY_RESULT}"),
        ("01. a1 b2 *", f"line 1: found '01.': expected '1.' or {ANY_RESULT}"),
        ("1. j1 b2 *", f"line 1: found 'j1': expected {BLACKS_PICK}"),
        ("1. a1\nA2 *", f"line 2: found 'A2': expected {WHITES_PICK}"),
        ("1. a1 *", f"line 1: found '*': expected {WHITES_PICK}"),
        ("1. 40 41 *", f"line 1: found '40': expected {BLACKS_PICK}"),
        ("1. a1 b2 ; *", f"line 1: found ';': expected '2.' or {ANY_RESULT}"),
        ("1. a1 b2} *", f"line 1: found '}}': expected '2.' or {ANY_RESULT}"),
        (
            '[Position "9/9/9/9/9/9/9/9/9 - 6"]\n1. a1 b2 *',
            f"line 2: found '1.': expected '7.' or {ANY_RESULT}",
        ),
        # what is missing at the end
        ("1. a1 b2\n\n", f"line 2: found the end of the text: expected '2.' or {ANY_RESULT}"),
        ("1. a1", f"line 1: found the end of the text: expected {WHITES_PICK}"),
        ("1.", f"line 1: found the end of the text: expected {BLACKS_PICK}"),
        ('[A "b"]\n', f"line 1: found the end of the text: expected '1.' or {ANY_RESULT}"),
        ("{alone}", f"line 1: found the end of the text: expected '1.' or {ANY_RESULT}"),
        (
            '1. a1 b2\n\n[A "b"]\n\n*',
            f"line 3: found '[A \"b\"]': expected '2.' or {ANY_RESULT}",
        ),
        ('{a}\n[A "b"]\n*', f"line 2: found '[A \"b\"]': expected '1.' or {ANY_RESULT}"),
        (
            "1. a1 b2\n{open\n\n*",
            "line 2: found a comment without an end: expected '}' to close it",
        ),
        ("{", "line 1: found a comment without an end: expected '}' to close it"),
        # tags
        ('[A "b"\n*', 'line 1: found \'[A "b"\': expected [Name "value"]'),
        ('\n[A "b"] *', 'line 2: found \'[A "b"] *\': expected [Name "value"]'),
        ("[A b]\n*", "line 1: found '[A b]': expected [Name \"value\"]"),
        ('[A-B "c"]\n*', 'line 1: found \'[A-B "c"]\': expected [Name "value"]'),
        ('[A"b"]\n*', 'line 1: found \'[A"b"]\': expected [Name "value"]'),
        ('[A "b"c"]\n*', 'line 1: found \'[A "b"c"]\': expected [Name "value"]'),
        ('[A "b\\"]\n*', 'line 1: found \'[A "b\\\\"]\': expected [Name "value"]'),
        ('[A "\\n"]\n*', 'line 1: found \'[A "\\\\n"]\': expected [Name "value"]'),
        ('[A "b"]\n[A "b"]\n*', "line 2: found '[A \"b\"]': expected the tag A only once"),
        ('[Result "Ada"]\n*', f"line 1: found '[Result \"Ada\"]': expected {ANY_RESULT}"),
        (
            '[A "b"]\n[Position "9/9/9/9/9/9/9/9 - 0"]\n*',
            "line 2: position string '9/9/9/9/9/9/9/9 - 0': expected 9 rows joined by '/', found 8",
        ),
        (
            f'[Position "{EMPTY_BOARD}"]\n[Position "{EMPTY_BOARD}"]\n*',
            f"line 2: found '[Position \"{EMPTY_BOARD}\"]': expected the tag Position only once",
        ),
        # results
        (
            '[Result "1-0"]\n\n1. a1 b2 *',
            "line 3: found '*': expected '1-0', as in the tag Result",
        ),
        (
            '[Result "*"]\n\n1. a1 b2 1-0',
            "line 3: found '1-0': expected '*', as in the tag Result",
        ),
        (
            f'[Position "{BLACK_WON}"]\n\n0-1',
            "line 3: found '0-1': expected '1-0', the result on the board",
        ),
        (
            f'[Position "{BLACK_WON}"]\n\n*',
            "line 3: found '*': expected '1-0', the result on the board",
        ),
        (
            f'[Result "0-1"]\n[Position "{BLACK_WON}"]\n\n1-0',
            "line 4: found '1-0': expected '0-1', as in the tag Result",
        ),
    ],
)
def test_faults_are_named(text, message):
    assert message_of(ValueError, text) == f"game 1, {message}"
    with pytest.raises(ValueError) as caught:
        Game.from_string(text)
    assert str(caught.value) == f"game 1, {message}"
    assert message_of(ValueError, f"1. e5 e5 *\n{text}") == "game 2, " + re.sub(
        "^line ([0-9]+)", lambda match: f"line {int(match[1]) + 1}", message
    )


def test_games_before_a_fault_are_yielded():
    games = read_games("1. a1 b2 0-1 junk")
    assert next(games).result == "0-1"
    with pytest.raises(ValueError, match="game 2, line 1: found 'junk'"):
        next(games)


# --- size and docs ----------------------------------------------------------------------


def test_a_game_of_thousands_of_turns():
    game = long_game(3000)
    again = Game.from_string(str(game))
    assert again == game
    assert again.positions() == game.positions()
    assert again.position == game.start
    assert copy.deepcopy(game) == pickle.loads(pickle.dumps(game)) == game


def test_the_examples_in_the_docs_are_right():
    results = doctest.testmod(wts_fast.game)
    assert results.attempted > 0
    assert results.failed == 0


# --- errors for other types ------------------------------------------------------------


def test_a_turns_number_may_stand_close_to_its_first_pick():
    game = play_all(Game(), "e5 e5", "d4 f6")
    assert Game.from_string("1.e5 e5 2.d4 f6 {1.a1} *").moves == game.moves
    assert Game.from_string("1.e5 e5 {1.a1} *").comments == {1: "1.a1"}


@pytest.mark.parametrize("position", [b"9/9", 5, Game()])
def test_a_game_starts_from_a_position(position):
    with pytest.raises(TypeError, match="expected a Position of either engine, not"):
        Game(position)


def test_a_record_is_a_text_or_its_lines(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("1. a1 b2 *\n", encoding="utf-8")
    with pytest.raises(TypeError, match="expected a record as a str or an open text file, not "):
        next(read_games(path))
    with path.open("rb") as file, pytest.raises(TypeError, match="opened as text, not as bytes"):
        next(read_games(file))
    with pytest.raises(TypeError, match="opened as text, not as bytes"):
        next(read_games(b"1. a1 b2 *"))
    for other in (None, 3, b"1. a1 b2 *"):
        with pytest.raises(TypeError, match="a record must be a str, not"):
            Game.from_string(other)


def test_only_games_are_written():
    file = io.StringIO()
    with pytest.raises(TypeError, match="expected a Game to write, not Position"):
        write_games([Game(), wts_fast.Position()], file)
    assert file.getvalue() == f"{Game()}\n\n"
    with pytest.raises(TypeError, match="expected an open text file to write to, not str"):
        write_games([Game()], "games.txt")


def test_tags_and_comments_that_are_no_strings():
    with pytest.raises(TypeError, match="tag 'Round' cannot be written: expected a str, not 3"):
        str(Game(tags={"Round": 3}))
    with pytest.raises(TypeError, match="tag 1 cannot be written: expected a str, not 1"):
        str(Game(tags={1: "x"}))
    game = Game()
    game.comments[0] = 5
    with pytest.raises(TypeError, match="comment at 0 cannot be written: expected a str, not 5"):
        str(game)


def test_the_error_of_a_turn_in_a_record_holds_its_parts():
    games = read_games("1. e5 d5 * 1. e5 e5 2. a1 e5 *")
    next(games)
    with pytest.raises(IllegalMoveError) as caught:
        next(games)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.game, error.player, error.cell) == (2, wts_fast.WHITE, 40)
        assert error.reason == "the cell holds an egg"
        assert str(error) == "game 2, turn 2: White cannot pick e5: the cell holds an egg"


@pytest.mark.parametrize("path", ["games.txt", "/data/games", r"C:\games\all", "my games.pgn"])
def test_a_path_is_not_a_record(path):
    with pytest.raises(ValueError, match="looks like a path") as caught:
        list(read_games(path))
    assert repr(path) in str(caught.value)


@pytest.mark.parametrize("text", ["*", "1/2-1/2", "1. e5 e5 0-1", "1.e5 e5 *", "{a/b.txt} *"])
def test_a_record_of_one_line_is_not_taken_for_a_path(text):
    assert len(list(read_games(text))) == 1


def test_a_game_of_a_text_names_the_constructors():
    with pytest.raises(TypeError, match=r"use Game\.from_string for a record"):
        Game("9/9/9/9/9/9/9/9/9 - 0")
