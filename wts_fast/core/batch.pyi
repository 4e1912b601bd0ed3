# Many games in one block of memory, played by arrays.

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias, TypeVar, final, overload

import numpy as np
import numpy.typing as npt

from wts_fast.core.position import Position
from wts_fast.randomness import Randomness
from wts_fast.types import AnyPosition

_Plane = TypeVar("_Plane", np.float32, np.uint8)

# Several games: their numbers, or a mask.
_Choice: TypeAlias = slice | Sequence[int] | npt.NDArray[np.integer[Any] | np.bool_]

@final
class Batch:
    def __new__(cls, n: SupportsIndex) -> Batch: ...
    @classmethod
    def from_positions(cls, positions: Iterable[AnyPosition]) -> Batch: ...
    # What to_rows gave; columns on the right that hold nothing but 255 may be left out.
    @classmethod
    def from_rows(cls, rows: npt.NDArray[np.uint8]) -> Batch: ...
    @classmethod
    def concatenate(cls, batches: Iterable[Batch]) -> Batch: ...

    # Steps: the outcomes, int8 of shape (n,). Finished games stay as they are.
    def play(
        self, black: npt.ArrayLike, white: npt.ArrayLike, *, out: npt.NDArray[np.int8] | None = None
    ) -> npt.NDArray[np.int8]: ...
    def playout(
        self,
        rng: Randomness = None,
        *,
        max_turns: SupportsIndex | None = None,
        threads: SupportsIndex = 1,
        out: npt.NDArray[np.int8] | None = None,
    ) -> npt.NDArray[np.int8]: ...
    # (2, n): Black's picks and White's, -1 where the game is over.
    def random_moves(
        self, rng: Randomness = None, *, out: npt.NDArray[np.int8] | None = None
    ) -> npt.NDArray[np.int8]: ...
    # To the empty board, one position, or one for each game where the mask is true.
    def reset(
        self,
        where: npt.ArrayLike | None = None,
        positions: AnyPosition | Batch | Iterable[AnyPosition] | None = None,
    ) -> None: ...

    # In place: one symmetry for all games or for each; all games or those where the mask is true.
    def transform(self, symmetry: npt.ArrayLike) -> None: ...
    def swap_colors(self, where: npt.ArrayLike | None = None) -> None: ...

    # What stands: (n,), (n,), (n, 2), (n,), (n,), (n, 108), (n, 81), (n, 9, 9), (n, 5, 9, 9).
    @property
    def outcomes(self) -> npt.NDArray[np.int8]: ...
    @property
    def turns(self) -> npt.NDArray[np.uint32]: ...
    @property
    def winning_turtles(self) -> npt.NDArray[np.int8]: ...
    def values(
        self,
        player: int,
        *,
        undecided: float = ...,
        out: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]: ...
    def keys(self, *, out: npt.NDArray[np.uint64] | None = None) -> npt.NDArray[np.uint64]: ...
    def to_rows(self, *, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]: ...
    def legal_mask(self, *, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]: ...
    def boards(self, *, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]: ...
    # The dtype given is that of the result; without one, that of `out`, or float32.
    @overload
    def observe(
        self, player: int, *, dtype: None = None, out: None = None
    ) -> npt.NDArray[np.float32]: ...
    @overload
    def observe(
        self, player: int, *, dtype: None = None, out: npt.NDArray[_Plane]
    ) -> npt.NDArray[_Plane]: ...
    @overload
    def observe(
        self,
        player: int,
        *,
        dtype: type[_Plane] | np.dtype[_Plane],
        out: npt.NDArray[_Plane] | None = None,
    ) -> npt.NDArray[_Plane]: ...
    @overload
    def observe(
        self,
        player: int,
        *,
        dtype: Literal["float32"],
        out: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]: ...
    @overload
    def observe(
        self, player: int, *, dtype: Literal["uint8"], out: npt.NDArray[np.uint8] | None = None
    ) -> npt.NDArray[np.uint8]: ...
    @overload
    def observe(
        self, player: int, *, dtype: npt.DTypeLike, out: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[Any]: ...

    # Single games, and the whole.
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, games: int | np.integer[Any], /) -> Position: ...
    @overload
    def __getitem__(self, games: _Choice, /) -> Batch: ...
    @overload
    def __setitem__(self, games: int | np.integer[Any], positions: AnyPosition, /) -> None: ...
    @overload
    def __setitem__(
        self, games: _Choice, positions: AnyPosition | Batch | Iterable[AnyPosition], /
    ) -> None: ...
    def __iter__(self) -> Iterator[Position]: ...
    def copy(self) -> Batch: ...
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, memo: Any, /) -> Batch: ...
    def __reduce__(self) -> tuple[Any, tuple[int], bytes]: ...
    def __setstate__(self, state: bytes, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
