"""The reference engine with one rule broken: what a check of engines must be able to find.

A mutant is a patch of one file of wts_fast/reference/, applied to a private copy of it.
"""

import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple

from wts_fast import reference

SOURCE = Path(reference.__file__).parent


class Mutant(NamedTuple):
    name: str
    """What the mutant does, after the id of the rule that it breaks."""
    old: str
    """A text that stands once in the file."""
    new: str
    file: str = "rules.py"

    @property
    def package(self) -> str:
        return "mutant_" + "".join(c if c.isalnum() else "_" for c in self.name)

    def write(self, folder: Path) -> None:
        """Write the mutant into the folder, as a package."""
        package = folder / self.package
        package.mkdir()
        for path in SOURCE.glob("*.py"):
            text = path.read_text(encoding="utf-8")
            if path.name == self.file:
                assert text.count(self.old) == 1, self.name
                text = text.replace(self.old, self.new)
            text = text.replace("wts_fast.reference", self.package)
            (package / path.name).write_text(text, encoding="utf-8")

    def position(self, folder: Path) -> Any:
        """Write the mutant into the folder, import it, and return its `Position`."""
        self.write(folder)
        sys.path.insert(0, str(folder))
        try:
            importlib.invalidate_caches()
            return importlib.import_module(self.package).Position
        finally:
            sys.path.remove(str(folder))


CAPTURES = """    by_black = captures_of(board, BLACK, black)
    by_white = captures_of(board, WHITE, white)
"""
REMOVED = "    remove_captured(board, eggs, by_black + by_white)\n"
TOLD = (
    "    return [*placed, *by_black, *by_white, *hatch(board, eggs, len(by_black), len(by_white))]"
)
ONE_BY_ONE = """        cell = eggs.pop(0)
        board[cell] = player
        caught = captures_of(board, player, cell)
        remove_captured(board, eggs, caught)
        captures += len(caught)
        events += [Hatched(player, cell), *caught]
"""
PICK = "    if position._board[cell] != EMPTY:"
COUNT = "    return len({cell for five in FIVES if own.issuperset(five) for cell in five})"
WHITE_WINS = """    if white_count > black_count:
        return Outcome.WHITE_WINS
"""

