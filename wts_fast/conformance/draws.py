"""Random choices that are the same in every version of Python.

The standard library guarantees this for `Random.random`, but not for `choice`, `sample` or
`shuffle`.
"""

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def below(rng: random.Random, n: int) -> int:
    """Return a random integer 0..n - 1."""
    return int(rng.random() * n)


def pick(rng: random.Random, items: Sequence[Item]) -> Item:
    """Return a random item."""
    return items[below(rng, len(items))]


def shuffled(rng: random.Random, items: Iterable[Item]) -> list[Item]:
    """Return a new list of the items in random order."""
    rest = list(items)
    for last in range(len(rest) - 1, 0, -1):
        other = below(rng, last + 1)
        rest[last], rest[other] = rest[other], rest[last]
    return rest
