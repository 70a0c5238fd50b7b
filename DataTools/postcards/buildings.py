"""Scenes of a station, its tower, a store, a market hall and a swimming hall."""

from postcards.backdrop import BOTTOM, far_roofs, paving, water
from postcards.parts import LAMP, clock, figure, lamp, tree, windows

COPPER, GRANITE = "#5fa08c", "#c99f84"


def station(canvas, light, chance):
    """Granite, one great arch of glass, and a clock tower with a copper top."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 530)
    canvas.box(80, 340, 1040, 190, GRANITE)
    canvas.box(80, 330, 1040, 14, COPPER)
    canvas.box(760, 150, 110, 380, GRANITE)
    canvas.box(826, 150, 44, 380, "#a47d66")
    canvas.polygon([(752, 150), (766, 108), (864, 108), (878, 150)], COPPER)
    canvas.box(780, 82, 70, 28, GRANITE)
    canvas.dome(815, 84, 42, 32, COPPER)
    clock(canvas, 815, 196, 34)
    windows(canvas, light, chance, (776, 250, 78, 180), (3, 2), (0.34, 0.74), arched=True)
    windows(canvas, light, chance, (96, 362, 180, 150), (5, 2), (0.46, 0.66))
    windows(canvas, light, chance, (884, 362, 220, 150), (6, 2), (0.46, 0.66))
    canvas.arch(300, 226, 300, 304, "#b98d73")
    canvas.arch(324, 252, 252, 278, LAMP if light.dark else "#7d97a3", glows=light.dark)
    for x in range(348, 576, 24):
        canvas.line([(x, 290 if x in (348, 564) else 262), (x, 530)], 3, "#7a5c4c")
    for y in (380, 440):
        canvas.line([(326, y), (574, y)], 4, "#7a5c4c")
    canvas.arch(380, 452, 140, 78, "#5b463c")
    for x in (270, 630):
        figure(canvas, x, 530, 128, "#dcb79c", (0.0, -0.34))
        canvas.oval(x + 20, 464, 18, 18, LAMP, glows=True)


def clocktower(canvas, light, chance):
    """The tower alone, close by, above roofs."""
    far_roofs(canvas, light, chance, high=150)
    paving(canvas, light, 540)
    canvas.box(490, 130, 220, 430, GRANITE)
    canvas.box(624, 130, 86, 430, "#a47d66")
    for x in (500, 560, 628, 690):
        canvas.box(x, 300, 10, 240, "#b98d73")
    windows(canvas, light, chance, (512, 320, 180, 210), (4, 2), (0.4, 0.78), arched=True)
    canvas.polygon([(474, 134), (504, 96), (696, 96), (726, 134)], COPPER)
    canvas.box(536, 72, 128, 26, GRANITE)
    canvas.dome(600, 74, 74, 26, COPPER)
    canvas.box(482, 284, 236, 12, "#8f6d58")
    clock(canvas, 600, 208, 66, 4, 42)
    for x, height in ((160, 200), (300, 160), (920, 170), (1060, 210)):
        tree(canvas, x, 568, height, light)


def store(canvas, light, chance):
    """A department store of brick on a corner, all its windows full."""
    far_roofs(canvas, light, chance, high=130)
    paving(canvas, light, 540)
    canvas.polygon([(200, 220), (640, 160), (640, 540), (200, 540)], "#b5664a")
    canvas.polygon([(640, 160), (1010, 230), (1010, 540), (640, 540)], "#94503a")
    canvas.polygon([(200, 220), (640, 160), (1010, 230), (1010, 216), (640, 142), (200, 206)], COPPER)
    windows(canvas, light, chance, (220, 240, 400, 190), (9, 4), (0.54, 0.66))
    windows(canvas, light, chance, (660, 250, 330, 180), (7, 4), (0.54, 0.66))
    canvas.box(622, 100, 36, 60, "#b5664a")
    clock(canvas, 640, 190, 32, 5, 20)
    for x in range(214, 1000, 98):
        canvas.box(x, 452, 84, 88, LAMP if light.dark else "#8fb0bf", glows=light.dark)
        for stripe in range(6):
            canvas.box(x + stripe * 14, 440, 14, 20, "#f4efe0" if stripe % 2 else "#2f7d5b")
    for x, height in ((300, 62), (470, 56), (700, 60), (880, 58)):
        figure(canvas, x, 590, height, "#3f3b4a", robe=x == 470)


def hall(canvas, light, chance):
    """A market hall of striped brick by the water."""
    far_roofs(canvas, light, chance)
    water(canvas, light, chance, 530)
    canvas.box(60, 512, 1080, 30, "#a79c90")
    canvas.box(180, 350, 840, 164, "#c2603f")
    for y in range(362, 512, 22):
        canvas.box(180, y, 840, 8, "#efc98f")
    canvas.polygon([(170, 352), (230, 290), (970, 290), (1030, 352)], "#56626a")
    canvas.box(330, 262, 540, 32, "#efc98f")
    windows(canvas, light, chance, (336, 266, 528, 24), (16, 1), (0.7, 0.7))
    canvas.polygon([(318, 264), (350, 236), (850, 236), (882, 264)], "#56626a")
    for x in (200, 540, 900):
        canvas.polygon([(x - 16, 352), (x + 60, 270), (x + 136, 352)], "#c2603f")
        canvas.box(x, 340, 120, 174, "#c2603f")
        canvas.box(x, 344, 120, 8, "#efc98f")
        canvas.arch(x + 28, 396, 64, 118, LAMP if light.dark else "#4c3b33", glows=light.dark)
        canvas.oval(x + 60, 326, 15, 15, LAMP if light.dark else "#56697c", glows=light.dark)
    for x in (150, 480, 850, 1060):
        lamp(canvas, x, 516, light, 90)


def pool(canvas, light, chance):
    """A swimming hall: arches on both sides of green water."""
    canvas.box(0, 0, 1200, BOTTOM, "#efe0c2")
    canvas.fade(0, 150, ("#e2c79a", "#efe0c2"))
    for row, (y, height) in enumerate(((90, 150), (262, 190))):
        for x in range(70, 1140, 156):
            canvas.arch(x, y, 112, height, "#c99a66")
            canvas.arch(x + 8, y + 10, 96, height - 10, "#fff1cc" if row == 0 else "#8a6a4c", glows=row == 0)
            canvas.box(x + 52, y + 10, 6, height - 10, "#c99a66")
        canvas.box(0, y + height, 1200, 14, "#d8bd8c")
    canvas.box(0, 466, 1200, 174, "#e6d2ac")
    canvas.polygon([(260, 488), (940, 488), (1200, 640), (0, 640)], "#4aa39a")
    canvas.polygon([(250, 484), (950, 484), (940, 494), (260, 494)], "#f7efe0")
    for x in (390, 530, 670, 810):
        canvas.line([(x, 494), (600 + (x - 600) * 1.9, 640)], 3, "#f7efe0", 150)
    for _ in range(30):
        y = chance.randint(504, 632)
        x = chance.randint(600 - round((y - 380) * 2), 600 + round((y - 380) * 2))
        canvas.line([(x - 24, y), (x, y - 4), (x + 24, y)], 2.4, "#c9f2e6", 170)
    for x, y in ((470, 540), (760, 580)):
        canvas.oval(x, y, 13, 14, "#c98d68")
        canvas.dome(x, y - 2, 14, 14, "#d23f3f")
        canvas.line([(x + 10, y + 8), (x + 46, y - 8), (x + 64, y + 8)], 8, "#c98d68")
