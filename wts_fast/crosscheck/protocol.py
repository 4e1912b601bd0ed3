"""Engines behind the engine protocol of docs/protocol.md: programs and Python classes."""

import json
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import IO, Any, Final, NamedTuple, Protocol

from wts_fast.conformance import OUTCOMES, Answer
from wts_fast.crosscheck.serve import answer_of
from wts_fast.types import CELLS

LONGEST_LINE: Final = 100_000
"""The maximum length of an answer, in bytes."""


class EngineFaultError(Exception):
    """An engine gave no answer, or an invalid one; the message says what happened."""


class Engine(Protocol):
    """What answers requests: a program, or a class in this process."""

    def ask(self, request: dict[str, Any]) -> object:
        """Return the decoded answer to a request; raise `EngineFaultError` if there is none."""


class ClassEngine(NamedTuple):
    """A Python class in this process, with the members of `Position` that `answer_of` uses."""

    position: Any

    def ask(self, request: dict[str, Any]) -> object:
        """Return the answer to a request, as `answer_of` does."""
        return answer_of(self.position, request)


class ProcessEngine:
    """A program, started at the first request, and again at the first request after a fault."""

    def __init__(self, command: str | Sequence[str], timeout: float = 10.0) -> None:
        """Set the command, and the time limit of an answer in seconds.

        A command is a list of arguments, or a string that is split as a POSIX shell does; on
        Windows the program splits it. Raises `ValueError` if the command is empty or has an
        unclosed quote, or if `timeout` is not above 0.
        """
        if not timeout > 0:
            raise ValueError(f"timeout is {timeout}: expected seconds above 0")
        words = _split(command) if isinstance(command, str) else list(command)
        if not words:
            raise ValueError("the engine's command is empty: expected a program and its arguments")
        self._command = words
        self._timeout = min(timeout, threading.TIMEOUT_MAX)
        self._running: _Running | None = None

    def ask(self, request: dict[str, Any]) -> object:
        """Return the program's decoded answer to a request.

        Raises `EngineFaultError`, and stops the program, if it ends, if there is no answer
        within the timeout, or if the answer is not a line of JSON; `OSError` if the program
        cannot be started.
        """
        if self._running is None:
            self._running = _Running(self._command)
        line = self._running.exchange(json.dumps(request), self._timeout)
        try:
            if line is None:
                raise EngineFaultError(f"was silent for {self._timeout:g} s")
            if not line:
                raise EngineFaultError(f"ended{self._running.exit_words(self._timeout)}")
            return _parsed(line)
        except EngineFaultError as error:
            raise EngineFaultError(f"the engine {error}{self._stop()}") from None

    def close(self) -> None:
        """Stop the program if it is running."""
        self._stop()

    def _stop(self) -> str:
        """Stop the program if it is running; return what `_Running.stop` returns, or `""`."""
        running, self._running = self._running, None
        return "" if running is None else running.stop()


class _Running:
    """A running program, and a thread for its pipes, so that every wait has a time limit."""

    def __init__(self, command: str | list[str]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed in stop)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # so that `stop` also stops the processes that it starts
            )
        except BaseException:
            self._errors.close()
            raise
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._converse, daemon=True)
        self._thread.start()

    def _converse(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        while (request := self._requests.get()) is not None:
            try:
                self._process.stdin.write(request)
                self._process.stdin.flush()
                self._lines.put(self._process.stdout.readline(LONGEST_LINE + 1))
            except OSError:  # the program has closed its input
                self._lines.put(b"")

    def exchange(self, request: str, timeout: float) -> bytes | None:
        """Return the answer to a request: empty if the output ended, `None` after the timeout."""
        self._requests.put(f"{request}\n".encode())
        try:
            return self._lines.get(timeout=timeout)
        except queue.Empty:
            return None

    def exit_words(self, timeout: float) -> str:
        """Return in words how the program ended, if it ends within the timeout."""
        try:
            return f" with exit code {self._process.wait(timeout)}"
        except subprocess.TimeoutExpired:
            return " its output, and still runs"

    def stop(self) -> str:
        """Stop the program, and return the end of its standard error, introduced by words."""
        self._requests.put(None)
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):  # it has ended already
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        self._thread.join(1)
        if not self._thread.is_alive():
            for stream in (self._process.stdin, self._process.stdout):
                assert stream is not None
                with suppress(OSError):  # data that was not written
                    stream.close()
        with self._errors:
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(self._errors.tell() - 2_000, 0))
            text = self._errors.read().decode(errors="replace").strip()
        return f"; it wrote:\n{text}" if text else ""


