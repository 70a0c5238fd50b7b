"""Scenes under the open sky: parks, markets, water, bridges and trams."""

import math

from postcards.backdrop import far_hills, far_roofs, ground, paving, water
from postcards.parts import LAMP, boat, figure, flowers, lamp, tree, windows


def park(canvas, light, chance):
    """A path between old trees, a bench, people."""
    park_around(canvas, light, chance)
    for x, height in ((500, 150), (708, 150)):
        tree(canvas, x, 500, height, light)
    for x in (210, 900):
        canvas.box(x, 556, 150, 8, "#8a5f3c")
        canvas.box(x, 534, 150, 6, "#8a5f3c")
        canvas.box(x, 520, 150, 6, "#8a5f3c")
        for leg in (12, 132):
            canvas.box(x + leg, 518, 6, 66, "#3d3f46")
    figure(canvas, 580, 574, 86, "#3f4a5c")
    figure(canvas, 632, 578, 82, "#9c4a4a", robe=True)


def park_around(canvas, light, chance):
    far_roofs(canvas, light, chance, high=110)
    ground(canvas, light, 486)
    canvas.polygon([(520, 490), (680, 490), (860, 640), (340, 640)], "#dccfb4")
    for x, height in ((90, 310), (230, 240), (330, 190), (880, 200), (980, 250), (1110, 320)):
        tree(canvas, x, 522, height, light, chance.choice(["#5d8a4a", "#6f9a4c", "#4f7d50"]))
    for x in (400, 800):
        lamp(canvas, x, 566, light)


def glasshouse(canvas, light, chance):
    """A palm house of glass in a garden of flower beds."""
    far_roofs(canvas, light, chance, high=80)
    ground(canvas, light, 486)
    glass = LAMP if light.dark else "#cfe6e2"
    for x, half, up in ((330, 150, 100), (870, 150, 100), (600, 150, 190)):
        canvas.box(x - half, 400, half * 2, 110, glass, glows=light.dark)
        canvas.dome(x, 402, half, up, "#bfe0d6")
        for step in range(-4, 5):
            canvas.line([(x + step * half / 4, 510), (x + step * half / 4, 402), (x + step * half / 9, 402 - up * 0.96),
                         (x, 402 - up)], 2.6, "#f7f4ea")
        for y in (402, 456):
            canvas.line([(x - half, y), (x + half, y)], 4, "#f7f4ea")
    for x in (560, 640):
        canvas.line([(x, 500), (x + 6, 380)], 7, "#6b5a3a")
        for turn in range(7):
            angle = math.pi * (0.05 + turn * 0.15)
            canvas.line([(x + 6, 380), (x + 6 + 40 * math.cos(angle), 366 - 26 * math.sin(angle)),
                         (x + 6 + 66 * math.cos(angle), 384)], 6, "#3f7d4c", 200)
    canvas.polygon([(560, 510), (640, 510), (780, 640), (420, 640)], "#dccfb4")
    for x, y in ((240, 560), (960, 560)):
        flowers(canvas, chance, x, y, 200)
    for x, height in ((80, 290), (1120, 290)):
        tree(canvas, x, 530, height, light)


def market(canvas, light, chance):
    """Stalls with striped roofs at the quay, boats behind."""
    far_hills(canvas, light, (40, 70, 46, 84, 52, 64, 40))
    water(canvas, light, chance, 490)
    for x, size in ((150, 0.7), (520, 0.55), (1010, 0.8)):
        boat(canvas, x, 508, size)
    paving(canvas, light, 548)
    for index, colour in enumerate(("#e07a3f", "#d2443f", "#3f8f6b", "#e0a63f", "#3f6fa8")):
        stall(canvas, chance, 66 + index * 226, 430, colour)
    for x, height in ((300, 84), (528, 80), (760, 86), (990, 82)):
        figure(canvas, x, 618, height, chance.choice(["#3f4a5c", "#6b3f4a", "#4a5a3f"]), robe=x in (528, 990))


def stall(canvas, chance, x, y, colour):
    for leg in (8, 152):
        canvas.box(x + leg, y + 40, 6, 140, "#5b4636")
    for stripe in range(8):
        left = x - 8 + stripe * 23
        canvas.polygon([(x + 24 + stripe * 15, y - 26), (x + 39 + stripe * 15, y - 26), (left + 23, y + 36),
                        (left, y + 36)], colour if stripe % 2 == 0 else "#f7f1e2")
        canvas.oval(left + 11.5, y + 37, 11.5, 10, colour if stripe % 2 == 0 else "#f7f1e2")
    canvas.box(x, y + 108, 168, 62, "#8a6a4c")
    for column in range(9):
        canvas.oval(x + 14 + column * 17.5, y + 104, 10, 10, chance.choice(["#d2443f", "#e0a63f", "#5f8f3f",
                                                                           "#f2c14e"]))


