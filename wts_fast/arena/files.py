"""The file in which the games of an arena are kept as they finish."""

import os
from pathlib import Path
from types import TracebackType
from typing import Final, final

from wts_fast.arena.match import EVENT
from wts_fast.game import Game, read_games

_HEAD: Final = f'[Event "{EVENT}"]\n'.encode()


@final
class Records:
    """A file of records to which an arena adds each game as it finishes.

    `path` is created where it does not exist. With `resume` the games in it are read, for
    `arena(done=…)`; a last record that is not whole, as a killed process may leave behind, is
    left out, and cut off before the first game is added.

    Raises `ValueError` for a file with records where `resume` is false, and, with the file's
    name, what `read_games` says of one that holds anything else; `OSError` where it cannot be
    read and written. Then, and until a game is added, the file stays as it was.

    >>> from wts_fast.arena import Records, arena
    >>> with Records(path, resume=True) as records:  # doctest: +SKIP
    ...     report = arena(players, 100, rng=1, done=records.games, on_game=records.add)
    """

    games: tuple[Game, ...]
    """The games that were in the file, in its order."""

    def __init__(self, path: str | os.PathLike[str], *, resume: bool = False) -> None:
        data = Path(path).read_bytes() if Path(path).is_file() else b""
        if data and not resume:
            raise ValueError(
                f"records file '{path}' is not empty: expected a new one, "
                "or --resume (resume=True) to go on with it"
            )
        self._whole = _length_of_whole(data)
        try:
            self.games = tuple(read_games(data[: self._whole].decode()))
        except ValueError as error:
            raise ValueError(f"records file '{path}': {error}") from error
        self._cut = self._whole < len(data)
        self._file = open(path, "ab")  # noqa: SIM115, closed by `close`

    def add(self, game: Game) -> None:
        """Write a game at the end of the file; raises what `str(game)` and writing raise."""
        data = f"{game}\n\n".encode()
        if self._cut:
            self._file.truncate(self._whole)
            self._cut = False
        self._file.write(data)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> "Records":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _length_of_whole(data: bytes) -> int:
    """Return how much of a file whole records take: tags and turns, an empty line after each.

    It is everything where the rest does not begin as a torn record does.
    """
    blocks = data.split(b"\n\n")[:-1]
    whole = sum(len(block) + 2 for block in blocks[: len(blocks) // 2 * 2])
    torn = data[whole : whole + len(_HEAD)]
    return whole if torn and _HEAD.startswith(torn) else len(data)
