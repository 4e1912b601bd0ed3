"""Players by name: from a string, a level or an object to a player."""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter, signature
from typing import Any, Final, SupportsIndex, cast

from wts_fast.players.levels import (
    LEVELS,
    BestPlayer,
    MixedPlayer,
    NashPlayer,
    PuctPlayer,
    RandomPlayer,
    ScorePlayer,
    TacticalPlayer,
    UctPlayer,
)
from wts_fast.players.protocol import Player
from wts_fast.types import check_int, shown

GROUP: Final = "wts_fast.players"
"""The group of entry points with which packages provide players."""

_FACTORIES: Final[dict[str, Callable[..., Player]]] = {
    "random": RandomPlayer,
    "scores": ScorePlayer,
    "tactical": TacticalPlayer,
    "best": BestPlayer,
    "nash": NashPlayer,
    "mixed": MixedPlayer,
    "puct": PuctPlayer,
    "uct": UctPlayer,
}


def register(name: str, factory: Callable[..., Player]) -> None:
    """Register a factory of players under a name, for `player` in this process.

    The factory is called with the arguments in the string, as keyword arguments. Raises
    `ValueError` for a name that is taken, a number, empty, or contains one of `:=,`;
    `TypeError` for a name that is not a string, or a factory that is not callable.
    """
    if not isinstance(name, str):
        raise TypeError(f"a player's name must be a str, not {type(name).__name__}")
    if not callable(factory):
        raise TypeError(f"a factory must be callable, not {type(factory).__name__}")
    if not name or set(name) & set(":=,") or name.isdecimal():
        raise ValueError(f"a player cannot be named {name!r}: expected no number and none of ':=,'")
    if name in _FACTORIES:
        raise ValueError(f"a player is named {name!r} already")
    _FACTORIES[name] = factory


def names() -> list[str]:
    """Return the names that `player` accepts: registered names, then those of entry points."""
    offered = {entry.name for entry in entry_points(group=GROUP)}
    return [*_FACTORIES, *sorted(offered - _FACTORIES.keys())]


def player(spec: object) -> Player:
    """Return the player that `spec` names, or `spec` itself if it is a player.

    A string is one of these, tried in this order:

    - a level of the ladder, as `"0"` (or as an `int`)
    - a registered name, such as `"random"`
    - the name of an entry point of the group `wts_fast.players`
    - `"module:attribute"`, where the attribute, which may be dotted, is a player, or a class or
      function that returns one

    and may be followed by keyword arguments for the class or function, `":key=value,key=value"`:
    `"puct:simulations=2000"`, `"my_bots:Careful:depth=3"`. They begin at the last colon before
    the first `=`, so that they cannot be confused with an attribute. A value is converted to
    `int` or `float` if possible, and is otherwise a `str`, which cannot contain a comma.

    Raises `ValueError` for a string that names no player, listing what is accepted, and for a
    player whose `name` is not one line; `TypeError` for anything but a string, an integer or a
    player.
    """
    if isinstance(spec, str):
        return _with_name(_named(spec))
    if hasattr(spec, "__index__"):  # checked first: NumPy's numbers have a method choose
        return _named(_level(cast("SupportsIndex", spec)))
    if not _is_player(spec):
        raise TypeError(f"expected a player, or a str or an int that names one, not {_kind(spec)}")
    return _with_name(cast("Player", spec))


def name_of(found: object) -> str:
    """Return the name of a player in tables and records: its `name`, or that of its class.

    Raises `ValueError` for a `name` that is not a string of one line.
    """
    name = getattr(found, "name", type(found).__name__)
    if not isinstance(name, str) or len(name.splitlines()) != 1:
        raise ValueError(f"a player of {_kind(found)} has the name {name!r}: expected one line")
    return name


def _with_name(found: Player) -> Player:
    """Return a player, after a check of its name."""
    name_of(found)
    return found