def bay(canvas, light, chance):
    """Still water, a wooded shore, sails, reeds and a pair of swans."""
    far_roofs(canvas, light, chance, 470, 60)
    far_hills(canvas, light, (20, 44, 30, 52, 36, 60, 34), 476)
    water(canvas, light, chance, 472)
    for x, size in ((360, 1.0), (820, 0.75), (1010, 0.5)):
        boat(canvas, x, 520 - 30 * (1 - size), size)
    for x in (540, 610):
        canvas.oval(x, 584, 30, 13, "#fbf8f0")
        canvas.line([(x + 22, 580), (x + 36, 556), (x + 30, 540), (x + 40, 542)], 6, "#fbf8f0")
        canvas.oval(x + 44, 543, 6, 3, "#e07a3f")
    for _ in range(60):
        x = chance.choice([chance.randint(20, 250), chance.randint(960, 1180)])
        canvas.line([(x, 640), (x + chance.randint(-12, 12), chance.randint(520, 600))], 3, "#5d7048")


def bridge(canvas, light, chance):
    """A long bridge of stone with round arches."""
    far_roofs(canvas, light, chance, 470, 150)
    water(canvas, light, chance, 470)
    canvas.box(0, 420, 1200, 60, "#c9a692")
    canvas.box(0, 408, 1200, 14, "#dcbfae")
    for x in range(0, 1200, 240):
        canvas.box(x - 24, 420, 48, 150, "#b08f7c")
        canvas.polygon([(x - 34, 570), (x, 540), (x + 34, 570)], "#96776a")
        lamp(canvas, x, 410, light, 86)
        for step in range(0, 25):
            turn = math.pi * step / 24
            left = x + 120 + 96 * math.cos(turn)
            canvas.polygon([(left, 478), (left - 15, 478), (left - 15, 556 - 96 * math.sin(turn)),
                            (left, 556 - 96 * math.sin(turn))], "#c9a692")
    for x in range(10, 1200, 30):
        canvas.box(x, 412, 4, 22, "#96776a", 140)
    tram_car(canvas, light, 380, 408, 0.8)


def tram_car(canvas, light, x, base, size):
    """Green below, yellow above, as trams are here."""
    length, height = 420 * size, 112 * size
    canvas.round_box(x, base - height, length, height - 8 * size, 14 * size, "#f0d489")
    canvas.box(x, base - 52 * size, length, 40 * size, "#2f7d4f")
    canvas.box(x + 10 * size, base - height - 10 * size, length - 20 * size, 12 * size, "#5b636b")
    for column in range(9):
        canvas.round_box(x + (14 + column * 45) * size, base - 98 * size, 36 * size, 40 * size, 5 * size,
                         LAMP if light.dark else "#5f7f90", glows=light.dark)
    for wheel in (70, 130, 290, 350):
        canvas.oval(x + wheel * size, base - 8 * size, 14 * size, 14 * size, "#2b2b33")
    canvas.line([(x + 180 * size, base - height - 8 * size), (x + 215 * size, base - height - 50 * size),
                 (x + 250 * size, base - height - 50 * size)], 3.5 * size, "#3d3f46")


def tram(canvas, light, chance):
    """A square with a tram, houses around it."""
    far_roofs(canvas, light, chance, high=120)
    for x, width, top, colour in ((40, 250, 240, "#e2c79a"), (300, 210, 290, "#d99a7c"), (690, 220, 270, "#c9d0b8"),
                                  (920, 250, 230, "#e6d2b0")):
        canvas.box(x, top, width, 290, colour)
        canvas.box(x - 6, top - 10, width + 12, 12, "#8a7a6a")
        windows(canvas, light, chance, (x + 10, top + 16, width - 20, 230), (5, 4), (0.46, 0.6))
    paving(canvas, light, 526)
    for y in (576, 596):
        canvas.line([(0, y), (1200, y)], 4, "#5b5652")
    canvas.line([(0, 368), (1200, 364)], 2, "#3d3f46")
    tram_car(canvas, light, 330, 590, 1.32)
    for x in (120, 1080):
        lamp(canvas, x, 560, light, 140)
    figure(canvas, 1000, 618, 92, "#3f4a5c")
    figure(canvas, 215, 620, 88, "#9c4a4a", robe=True)


def hill(canvas, light, chance):
    """An observatory with domes on a hill above the harbour."""
    far_roofs(canvas, light, chance, 500, 70)
    water(canvas, light, chance, 498)
    boat(canvas, 150, 540, 0.6)
    points = [(x, 640 - 190 * math.sin(math.pi * min(1, max(0, (x - 180) / 900))) ** 0.8) for x in range(180, 1081, 20)]
    canvas.polygon(points + [(1080, 640)], light.ground if light.snow else "#7d9a5f", glows=light.snow)
    canvas.box(420, 350, 380, 106, "#efe0c2")
    canvas.box(412, 342, 396, 12, "#c8b48e")
    windows(canvas, light, chance, (430, 362, 360, 84), (10, 1), (0.4, 0.7), arched=True)
    for x, half in ((470, 44), (610, 62), (750, 44)):
        canvas.box(x - half, 300, half * 2, 46, "#efe0c2")
        canvas.dome(x, 302, half + 4, half * 1.05, "#5fa08c")
        canvas.polygon([(x - 7, 302), (x - 4, 302 - half * 1.04), (x + 12, 302 - half), (x + 15, 302)], "#2f4a44")
    for x, base, height in ((330, 520, 130), (890, 510, 150), (960, 556, 120), (270, 580, 110)):
        tree(canvas, x, base, height, light)
