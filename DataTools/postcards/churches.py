"""Scenes with a church in the middle. Every scene takes the canvas, the light and a source of chance."""

import math

from postcards.backdrop import far_roofs, ground, paving
from postcards.parts import LAMP, columns, figure, lamp, pediment, tree, windows

WHITE, SHADE, COPPER = "#f7f4ea", "#d9d3c6", "#5fa08c"


def cathedral(canvas, light, chance):
    """White, five green domes, on a flight of steps."""
    far_roofs(canvas, light, chance)
    paving(canvas, light, 540)
    for step in range(7):
        canvas.box(270 - step * 12, 470 + step * 10, 660 + step * 24, 10, "#e6dfd2" if step % 2 else "#cfc7b8")
    for x in (380, 820):
        turret(canvas, x, 300, 34)
    canvas.box(330, 330, 540, 140, WHITE)
    canvas.box(330, 322, 540, 12, SHADE)
    windows(canvas, light, chance, (340, 348, 130, 110), (3, 2), (0.34, 0.66), arched=True)
    windows(canvas, light, chance, (730, 348, 130, 110), (3, 2), (0.34, 0.66), arched=True)
    for x in (465, 735):
        turret(canvas, x, 288, 38)
    canvas.box(520, 190, 160, 140, WHITE)
    columns(canvas, 516, 200, 168, 100, 7)
    canvas.box(508, 186, 184, 14, SHADE)
    canvas.dome(600, 188, 86, 104, COPPER)
    canvas.polygon([(600, 84), (686, 188), (640, 188)], "#4b8876", 130)
    canvas.box(588, 62, 24, 26, WHITE)
    canvas.dome(600, 64, 14, 18, COPPER)
    cross(canvas, 600, 46, 22)
    canvas.box(480, 322, 240, 148, SHADE)
    columns(canvas, 476, 340, 248, 130, 6)
    pediment(canvas, 476, 340, 248, 62)
    for x in (150, 1050):
        lamp(canvas, x, 592, light)


def turret(canvas, x, base, half):
    canvas.box(x - half, base - 6, half * 2, 60, WHITE)
    canvas.dome(x, base - 4, half * 1.04, half * 1.3, COPPER)
    canvas.oval(x, base - half * 1.36, 4, 5, "#e3b94f")


def cross(canvas, x, base, height):
    canvas.box(x - 1.8, base - height, 3.6, height, "#e3b94f")
    canvas.box(x - height * 0.3, base - height * 0.74, height * 0.6, 3.6, "#e3b94f")


def church(canvas, light, chance):
    """Low and wooden, with a lantern on its crossing, among trees."""
    far_roofs(canvas, light, chance, high=70)
    ground(canvas, light, 490)
    canvas.polygon([(560, 500), (640, 500), (760, 640), (440, 640)], "#d8cbb2")
    for x, height in ((120, 280), (250, 220), (960, 230), (1080, 300)):
        tree(canvas, x, 520, height, light)
    canvas.box(340, 360, 520, 140, "#f3ead2")
    canvas.polygon([(322, 362), (388, 296), (812, 296), (878, 362)], "#77747c")
    windows(canvas, light, chance, (352, 376, 150, 110), (3, 1), (0.4, 0.66), arched=True)
    windows(canvas, light, chance, (698, 376, 150, 110), (3, 1), (0.4, 0.66), arched=True)
    canvas.box(508, 330, 184, 170, "#f8f1de")
    pediment(canvas, 506, 334, 188, 62, "#f8f1de")
    columns(canvas, 516, 350, 168, 150, 4)
    canvas.box(562, 190, 76, 88, "#f8f1de")
    windows(canvas, light, chance, (566, 204, 68, 64), (2, 1), (0.4, 0.7), arched=True)
    canvas.box(554, 184, 92, 10, SHADE)
    canvas.dome(600, 186, 44, 46, "#77747c")
    cross(canvas, 600, 144, 34)
    for x in (400, 800):
        lamp(canvas, x, 580, light)


def chapel(canvas, light, chance):
    """A windowless bowl of bent wood on a square."""
    far_roofs(canvas, light, chance, high=170)
    paving(canvas, light)
    canvas.oval(610, 566, 300, 22, "#2b2b33", 60)
    outline = [(340, 560), (306, 440), (312, 300), (352, 216)]
    rim = [(352 + step * 5.2, 216 - 22 * math.sin(step / 96 * math.pi)) for step in range(97)]
    body = outline + rim + [(884, 300), (892, 440), (862, 560)]
    canvas.polygon(body, "#d9a566")
    for step in range(1, 13):
        y = 206 + step * 27
        bend = 14 * math.sin(step / 13 * math.pi)
        canvas.line([(330 - bend, y), (600, y + 16), (872 + bend, y)], 2, "#a87440", 150)
    canvas.polygon([(690, 196), (852, 214), (884, 300), (892, 440), (862, 560), (720, 560)], "#8a5a30", 70)
    canvas.box(560, 470, 64, 90, "#5a3d26")
    canvas.box(566, 476, 52, 84, LAMP if light.dark else "#7d5a3c", glows=light.dark)
    for x, height in ((200, 52), (236, 58), (960, 56)):
        figure(canvas, x, 590, height, "#4a4854")
    lamp(canvas, 1050, 570, light)
