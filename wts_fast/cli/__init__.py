"""The command `wts-fast`: parses, calls, prints, and decides nothing.

Belongs here: one file a command, with `add_to` for its arguments and `run` for what it does.
"""
