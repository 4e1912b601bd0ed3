"""The compiled engine: modules built from src/, their stubs, and what Cython code may cimport.

Belongs here: what must be fast. It knows positions, not players, files or screens.
"""
