"""What stands beside the board: for each seat a panel on the left, its lost pieces on the right.

The hexagon leaves four corners free. A panel fills its corner from the widest line inwards: the
seat at the top counts downwards, the seat at the bottom upwards. Each line of a panel is one
sprite, so that ``png`` meets the same few again and again; what they are written with is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pbem.diagrams import shapes
from pbem.diagrams.composition import PIECE_SQUARE, Item, Sprite
from pbem.diagrams.layout import MARGIN, WIDTH, Layout
from pbem.diagrams.shapes import Ground, number
from pbem.diagrams.theme import Theme
from pbem.games.scene import Panel, Scene, Track, TrackStyle

BAR_WIDTH: Final = 116
BAR_HEIGHT: Final = 9
PIP_STEP: Final = 13
TITLE_SIZE: Final = 23
LONGEST_TITLE: Final = 28
LABEL_SIZE: Final = 14
VALUE_SIZE: Final = 18
TRACK_STEP: Final = 43
COUNT_STEP: Final = 21
OFF_BOARD_ROWS: Final = (3, 2, 2, 1)
OFF_BOARD_STEP: Final = 41


def compose_panels(scene: Scene, layout: Layout, theme: Theme) -> Iterator[Item]:
    """Both panels. Raises ValueError when there is no corner left for one."""
    places = [panel.seat == scene.bottom_seat for panel in scene.panels]
    if len(set(places)) != len(places):
        raise ValueError("a hex board has room for one panel below and one above")
    for panel, at_bottom in zip(scene.panels, places, strict=True):
        lines = _Lines(layout.height, at_bottom=at_bottom, ground=Ground(theme.page))
        yield from _facts(panel, lines, theme)
        yield from _lost_pieces(panel, lines, theme)


class _Lines:
    """Places counted from the picture's upper or lower edge."""

    def __init__(self, height: int, *, at_bottom: bool, ground: Ground) -> None:
        self._height = height
        self.at_bottom = at_bottom
        self.ground = ground

    def y(self, depth: float) -> float:
        return self._height - depth if self.at_bottom else depth

    def sprite(self, x: float, depth: float, fragment: str, *, right: float) -> Sprite:
        return Sprite(x, self.y(depth), fragment, (2, 26, right, 26), self.ground)


def _facts(panel: Panel, lines: _Lines, theme: Theme) -> Iterator[Item]:
    title = _title(panel.title, panel.status, panel.seat, panel.is_active, theme)
    yield lines.sprite(MARGIN, 25, title, right=440)
    depth = 55.0
    for track in panel.tracks:
        # The words stand over the track on both sides of the board.
        drawn = _track(track, panel.seat, theme)
        yield lines.sprite(MARGIN, depth + (17 if lines.at_bottom else 0), drawn, right=124)
        depth += TRACK_STEP
    for count in panel.counts:
        drawn = _count(count.label, count.value, theme)
        yield lines.sprite(MARGIN, depth + 2, drawn, right=110)
        depth += COUNT_STEP


@lru_cache(maxsize=256)
def _title(title: str, status: str, seat: int, is_active: bool, theme: Theme) -> str:
    if len(title) > LONGEST_TITLE:
        title = title[: LONGEST_TITLE - 1] + "…"
    swatch = f'<g transform="translate(10)">{shapes.swatch(seat, theme)}</g>'
    name = f'<tspan font-weight="700" fill="{theme.text}">{shapes.safe(title)}</tspan>'
    fill = theme.accent if is_active else theme.muted
    written = (
        f'<tspan dx="9" font-size="{LABEL_SIZE + 1}" font-weight="700" fill="{fill}">'
        f"{shapes.safe(status)}</tspan>"
        if status
        else ""
    )
    return f'{swatch}<text x="27" y="7.6" font-size="{TITLE_SIZE}">{name}{written}</text>'


@lru_cache(maxsize=256)
def _track(track: Track, seat: int, theme: Theme) -> str:
    is_bar = track.style is TrackStyle.BAR
    width = BAR_WIDTH if is_bar else PIP_STEP * track.maximum - 3
    shown = min(max(track.value, 0), track.maximum)
    parts = [
        shapes.text(
            track.label, x=0, y=0, size=LABEL_SIZE, fill=theme.muted, weight=600, anchor="start"
        ),
        shapes.text(
            str(track.value), x=width, y=-1, size=VALUE_SIZE, fill=theme.text, anchor="end"
        ),
    ]
    if is_bar:
        filled = width * shown / max(track.maximum, 1)
        parts += [
            f'<path d="M0 13h{width}v{BAR_HEIGHT}h-{width}z" fill="{theme.groove}"/>',
            f'<path d="M0 13h{number(filled)}v{BAR_HEIGHT}h-{number(filled)}z"'
            f' fill="{theme.tracks[1 if seat else 0]}"/>',
        ]
    else:
        places = [5 + PIP_STEP * index for index in range(track.maximum)]
        parts += [
            shapes.pips(places[:shown], seat=seat, is_filled=True, theme=theme),
            shapes.pips(places[shown:], seat=seat, is_filled=False, theme=theme),
        ]
    # A group is drawn at once: nothing else shares its parts.
    return f"<g>{''.join(parts)}</g>"


@lru_cache(maxsize=128)
def _count(label: str, value: str, theme: Theme) -> str:
    return (
        f'<text y="5" font-size="{LABEL_SIZE}"><tspan font-weight="600"'
        f' fill="{theme.muted}">{shapes.safe(label)}</tspan><tspan dx="6"'
        f' font-weight="700" fill="{theme.text}">{shapes.safe(value)}</tspan></text>'
    )


@lru_cache(maxsize=16)
def _off_board_title(words: str, theme: Theme) -> str:
    return shapes.text(
        words, x=0, y=0, size=LABEL_SIZE + 1, fill=theme.muted, weight=600, anchor="end"
    )


def _lost_pieces(panel: Panel, lines: _Lines, theme: Theme) -> Iterator[Item]:
    if not panel.off_board:
        return
    right = WIDTH - MARGIN
    title = _off_board_title(panel.off_board_title, theme)
    yield Sprite(right, lines.y(25), title, (120, 14, 2, 14), lines.ground)
    for piece, (x, y) in zip(panel.off_board, _off_board_places(right, lines), strict=False):
        drawn = shapes.piece(piece.shape, piece.seat, piece.label, theme)
        yield Sprite(x, y, drawn, PIECE_SQUARE, lines.ground, piece)


def _off_board_places(right: float, lines: _Lines) -> Iterator[tuple[float, float]]:
    for row, count in enumerate(OFF_BOARD_ROWS):
        for column in range(count):
            yield right - 20 - OFF_BOARD_STEP * column, lines.y(60 + OFF_BOARD_STEP * row)