def _split(command: str) -> str | list[str]:
    if os.name == "nt":  # where programs split their command themselves
        return command.strip()
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the engine's command {command!r}: {error}") from None


def program(engine: str, timeout: float = 10.0) -> ProcessEngine:
    """Return the engine for a string: `"module:Class"`, or the command of a program.

    A Python class is imported in a separate process, so that it can neither block nor end the
    check. Raises `ValueError` as `ProcessEngine` does.
    """
    if re.fullmatch(r"[^\W\d][\w.]*:[^\W\d][\w.]*", engine):
        return ProcessEngine([sys.executable, "-m", "wts_fast.crosscheck.serve", engine], timeout)
    return ProcessEngine(engine, timeout)


# --- validation of answers --------------------------------------------------------------


def _parsed(line: bytes) -> object:
    if len(line) > LONGEST_LINE:
        raise EngineFaultError(f"wrote a line of more than {LONGEST_LINE:,} bytes")
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise EngineFaultError(f"wrote a line that is not JSON: {_shown(line)}") from None


def turn_answer(answer: object) -> Answer:
    """Return a valid answer to a turn; raise `EngineFaultError` for an invalid one."""
    fields = _object(answer, "after")
    after, winning, outcome = (fields.get(key) for key in ("after", "winning", "outcome"))
    if after is None:
        return Answer(None, None, None, None)
    if not isinstance(after, str):
        raise _bad("after", after, "a position string or null")
    if not (isinstance(winning, list) and len(winning) == 2 and all(map(_is_count, winning))):
        raise _bad("winning", winning, f"two numbers 0..{CELLS}")
    if outcome not in OUTCOMES:
        raise _bad("outcome", outcome, f"one of {', '.join(OUTCOMES)}")
    return Answer(after, (winning[0], winning[1]), str(outcome), _trace(fields.get("trace")))


def perft_answer(answer: object) -> int | None:
    """Return a valid answer to a perft, `None` from an engine without perft.

    Raises `EngineFaultError` for an invalid one.
    """
    sequences = _object(answer, "sequences")["sequences"]
    if sequences is None or (type(sequences) is int and sequences >= 0):
        return sequences
    raise _bad("sequences", sequences, "a number from 0 or null")


def differing(expected: Answer, got: Answer) -> list[str]:
    """Return the keys in which two answers differ; traces are compared if both have one.

    The order of simultaneous placements, and of simultaneous captures, is ignored.
    """
    keys = [
        key
        for key in ("after", "winning", "outcome")
        if getattr(expected, key) != getattr(got, key)
    ]
    traces = [_in_one_order(one.trace) for one in (expected, got) if one.trace is not None]
    if len(traces) == 2 and traces[0] != traces[1]:
        keys.append("trace")
    return keys


def _in_one_order(trace: tuple[tuple[str, ...], ...]) -> list[tuple[str, ...]]:
    ordered: list[tuple[str, ...]] = []
    for kind, group in groupby(trace, key=itemgetter(0)):
        events = list(group)
        ordered += sorted(events) if kind in ("placed", "captured") else events
    return ordered


def _object(answer: object, key: str) -> dict[str, Any]:
    if not isinstance(answer, dict) or key not in answer:
        raise EngineFaultError(
            f"the engine answers {_shown(answer)}: expected an object with {key!r}"
        )
    return answer


def _trace(trace: object) -> tuple[tuple[str, ...], ...] | None:
    if trace is None:
        return None
    if isinstance(trace, list) and all(isinstance(event, list) and event for event in trace):
        events = tuple(map(tuple, trace))
        if all(isinstance(word, str) for event in events for word in event):
            return events
    raise _bad("trace", trace, "lists of strings")


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= CELLS


def _bad(key: str, value: object, expected: str) -> EngineFaultError:
    return EngineFaultError(f"the engine answers {key!r}: {_shown(value)}: expected {expected}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
