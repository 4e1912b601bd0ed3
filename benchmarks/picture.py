"""Draws docs/peers.svg from benchmarks/peers.json: `python benchmarks/picture.py` in a clone.

The figures were measured by `wts-fast bench --peers --json > benchmarks/peers.json`. The same
figures give the same picture, byte by byte, from the same version of matplotlib.
"""

import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

FOLDER = Path(__file__).parent
FIGURES = FOLDER / "peers.json"
PICTURE = FOLDER.parent / "docs" / "peers.svg"

# Text stays text, in what sans serif the reader has; without a salt, ids would be random.
STYLE = {
    "font.family": "sans-serif",
    "font.size": 11,
    "svg.fonttype": "none",
    "svg.hashsalt": "wts-fast",
}
COLORS = {"wts-fast": "#1b7f5c", "reference": "#7fb8a2", "numba": "#5b7fa6"}
OTHERS = "#a9b4c0"


def main(picture: Path = PICTURE) -> None:
    """Write the picture, without a date, so that it depends on the figures only."""
    measured = json.loads(FIGURES.read_text(encoding="utf-8"))
    with mpl.rc_context(STYLE):
        draw(measured).savefig(picture, metadata={"Date": None})


def draw(measured: dict[str, Any]) -> Figure:
    """Return a bar chart of the rows, the fastest on top."""
    rows = sorted(measured["rows"], key=lambda row: row["games_per_second"])
    rates = [row["games_per_second"] for row in rows]
    figure = Figure(figsize=(9, 4.2), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    bars = axes.barh([row["name"] for row in rows], rates, color=[color_of(row) for row in rows])
    axes.bar_label(bars, [label_of(row) for row in rows], padding=5)
    axes.set_xscale("log")
    axes.set_xlim(min(rates) / 3, max(rates) * 10)
    axes.set_title("Random games in a second of CPU time, log scale", loc="left", weight="bold")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.minorticks_off()
    figure.supxlabel(caption_of(measured["machine"]), fontsize=9, x=0.015, ha="left")
    axes.grid(axis="x", color="#e4e8ec")
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
    return figure


def color_of(row: dict[str, Any]) -> str:
    """Return the color of a row, by the first word of its name."""
    return COLORS.get(row["name"].split()[0].rstrip(","), OTHERS)


def label_of(row: dict[str, Any]) -> str:
    """Return the games per second of a row, and the ratio to the core's own loop."""
    ratio = row["ratio"]
    rate = rounded(row["games_per_second"])
    if ratio == 1:
        return rate
    return f"{rate} (1/{rounded(ratio)})" if ratio >= 2 else f"{rate} (× {1 / ratio:.2f})"


def rounded(number: float) -> str:
    """Return a number rounded to three digits, or to two if it is below 10."""
    if number < 10:
        return f"{number:.1f}"
    return f"{round(number, min(0, 3 - len(f'{number:.0f}'))):,.0f}"


def caption_of(machine: dict[str, str]) -> str:
    """Return the caption: how to read the picture, the machine and the versions."""
    return (
        "In brackets: compared with wts-fast's own loop. "
        "OpenSpiel plays other games: gomoku on 9 × 9 cells, goofspiel with 13 cards.\n"
        f"One core of {machine['processor']}; {machine['python']}, wts-fast "
        f"{machine['wts_fast']}, numba {machine['numba']}, OpenSpiel {machine['open-spiel']}."
    )


if __name__ == "__main__":
    main()
