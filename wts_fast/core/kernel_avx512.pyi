# The turns of groups of games, at one CPU level: for compiled code.

kernel: object
