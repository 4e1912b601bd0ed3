"""How a text, a number or an object is turned into a player."""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter, signature
from typing import Any, Final, SupportsIndex, cast

from wts_fast.players.levels import LEVELS, RandomPlayer
from wts_fast.players.protocol import Player
from wts_fast.types import check_int, shown

GROUP: Final = "wts_fast.players"
"""The group of entry points by which a package offers players."""

_FACTORIES: Final[dict[str, Callable[..., Player]]] = {
    "random": RandomPlayer,
}


def register(name: str, factory: Callable[..., Player]) -> None:
    """Let `player` find what `factory` makes, by this name, in this process.

    The factory is called with the arguments that a text gives, by keyword. Raises
    `ValueError` for a name that is taken, a number, empty, or has one of `:=,`, `TypeError`
    for a name that is no string and a factory that cannot be called.
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
    """Return the names that `player` finds: those registered, then those of entry points."""
    offered = {entry.name for entry in entry_points(group=GROUP)}
    return [*_FACTORIES, *sorted(offered - _FACTORIES.keys())]


def player(spec: object) -> Player:
    """Return the player that `spec` tells; one that is a player already as it is.

    A text is one of these, in this order:

    - a level of the ladder, as `"0"` (or as an `int`)
    - a name that is registered, such as `"random"`
    - the name of an entry point of the group `wts_fast.players`
    - `"module:attribute"`, where the attribute, which may be dotted, is a player, or a class or
      function that makes one

    and may be followed by arguments for what makes the player, `":key=value,key=value"`:
    `"puct:simulations=2000"`, `"my_bots:Careful:depth=3"`. They begin at the last colon before
    the first `=`, so that they are never taken for an attribute. A value is an `int` or a
    `float` where it reads as one, and else a `str` without comma.

    Raises `ValueError` for a text that tells no player, saying what would, and for a player
    without a name of one line; `TypeError` for what is neither a text, a number nor a player.
    """
    if isinstance(spec, str):
        return _with_name(_named(spec))
    if hasattr(spec, "__index__"):  # before the next: numbers of NumPy have a method choose
        return _named(_level(cast("SupportsIndex", spec)))
    if not _is_player(spec):
        raise TypeError(f"expected a player, or a text or number that tells one, not {_kind(spec)}")
    return _with_name(cast("Player", spec))


def _with_name(found: Player) -> Player:
    """Return a player; raise `ValueError` where its name is none for tables and records."""
    name = getattr(found, "name", None)
    if not isinstance(name, str) or len(name.splitlines()) != 1:
        raise ValueError(f"a player of {_kind(found)} has the name {name!r}: expected one line")
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
        raise ValueError(f"player {spec!r}: {name} is made already, and takes no arguments")
    return cast("Player", found)


def _parse(spec: str) -> tuple[str, dict[str, int | float | str]]:
    """Return the name in a spec, and its arguments."""
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
    """Return what a name leads to: a player, or what makes one."""
    if name in _FACTORIES:
        return _FACTORIES[name]
    offers = list(entry_points(group=GROUP, name=name))
    if len(offers) > 1:
        values = " and ".join(sorted(offer.value for offer in offers))
        raise ValueError(f"player {name!r} is offered by several packages: {values}")
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
    """Return in words what `player` takes, names that are close to this one first."""
    known = names()
    close = get_close_matches(name, known)
    ordered = [*close, *(other for other in known if other not in close)]
    return f"{', '.join(ordered)}, a level 0..{len(LEVELS) - 1}, or module:attribute"


def _make(spec: str, factory: Any, arguments: dict[str, int | float | str]) -> Player:
    """Return the player that `factory` makes of the arguments."""
    if not callable(factory):
        raise ValueError(
            f"player {spec!r}: expected a player or what makes one, not {_kind(factory)}"
        )
    _check_arguments(spec, factory, arguments)
    try:
        made = factory(**arguments)
    except TypeError as error:
        raise ValueError(f"player {spec!r}: {error}") from error
    if not _is_player(made):
        raise ValueError(f"player {spec!r}: what is made has no method choose, it is {_kind(made)}")
    return cast("Player", made)


def _check_arguments(spec: str, factory: Any, arguments: dict[str, int | float | str]) -> None:
    """Raise `ValueError` for an argument that `factory` does not take, saying which it takes."""
    try:
        parameters = signature(factory).parameters.values()
    except ValueError:  # compiled code may not tell
        return
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return
    by_keyword = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    accepted = [parameter.name for parameter in parameters if parameter.kind in by_keyword]
    for key in arguments:
        if key not in accepted:
            expected = ", ".join(accepted) or "no arguments"
            raise ValueError(f"player {spec!r} takes no {key!r}: expected {expected}")
