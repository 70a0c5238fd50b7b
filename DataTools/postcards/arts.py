"""Scenes of museums, theatres, a library and a concert hall."""

import math

from postcards.backdrop import far_roofs, paving
from postcards.parts import LAMP, columns, figure, lamp, pediment, tree, windows

WHITE, SHADE, COPPER = "#f7f4ea", "#d9d3c6", "#5fa08c"


def museum(canvas, light, chance):
    """A palace of art: three floors, a tall middle with columns and a pediment."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 528)
    canvas.box(170, 290, 860, 240, "#e5cfa4")
    canvas.box(170, 280, 860, 14, "#f3e6c8")
    canvas.box(170, 400, 860, 6, "#c8af82")
    windows(canvas, light, chance, (186, 304, 270, 90), (6, 1), (0.42, 0.74), arched=True)
    windows(canvas, light, chance, (744, 304, 270, 90), (6, 1), (0.42, 0.74), arched=True)
    windows(canvas, light, chance, (186, 414, 270, 110), (6, 1), (0.5, 0.66))
    windows(canvas, light, chance, (744, 414, 270, 110), (6, 1), (0.5, 0.66))
    canvas.box(462, 236, 276, 294, "#efdcb4")
    windows(canvas, light, chance, (496, 268, 208, 120), (4, 1), (0.42, 0.8), arched=True)
    columns(canvas, 470, 262, 260, 136, 5)
    pediment(canvas, 460, 240, 280, 78, "#f6ead0")
    canvas.oval(600, 212, 17, 17, "#c8af82")
    for x in (500, 572, 644):
        canvas.arch(x, 424, 56, 106, LAMP if light.dark else "#5a4a42", glows=light.dark)
    for step in range(4):
        canvas.box(470 - step * 14, 522 + step * 9, 260 + step * 28, 9, "#d9d0c0" if step % 2 else "#c4baa8")
    for x in (120, 1080):
        lamp(canvas, x, 590, light)


def gallery(canvas, light, chance):
    """White domes with round skylights that rise out of a square, a low pavilion behind."""
    far_roofs(canvas, light, chance, high=110)
    canvas.box(140, 350, 920, 150, WHITE)
    canvas.box(140, 340, 920, 14, SHADE)
    windows(canvas, light, chance, (160, 372, 880, 100), (14, 1), (0.8, 0.8))
    canvas.box(880, 190, 34, 160, "#e9e4d8")
    canvas.box(872, 182, 50, 12, SHADE)
    paving(canvas, light, 496)
    for x, base, across, up in ((320, 560, 190, 110), (820, 556, 220, 140), (590, 606, 170, 86)):
        canvas.dome(x, base, across, up, "#d5ccba")
        for ring in range(1, 5):
            canvas.line([(x - across * (1 - ring * 0.16), base - up * math.sin(math.acos(1 - ring * 0.16)) * 0.98),
                         (x, base - up * (0.12 * ring + 0.1)),
                         (x + across * (1 - ring * 0.16), base - up * math.sin(math.acos(1 - ring * 0.16)) * 0.98)],
                        1.4, "#a89f8d", 130)
        canvas.oval(x + across * 0.16, base - up * 0.62, across * 0.24, up * 0.22, "#f3efe4")
        canvas.oval(x + across * 0.16, base - up * 0.62, across * 0.19, up * 0.16,
                    LAMP if light.dark else "#6f94a8", glows=light.dark)
    figure(canvas, 470, 560, 54, "#3f3b4a")
    figure(canvas, 1060, 590, 60, "#3f3b4a", robe=True)


def kiasma(canvas, light, chance):
    """A museum that bends: a long curved roof of pale metal over a wall of glass."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 530)
    bend = [(210 + 780 * math.sin(step / 30 * math.pi / 2), 190 + 320 * (1 - math.cos(step / 30 * math.pi / 2)))
            for step in range(31)]
    canvas.polygon([(210, 530)] + bend + [(990, 530)], "#c3ccd2")
    for step in range(1, 9):
        share = 1 - step * 0.1
        canvas.line([(210 + (x - 210) * share, 530 - (530 - y) * share) for x, y in bend], 2, "#93a0aa", 150)
    canvas.polygon([(150, 530), (150, 260), (330, 212), (330, 530)], "#eef1f2")
    canvas.polygon([(176, 510), (176, 290), (304, 258), (304, 510)], LAMP if light.dark else "#7fa9ba",
                   glows=light.dark)
    for y in range(310, 510, 34):
        canvas.line([(176, y), (304, y - 14)], 3, "#eef1f2")
    for x in (208, 240, 272):
        canvas.line([(x, 510), (x, 270)], 3, "#eef1f2")
    canvas.box(400, 440, 470, 74, LAMP if light.dark else "#5f8799", glows=light.dark)
    for x in range(400, 880, 47):
        canvas.line([(x, 440), (x, 514)], 4, "#c3ccd2")
    for x, height in ((430, 54), (476, 60), (700, 58), (930, 56)):
        figure(canvas, x, 590, height, "#44434f", robe=x in (476, 930))
    lamp(canvas, 1070, 590, light)


