"""Colours, and nothing else: one table for bright pages, one for dark ones.

Seats differ in lightness and elements in shape, so every picture still reads in greyscale and
with any kind of colour blindness; the hues come on top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pbem.games.scene import ArrowKind, Mark, Shape


@dataclass(frozen=True, slots=True)
class CellColours:
    """Fill, outline and the name written on a cell."""

    fill: str
    edge: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatColours:
    """How one seat's pieces are treated: rim, lettering, and the face of each shape."""

    rim: str
    letter: str
    faces: dict[Shape, str]
    swatch: str
    token_letter: str


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """Everything that has a colour. There are few, each made once: one equals only itself, so that
    what is kept for a theme is found quickly."""

    name: str
    page: str
    text: str
    muted: str
    groove: str
    accent: str
    tracks: tuple[str, str]
    plain: CellColours
    homes: tuple[CellColours, CellColours]
    source: CellColours
    glow: tuple[str, str]
    centre: CellColours
    centre_star: str
    cut: CellColours
    bands: dict[Shape, str]
    seats: tuple[SeatColours, SeatColours]
    marks: dict[Mark, tuple[str, str]]
    arrows: dict[ArrowKind, str]
    arrow_edge: str
    highlight: str
    line: str
    entrants: tuple[str, ...]
    """Lines of a chart with many of them, the leader's first; each has its own stroke as well."""


_BANDS: Final = {
    Shape.KITE: "#e9b10a",
    Shape.SQUARE: "#23935a",
    Shape.DISC: "#2b7bd3",
    Shape.FLAME: "#dc3f2c",
}

_LIGHT_FACES: Final = {
    Shape.KITE: "#fff3bf",
    Shape.SQUARE: "#d6f2dd",
    Shape.DISC: "#d8e9ff",
    Shape.FLAME: "#ffded6",
}

_DARK_FACES: Final = {
    Shape.KITE: "#3d3106",
    Shape.SQUARE: "#0d3521",
    Shape.DISC: "#0e2a4d",
    Shape.FLAME: "#4a130d",
}

LIGHT: Final = Theme(
    name="light",
    page="#fbf9f4",
    text="#23262b",
    muted="#6d7278",
    groove="#e2ded3",
    accent="#b0305c",
    tracks=("#d9a521", "#3a3f47"),
    plain=CellColours("#e9e9e4", "#cbccc5", "#80847f"),
    homes=(
        CellColours("#f6e3ab", "#d9bd6c", "#86691c"),
        CellColours("#aeb2b9", "#8f949c", "#3f444c"),
    ),
    source=CellColours("#c7a8f1", "#8246d2", "#56259b"),
    glow=("#dfccf9", "#f6efff"),
    centre=CellColours("#3a3f47", "#23262b", "#ffffff"),
    centre_star="#f3cf6b",
    cut=CellColours("#fbf9f4", "#e2ded3", "#fbf9f4"),
    bands=_BANDS,
    seats=(
        SeatColours("#8a6412", "#1d1f23", _LIGHT_FACES, "#f0c552", "#1d1f23"),
        SeatColours("#0d0f12", "#ffffff", _DARK_FACES, "#23262b", "#ffffff"),
    ),
    marks={
        Mark.COVERED: ("#23262b", "#ffffff"),
        Mark.REVEALED: ("#ffffff", "#23262b"),
        Mark.SHIELDED: ("#7a3fc4", "#ffffff"),
        Mark.MOVED: ("#6d7278", "#ffffff"),
    },
    arrows={
        ArrowKind.MOVE: "#4b5563",
        ArrowKind.SLIDE: "#4b5563",
        ArrowKind.ATTACK: "#c2185b",
        ArrowKind.NOTE: "#0f8a8a",
    },
    arrow_edge="#fbf9f4",
    highlight="#e07b00",
    line="#0f8a8a",
    entrants=("#b0305c", "#1f6fb2", "#2c7a3f", "#9a5b00", "#6b3fa8", "#3a3f47"),
)

DARK: Final = Theme(
    name="dark",
    page="#14171c",
    text="#eceef1",
    muted="#98a1ad",
    groove="#2b313a",
    accent="#ff7aa8",
    tracks=("#e8bf4e", "#c3cad3"),
    plain=CellColours("#282d36", "#3d444f", "#8d97a5"),
    homes=(
        CellColours("#5b4a1d", "#8a7130", "#dcc37e"),
        CellColours("#0a0c0f", "#4a525e", "#7d8794"),
    ),
    source=CellColours("#4a2f80", "#a678f0", "#ffffff"),
    glow=("#5f3ba3", "#764ac5"),
    centre=CellColours("#0a0c0f", "#98a1ad", "#ffffff"),
    centre_star="#f3cf6b",
    cut=CellColours("#14171c", "#242932", "#14171c"),
    bands={**_BANDS, Shape.DISC: "#3d8fe8", Shape.FLAME: "#ec5240", Shape.SQUARE: "#2ea869"},
    seats=(
        SeatColours("#8a6412", "#1d1f23", _LIGHT_FACES, "#f0c552", "#1d1f23"),
        SeatColours("#c3cad3", "#ffffff", _DARK_FACES, "#0a0c0f", "#ffffff"),
    ),
    marks={
        Mark.COVERED: ("#0a0c0f", "#ffffff"),
        Mark.REVEALED: ("#ffffff", "#14171c"),
        Mark.SHIELDED: ("#8a4fe0", "#ffffff"),
        Mark.MOVED: ("#4a525e", "#ffffff"),
    },
    arrows={
        ArrowKind.MOVE: "#b8c0cc",
        ArrowKind.SLIDE: "#b8c0cc",
        ArrowKind.ATTACK: "#ff4d88",
        ArrowKind.NOTE: "#35c4c4",
    },
    arrow_edge="#14171c",
    highlight="#ffab2e",
    line="#35c4c4",
    entrants=("#ff7aa8", "#6db6f2", "#6fd089", "#f0b45a", "#b79af5", "#c3cad3"),
)

PAPER: Final = replace(
    LIGHT,
    name="paper",
    page="#ffffff",
    arrow_edge="#ffffff",
    cut=CellColours("#ffffff", LIGHT.groove, "#ffffff"),
)
"""For what is printed: paper is white."""
