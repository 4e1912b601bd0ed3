"""The compiled engine: modules built from src/, their stubs, and files to `cimport`.

Belongs here: code that must be fast. It does not use players, files or the terminal.
"""
