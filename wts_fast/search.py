"""Search for both players' picks at once."""

from wts_fast.core.search import Search
from wts_fast.types import SearchResult

__all__ = ["Search", "SearchResult"]