def theatre(canvas, light, chance):
    """A round front with columns and a lit canopy."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 534)
    canvas.box(250, 250, 700, 284, "#ece2cf")
    canvas.box(800, 250, 150, 284, "#cfc3ad")
    canvas.polygon([(240, 250), (290, 206), (910, 206), (960, 250)], "#6d7a78")
    canvas.box(380, 170, 440, 60, "#ece2cf")
    canvas.polygon([(370, 172), (420, 136), (780, 136), (830, 172)], COPPER)
    windows(canvas, light, chance, (369, 266, 462, 96), (8, 1), (0.42, 0.84), arched=True)
    for x in (258, 866):
        windows(canvas, light, chance, (x, 266, 76, 96), (1, 1), (0.4, 0.8), arched=True)
    columns(canvas, 340, 262, 520, 110, 9)
    canvas.box(250, 372, 700, 10, "#b7aa92")
    windows(canvas, light, chance, (270, 450, 660, 80), (9, 1), (0.6, 0.9))
    canvas.box(300, 402, 600, 34, "#9c2f36")
    for x in range(316, 900, 22):
        canvas.oval(x, 436, 5, 5, "#ffe9a8", glows=True)
    for x in (420, 500, 600, 700, 780):
        canvas.polygon([(x - 26, 388), (x, 396), (x + 26, 388), (x + 20, 402), (x - 20, 402)], "#e3b94f")
    for x, height in ((300, 60), (352, 64), (860, 62), (910, 58)):
        figure(canvas, x, 596, height, "#3f3b4a", robe=x in (352, 910))
    for x in (140, 1060):
        lamp(canvas, x, 590, light)


def concert(canvas, light, chance):
    """A concert hall: a low block of green copper and glass on grass steps."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 540)
    canvas.box(180, 270, 840, 240, "#6f9a8a")
    canvas.box(180, 258, 840, 16, "#5fa08c")
    for x in range(196, 1016, 20):
        canvas.line([(x, 276), (x, 348)], 1.6, "#4b7a6a", 160)
    canvas.box(240, 348, 720, 150, LAMP if light.dark else "#8fc0d6", glows=light.dark)
    for x in range(240, 961, 60):
        canvas.box(x - 3, 348, 6, 150, "#35544b")
    canvas.box(240, 420, 720, 6, "#35544b")
    for x, height in ((300, 50), (380, 54), (520, 50), (690, 54), (830, 52)):
        figure(canvas, x, 496, height, "#3f3b4a", robe=x in (380, 690))
    canvas.box(400, 290, 400, 38, "#35544b")
    for step in range(11):
        x = 430 + step * 34
        canvas.oval(x, 312 - step % 4 * 3, 7, 5.4, "#f4efe4")
        canvas.box(x + 4.6, 296 - step % 4 * 2, 2, 16, "#f4efe4")
    for step in range(4):
        canvas.box(150 - step * 26, 500 + step * 13, 900 + step * 52, 13, "#7d9a5f" if step % 2 else "#6a8750")
    for x in (120, 1080):
        tree(canvas, x, 570, 190, light)


def modern(canvas, light, chance):
    """A long building whose roof rises like a wave over glass and wood."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 530)
    top = [(x, 250 - 46 * math.sin((x - 160) / 880 * math.pi * 1.6) + (x - 160) * 0.02) for x in range(160, 1041, 20)]
    canvas.polygon([(200, 530), (1000, 530), (1040, 300), (160, 300)], "#c8894f")
    for x in range(196, 1010, 18):
        canvas.line([(x, 330), (x * 0.94 + 36, 530)], 1.6, "#8f5c30", 140)
    canvas.polygon(top + [(1040, 340), (160, 340)], WHITE)
    canvas.polygon([(180, 296), (1020, 296), (1020, 326), (180, 326)], LAMP if light.dark else "#8fc0d6",
                   glows=light.dark)
    for x in range(220, 1010, 44):
        canvas.line([(x, 296), (x, 326)], 3, "#6c7c86")
    canvas.polygon([(380, 530), (820, 530), (760, 420), (440, 420)], LAMP if light.dark else "#7fa9ba",
                   glows=light.dark)
    for x in (470, 535, 600, 665, 730):
        canvas.line([(x, 420), (600 + (x - 600) * 1.38, 530)], 4, "#6f4b2c")
    for x, height in ((250, 54), (300, 60), (560, 52), (905, 58), (950, 50)):
        figure(canvas, x, 586, height, "#44434f", robe=x in (300, 905))
    for x in (110, 1090):
        tree(canvas, x, 560, 170, light)
