"""Players for the tests of the arena."""

import sys

import pytest

# A module of its own, which the processes that play can import.
SOME_BOTS = """
import os
import sys
import time
from wts_fast import BLACK
from wts_fast.players import RandomPlayer


class First:
    name = "first"

    def choose(self, position, player, rng):
        return position.legal_moves()[0]


class Last(First):
    name = "last"

    def choose(self, position, player, rng):
        return position.legal_moves()[-1]


class WastefulFirst(First):
    def choose(self, position, player, rng):
        rng.random(1000)
        return super().choose(position, player, rng)


class Counting:
    '''Picks another cell each turn; what it keeps must not reach another game.'''

    name = "counting"

    def __init__(self):
        self.turns = 0

    def __len__(self):
        return 0  # counts as false, and is a player all the same

    def choose(self, position, player, rng):
        moves = position.legal_moves()
        self.turns += 7
        return moves[self.turns % len(moves)]


class Faulty(RandomPlayer):
    '''Misbehaves as Black at its third turn.'''

    name = "faulty"

    def __init__(self, how):
        self.how = how

    def choose(self, position, player, rng):
        if player != BLACK or position.turn < 2:
            return super().choose(position, player, rng)
        if self.how == "raise":
            raise KeyError("no\\nidea")
        if self.how == "exit":
            os._exit(3)
        if self.how == "leave":
            sys.exit(3)
        if self.how == "hang":
            time.sleep(600)
        if self.how == "dawdle":
            time.sleep(0.3)
        taken = next(cell for cell in range(81) if cell not in position.legal_moves())
        return {"taken": taken, "beyond": 81, "text": "e5", "float": 4.0, "none": None}[self.how]


class Hopeless(First):
    '''Fails with both colors, at its third turn.'''

    name = "hopeless"

    def choose(self, position, player, rng):
        if position.turn < 2:
            return int(rng.choice(position.legal_moves()))
        raise ValueError("as " + "?BW"[player] + chr(0xDC80))


class Resigning(First):
    name = "resigning"

    def choose(self, position, player, rng):
        return -1


class Unhurried(RandomPlayer):
    name = "unhurried"

    def choose(self, position, player, rng):
        time.sleep(0.001)
        return super().choose(position, player, rng)


class Deadly(First):
    '''Ends the process to which it comes.'''

    name = "deadly"

    def __reduce__(self):
        return os._exit, (4,)


class Uncopied(First):
    name = "uncopied"

    def __reduce_ex__(self, protocol):
        raise TypeError("not this one")


class Slow(First):
    name = "slow"

    def choose(self, position, player, rng):
        print("playing", flush=True)
        time.sleep(600)
"""


@pytest.fixture(autouse=True)
def bots(tmp_path, monkeypatch):
    (tmp_path / "some_bots.py").write_text(SOME_BOTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("some_bots", None)
