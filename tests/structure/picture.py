"""Draws the rooms of the runtime, the highest on top, with an arrow from each to those whose
headers it includes. An arrow is left out where others lead the same way.

    python3 tests/structure/picture.py >docs/rooms.svg
"""

import collections
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rooms

WIDTH, HEIGHT, COLUMN, ROW, MARGIN = 90, 30, 110, 70, 14


def arrows(house):
    """room -> the rooms it includes, without those that another of them leads to."""
    used = {room: set() for room in house.floor}
    for file, _, header in house.includes():
        used.setdefault(house.room(file), set()).add(house.room(header))
    reached = {}
    for room in sorted(used, key=lambda room: house.floor.get(room, -1)):
        reached[room] = set().union(*(reached.get(other, set()) | {other} for other in used[room] - {room}))
    return {room: {other for other in others - {room}
                   if not any(other in reached.get(third, ()) for third in others - {room})}
            for room, others in used.items()}


def places(leads):
    """room -> the centre of its box; its row is the longest way down."""
    rows = {}

    def row(room):
        if room not in rows:
            rows[room] = 1 + max(map(row, leads[room]), default=-1)
        return rows[room]

    levels = collections.defaultdict(list)
    for room in sorted(leads):
        levels[row(room)].append(room)
    width = COLUMN * max(map(len, levels.values()))
    return {room: (int((column + 0.5) * width / len(level)), MARGIN + HEIGHT // 2 + (max(levels) - number) * ROW)
            for number, level in levels.items() for column, room in enumerate(level)}


def arrow(start, end):
    (x, y), (to_x, to_y) = start, end
    return (f'  <line x1="{x}" y1="{y + HEIGHT // 2}" x2="{to_x}" y2="{to_y - HEIGHT // 2 - 4}" stroke="#555" '
            'marker-end="url(#head)"/>')


def box(room, centre):
    x, y = centre
    return (f'  <rect x="{x - WIDTH // 2}" y="{y - HEIGHT // 2}" width="{WIDTH}" height="{HEIGHT}" rx="4" '
            f'fill="#eef3fa" stroke="#345"/>\n'
            f'  <text x="{x}" y="{y + 5}" text-anchor="middle">{room}</text>')


def svg():
    leads = arrows(rooms.House("runtime", rooms.PLANS["runtime"]))
    found = places(leads)
    width = max(x for x, _ in found.values()) + WIDTH
    height = max(y for _, y in found.values()) + HEIGHT // 2 + MARGIN
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="14">',
             '  <defs><marker id="head" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto">'
             '<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>',
             f'  <rect width="{width}" height="{height}" fill="white"/>']
    lines += [arrow(found[room], found[other]) for room in sorted(leads) for other in sorted(leads[room])]
    lines += [box(room, found[room]) for room in sorted(found)]
    return "\n".join(lines + ["</svg>"])


if __name__ == "__main__":
    print(svg())