MUTANTS = (
    *(
        Mutant(
            f"C1 no capture in direction {number}",
            "for direction in DIRECTIONS if (run := ray(cell, direction, 3))",
            f"for direction in DIRECTIONS if direction != DIRECTIONS[{number}]"
            " and (run := ray(cell, direction, 3))",
        )
        for number in range(8)
    ),
    *(
        Mutant(
            f"W2 no line in direction {number}",
            "    for direction in LINE_DIRECTIONS\n",
            f"    for direction in (*LINE_DIRECTIONS[:{number}], *LINE_DIRECTIONS[{number + 1}:])\n",
        )
        for number in range(4)
    ),
    Mutant(
        "B1 rows go on around the edge",
        "and 0 <= column + length * right < SIZE):",
        "and 0 <= cell + length * (SIZE * down + right) < CELLS):",
    ),
    Mutant(
        "B2 an egg may be picked", PICK, "    if position._board[cell] in (1, 2):", "position.py"
    ),
    Mutant(
        "T1 a white turtle may be picked", PICK, "    if position._board[cell] % 2:", "position.py"
    ),
    Mutant(
        "T1 a finished game goes on",
        "    if position.is_over:\n        return f",
        "    if False:\n        return f",
        "position.py",
    ),
    Mutant(
        "T2 Black captures before White's turtle lands",
        "    placed = place(board, black, white)\n    by_black, by_white = capture_together("
        "board, eggs, black, white)\n",
        "    board[black] = BLACK\n"
        "    by_black = captures_of(board, BLACK, black)\n"
        "    placed = place(board, black, white)\n"
        "    by_white = captures_of(board, WHITE, white)\n"
        "    remove_captured(board, eggs, by_black + by_white)\n",
    ),
    Mutant(
        "T3 captured turtles stay",
        "            eggs.remove(cell)\n        board[cell] = EMPTY",
        "            eggs.remove(cell)\n            board[cell] = EMPTY",
    ),
    Mutant("E1 an egg is laid as the oldest", "eggs.append(cell)", "eggs.insert(0, cell)"),
    Mutant(
        "E1 a collision lays no egg",
        "        return lay_egg(board, eggs, black)",
        "        return [Laid(black)]",
    ),
    Mutant(
        "E2 a collision captures",
        "        return lay_egg(board, eggs, black)",
        "        laid = lay_egg(board, eggs, black)\n"
        "        capture_together(board, eggs, black, white)\n"
        "        return laid",
    ),
    Mutant(
        "C1 the nearest piece alone is captured",
        "for cell in {cell for capture in captures for cell in capture.cells}",
        "for cell in {capture.cells[0] for capture in captures}",
    ),
    Mutant(
        "C1 no turtle is needed at the far end", "board[third] == player", "board[third] != EMPTY"
    ),
    Mutant(
        "C2 eggs are not captured",
        "    return content in (opponent(player), EGG)",
        "    return content == opponent(player)",
    ),
    Mutant(
        "C2 an egg and a turtle together are not captured",
        "        and board[third] == player",
        "        and board[third] == player\n        and board[first] == board[second]",
    ),
    Mutant("C2 an egg is a far end", "board[third] == player", "board[third] in (player, EGG)"),
    Mutant(
        "C3 one piece is captured",
        "        and is_enemy(board[second], player)\n        and board[third] == player",
        "        and player in (board[second], board[third])\n"
        "        and (board[second] == player or is_enemy(board[second], player))",
    ),
    Mutant(
        "C3 of three pieces two are captured",
        "        and board[third] == player",
        "        and any(\n"
        "            run[:2] == (first, second)\n"
        "            and (board[third] == player or length == 4 and is_enemy(board[third], player))\n"
        "            and board[run[-1]] == player\n"
        "            for length in (3, 4)\n"
        "            for direction in DIRECTIONS\n"
        "            if (run := ray(cell, direction, length))\n"
        "        )",
    ),
    Mutant(
        "C4 a turtle that steps into a trap is captured",
        CAPTURES,
        CAPTURES
        + "    by_white += [c for one in range(CELLS) if board[one] == WHITE and one != white"
        " for c in captures_of(board, WHITE, one) if black in c.cells]\n",
    ),
    Mutant(
        "C5 one direction alone captures",
        "        and board[third] == player\n    ]",
        "        and board[third] == player\n    ][:1]",
    ),
    Mutant(
        "C6 Black's captures are removed before White captures",
        CAPTURES + REMOVED,
        "    by_black = captures_of(board, BLACK, black)\n"
        "    remove_captured(board, eggs, by_black)\n"
        "    by_white = captures_of(board, WHITE, white)\n"
        "    remove_captured(board, eggs, by_white)\n",
    ),
    Mutant(
        "C6 a turtle that is captured captures nothing",
        REMOVED,
        "    if any(black in capture.cells for capture in by_white):\n"
        "        by_black = []\n" + REMOVED,
    ),
    Mutant(
        "C6 a piece that both capture counts for Black alone",
        REMOVED,
        "    taken = {cell for capture in by_black for cell in capture.cells}\n"
        "    by_white = [capture for capture in by_white if not taken & set(capture.cells)]\n"
        + REMOVED,
    ),
    Mutant(
        "C6 a turtle placed in the turn is safe",
        REMOVED,
        "    by_black = [capture for capture in by_black if white not in capture.cells]\n"
        "    by_white = [capture for capture in by_white if black not in capture.cells]\n"
        + REMOVED,
    ),
    Mutant("H1 the newest egg hatches first", "eggs.pop(0)", "eggs.pop()"),
    Mutant(
        "H1 an egg hatches for each captured piece",
        TOLD,
        TOLD.replace("len(by_black), len(by_white)", "2 * len(by_black), 2 * len(by_white)"),
    ),
    Mutant(
        "H1 a side hatches one egg a turn at most",
        TOLD,
        TOLD.replace("len(by_black), len(by_white)", "bool(by_black), bool(by_white)"),
    ),
    Mutant(
        "H2 hatched turtles capture nothing",
        "        caught = captures_of(board, player, cell)\n",
        "        caught: list[Captured] = []\n",
    ),
    Mutant(
        "H2 captures of hatched turtles hatch nothing",
        "        captures += len(caught)\n",
        "",
    ),
    Mutant(
        "H3 the newest eggs vanish",
        "for cell in eggs[:claims]:\n        board[cell] = EMPTY\n"
        "        events.append(Vanished(cell))\n    del eggs[:claims]",
        "for cell in eggs[len(eggs) - min(claims, len(eggs)):]:\n        board[cell] = EMPTY\n"
        "        events.append(Vanished(cell))\n    del eggs[len(eggs) - min(claims, len(eggs)):]",
    ),
    Mutant(
        "H3 Black hatches what both claim", "    both = min(by_black, by_white)\n", "    both = 0\n"
    ),
    Mutant(
        "H3 an egg that both claim stays",
        "    events = vanish_together(board, eggs, both)\n",
        "    events: list[Event] = []\n",
    ),
    Mutant(
        "H4 the last egg does not hatch",
        "while captures > 0 and eggs:",
        "while captures > 0 and eggs[1:]:",
    ),
    Mutant(
        "H5 captures are saved for the next turn",
        "    both = min(by_black, by_white)\n",
        "    by_black += hatch.__dict__.pop('saved', 0)\n"
        "    hatch.saved = max(by_black - by_white - len(eggs), 0)\n"
        "    both = min(by_black, by_white)\n",
    ),
    Mutant(
        "H5 a captured egg hatches",
        "        if board[cell] == EGG:\n            eggs.remove(cell)\n        board[cell] = EMPTY",
        "        if board[cell] != EGG:\n            board[cell] = EMPTY",
    ),
    Mutant(
        "W1 lines are counted before captures",
        "    by_black, by_white = capture_together(board, eggs, black, white)\n",
        "    if count_winning_turtles(board, BLACK) != count_winning_turtles(board, WHITE):\n"
        "        return placed\n"
        "    by_black, by_white = capture_together(board, eggs, black, white)\n",
    ),
    Mutant(
        "W1 lines are counted before hatching",
        TOLD,
        "    if count_winning_turtles(board, BLACK) != count_winning_turtles(board, WHITE):\n"
        "        return [*placed, *by_black, *by_white]\n" + TOLD,
    ),
    Mutant("W2 four in a row are a line", "ray(cell, direction, 4)", "ray(cell, direction, 3)"),
    Mutant("W2 a line needs six", "ray(cell, direction, 4)", "ray(cell, direction, 5)"),
    Mutant(
        "W2 a turtle in two lines counts twice",
        COUNT,
        "    steps = {five[1] - five[0] for five in FIVES}\n"
        "    return sum(\n"
        "        len({cell for five in FIVES if five[1] - five[0] == step and own.issuperset(five)"
        " for cell in five})\n"
        "        for step in steps\n"
        "    )",
    ),
    Mutant(
        "W2 every line counts five",
        COUNT,
        "    return min(5, len({cell for five in FIVES if own.issuperset(five) for cell in five}))",
    ),
    Mutant(
        "W2 eggs do not break a line",
        "if content == player}\n",
        "if content in (player, EGG)}\n",
    ),
    Mutant(
        "W3 lines on both sides are Sudden Death",
        "    if black_count > white_count:",
        "    if black_count and white_count and not full:\n"
        "        return Outcome.UNDECIDED\n"
        "    if black_count > white_count:",
    ),
    Mutant(
        "W3 fewer winning turtles win",
        "    if black_count > white_count:",
        "    if black_count and white_count:\n"
        "        black_count, white_count = white_count, black_count\n"
        "    if black_count > white_count:",
    ),
    Mutant(
        "S1 equal counts end the game",
        "    return Outcome.DRAW if full else Outcome.UNDECIDED",
        "    return Outcome.DRAW if full or black_count else Outcome.UNDECIDED",
    ),
    Mutant(
        "S1 equal counts are a win for White",
        "if white_count > black_count:",
        "if white_count >= black_count > 0 or white_count > black_count:",
    ),
    Mutant(
        "S2 lines of both sides broken in one turn are refused",
        "        return events, self._from_fields(",
        "        if self._winning[0] and not any(count_winning_turtles(board, p) for p in (BLACK, WHITE)):\n"
        "            raise IllegalMoveError('the game has ended')\n"
        "        return events, self._from_fields(",
        "position.py",
    ),
    Mutant(
        "D1 a full board is a draw whoever has more",
        "    if black_count > white_count:",
        "    if full:\n        return Outcome.DRAW\n    if black_count > white_count:",
    ),
    Mutant(
        "D1 a full board goes on",
        "    return Outcome.DRAW if full else Outcome.UNDECIDED",
        "    return Outcome.UNDECIDED",
    ),
    Mutant(
        "R1 all captures are set off where both captured",
        "max(by_black, by_white) - both)",
        "0 if both else max(by_black, by_white))",
    ),
    Mutant(
        "R2 eggs hatch together, then capture",
        ONE_BY_ONE,
        "        hatching = [eggs.pop(0) for _ in range(min(captures + 1, len(eggs)))]\n"
        "        captures -= len(hatching) - 1\n"
        "        for cell in hatching:\n"
        "            board[cell] = player\n"
        "        caught = [c for cell in hatching for c in captures_of(board, player, cell)]\n"
        "        remove_captured(board, eggs, caught)\n"
        "        captures += len(caught)\n"
        "        events += [*(Hatched(player, cell) for cell in hatching), *caught]\n",
    ),
    Mutant(
        "R2 a hatched turtle does not capture eggs that wait",
        "        caught = captures_of(board, player, cell)\n",
        "        caught = [\n"
        "            c for c in captures_of(board, player, cell) if not set(c.cells) & set(eggs)\n"
        "        ]\n",
    ),
    Mutant(
        "R2 a hatched turtle is no far end in its turn",
        "        caught = captures_of(board, player, cell)\n",
        "        hatched = {event.cell for event in events if isinstance(event, Hatched)}\n"
        "        caught = [\n"
        "            c\n"
        "            for c in captures_of(board, player, cell)\n"
        "            if 2 * c.cells[1] - c.cells[0] not in hatched\n"
        "        ]\n",
    ),
    Mutant(
        "R4 a full board in Sudden Death goes on",
        "    return Outcome.DRAW if full else Outcome.UNDECIDED",
        "    return Outcome.DRAW if full and not black_count else Outcome.UNDECIDED",
    ),
    Mutant(
        "R5 the last empty cell is refused",
        PICK,
        "    if position._board.count(EMPTY) == 1:\n        return 'one cell is left'\n" + PICK,
        "position.py",
    ),
    Mutant(
        "R7 a collision is not counted as a turn",
        "        turn = min(self._turn + 1, MAX_TURN)",
        "        turn = min(self._turn + (len(events) > 1), MAX_TURN)",
        "position.py",
    ),
    Mutant(
        "R8 a game is cut after 1,000 turns",
        "        self._outcome = decide(black, white, full=EMPTY not in self._board)",
        "        self._outcome = decide(black, white, EMPTY not in self._board or self._turn > 1_000)",
        "position.py",
    ),
)