def _is_player(thing: object) -> bool:
    return callable(getattr(thing, "choose", None)) and not isinstance(thing, type)


def _kind(thing: object) -> str:
    return f"the class {thing.__name__}" if isinstance(thing, type) else type(thing).__name__


def _level(number: SupportsIndex) -> str:
    return LEVELS[check_int("level", number, 0, len(LEVELS) - 1)]


def _named(spec: str) -> Player:
    name, arguments = _parse(spec)
    if name.isdecimal():
        name, defaults = _parse(_level(int(name)))
        arguments = defaults | arguments
    found = _find(name)
    if not _is_player(found):
        return _make(spec, found, arguments)
    if arguments:
        raise ValueError(f"player {spec!r}: {name} is a player already, and takes no arguments")
    return cast("Player", found)


def _parse(spec: str) -> tuple[str, dict[str, int | float | str]]:
    """Return the name and the arguments of a spec."""
    head, equals, tail = spec.partition("=")
    if not equals:
        return spec, {}
    name, _, key = head.rpartition(":")
    arguments: dict[str, int | float | str] = {}
    for argument in f"{key}={tail}".split(","):
        key, equals, value = argument.partition("=")
        if not (name and equals and key.isidentifier()):
            raise ValueError(f"player {spec!r}: expected name:key=value,key=value")
        if key in arguments:
            raise ValueError(f"player {spec!r}: {key} is given twice")
        arguments[key] = _value(value)
    return name, arguments


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _find(name: str) -> Any:
    """Return the object that a name refers to: a player, or a factory of players."""
    if name in _FACTORIES:
        return _FACTORIES[name]
    offers = list(entry_points(group=GROUP, name=name))
    if len(offers) > 1:
        values = " and ".join(sorted(offer.value for offer in offers))
        raise ValueError(f"player {name!r} is provided by several packages: {values}")
    if offers:
        return _imported(name, offers[0].load)
    module, _, attribute = name.partition(":")
    if module and not module.startswith(".") and attribute:
        return _imported(name, lambda: _attribute(import_module(module), attribute))
    raise ValueError(f"no player is named {shown(name)!r}: expected {_known(name)}")


def _imported(name: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (ImportError, AttributeError) as error:
        raise ValueError(f"player {name!r}: {error}") from error


def _attribute(thing: Any, path: str) -> Any:
    for part in path.split("."):
        thing = getattr(thing, part)
    return thing


def _known(name: str) -> str:
    """Return in words what `player` accepts, with names similar to this one first."""
    known = names()
    close = get_close_matches(name, known)
    ordered = [*close, *(other for other in known if other not in close)]
    return f"{', '.join(ordered)}, a level 0..{len(LEVELS) - 1}, or module:attribute"


def _make(spec: str, factory: Any, arguments: dict[str, int | float | str]) -> Player:
    """Return the player that `factory` returns for the arguments."""
    if not callable(factory):
        raise ValueError(
            f"player {spec!r}: expected a player, or a class or function that returns one, "
            f"not {_kind(factory)}"
        )
    _check_arguments(spec, factory, arguments)
    try:
        made = factory(**arguments)
    except TypeError as error:
        raise ValueError(f"player {spec!r}: {error}") from error
    if not _is_player(made):
        raise ValueError(
            f"player {spec!r}: expected an object with a method choose, not {_kind(made)}"
        )
    return cast("Player", made)


def _check_arguments(spec: str, factory: Any, arguments: dict[str, int | float | str]) -> None:
    """Raise `ValueError` for an argument that `factory` does not accept, listing those it does."""
    try:
        parameters = signature(factory).parameters.values()
    except ValueError:  # unknown for some compiled functions
        return
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return
    by_keyword = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    accepted = [parameter.name for parameter in parameters if parameter.kind in by_keyword]
    for key in arguments:
        if key not in accepted:
            expected = ", ".join(accepted) or "no arguments"
            raise ValueError(f"player {spec!r} takes no {key!r}: expected {expected}")
