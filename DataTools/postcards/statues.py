"""Scenes of statues and fountains."""

from postcards.backdrop import BOTTOM, far_roofs, paving
from postcards.outdoors import park_around
from postcards.parts import LAMP, figure, flowers, lamp, pedestal, tree

BRONZE, BRONZE_SHINE = "#4a5f56", "#7d9488"


def statue(canvas, light, chance):
    """A poet or a painter on a pedestal among trees."""
    park_around(canvas, light, chance)
    pedestal(canvas, 600, 560, 150, 190)
    figure(canvas, 600, 372, 230, BRONZE, chance.choice([(0.06, -0.34), (0.2, -0.08), (0.05, 0.05)]))
    flowers(canvas, chance, 600, 572, 170)


def angel(canvas, light, chance):
    """Two figures who face each other over a pedestal: a tale and the truth."""
    park_around(canvas, light, chance)
    pedestal(canvas, 600, 560, 220, 150)
    figure(canvas, 548, 412, 200, BRONZE, (0.3, 0.14), robe=True)
    figure(canvas, 664, 412, 168, BRONZE, (0.04, 0.3))
    canvas.oval(725, 240, 24, 24, "#e3b94f")
    flowers(canvas, chance, 600, 572, 190)


def rider(canvas, light, chance):
    """A horseman in front of glass and stone."""
    far_roofs(canvas, light, chance, high=150)
    paving(canvas, light)
    pedestal(canvas, 600, 566, 300, 170, "#9a8f8c")

    def at(x, y):
        return 600 + x * 1.15, 396 + y * 1.15

    canvas.polygon([at(*p) for p in ((-104, -70), (-80, -100), (-20, -96), (40, -104), (74, -150), (98, -164),
                                     (132, -132), (126, -118), (98, -124), (86, -84), (66, -52), (-70, -46))], BRONZE)
    for hip, knee, hoof in (((-84, -60), (-96, -30), (-84, 0)), ((-60, -56), (-56, -28), (-66, 0)),
                            ((48, -60), (52, -28), (46, 0)), ((64, -62), (92, -46), (84, -18))):
        canvas.line([at(*hip), at(*knee), at(*hoof)], 15, BRONZE)
    canvas.line([at(-98, -84), at(-122, -66), at(-118, -28)], 11, BRONZE)
    canvas.polygon([at(*p) for p in ((-32, -88), (-30, -150), (-18, -168), (12, -168), (22, -150), (20, -92))], BRONZE)
    canvas.oval(*at(-3, -186), 15, 17, BRONZE)
    canvas.box(*at(-18, -204), 34, 10, BRONZE)
    canvas.line([at(14, -156), at(38, -128), at(60, -124)], 11, BRONZE)
    canvas.line([at(4, -96), at(18, -62), at(8, -36)], 14, BRONZE)
    canvas.line([at(-26, -150), at(-26, -100)], 6, BRONZE_SHINE, 150)
    canvas.line([at(-70, -92), at(30, -96)], 4, BRONZE_SHINE, 150)
    for x in (210, 990):
        lamp(canvas, x, 586, light)


def smiths(canvas, light, chance):
    """Three smiths around an anvil, in the middle of the street."""
    far_roofs(canvas, light, chance, high=210)
    paving(canvas, light)
    pedestal(canvas, 600, 566, 360, 130)
    canvas.polygon([(556, 436), (566, 396), (540, 384), (540, 370), (660, 370), (660, 384), (634, 396), (644, 436)],
                   "#33403b")
    for x, reach in ((500, (0.16, 0.26)), (606, (-0.24, 0.3)), (706, (-0.42, 0.26))):
        figure(canvas, x, 436, 186, BRONZE, reach)
        hand = x + (0.13 + reach[0]) * 186, 436 - (0.79 + reach[1]) * 186
        canvas.line([hand, (hand[0] + 34, hand[1] - 42)], 7, BRONZE)
        canvas.box(hand[0] + 18, hand[1] - 62, 42, 24, BRONZE)
    for x in (170, 1030):
        lamp(canvas, x, 590, light)


def lanterns(canvas, light, chance):
    """Two giants of granite who hold lanterns of light."""
    canvas.box(0, 0, 1200, BOTTOM, "#c99f84")
    for y in range(0, BOTTOM, 64):
        canvas.line([(0, y), (1200, y)], 2, "#a47d66", 150)
        for x in range((y // 64 % 2) * 80, 1200, 160):
            canvas.line([(x, y), (x, y + 64)], 2, "#a47d66", 150)
    canvas.arch(430, 96, 340, 544, "#b08468")
    canvas.arch(456, 126, 288, 514, LAMP if light.dark else "#8fb0bf", glows=light.dark)
    for x in range(492, 744, 36):
        canvas.line([(x, 130), (x, 640)], 4, "#7a5c4c")
    for y in (250, 350, 450, 550):
        canvas.line([(458, y), (742, y)], 5, "#7a5c4c")
    for x in (170, 318, 882, 1030):
        canvas.box(x - 52, 330, 104, 310, "#b98d73")
        canvas.polygon([(x - 58, 360), (x - 44, 246), (x + 44, 246), (x + 58, 360)], "#dcb79c")
        canvas.oval(x, 206, 34, 44, "#dcb79c")
        canvas.dome(x, 196, 37, 40, "#a47d66")
        canvas.line([(x - 50, 270), (x - 44, 372), (x, 392), (x + 44, 372), (x + 50, 270)], 22, "#cfa689")
        for radius in (96, 76, 58):
            canvas.oval(x, 400, radius, radius, LAMP, 46, glows=True)
        canvas.oval(x, 400, 40, 40, "#fff0c2", glows=True)
        for turn in (-20, 0, 20):
            canvas.line([(x + turn, 366), (x + turn * 1.5, 400), (x + turn, 434)], 2, "#a5803f", 150)


def fountain(canvas, light, chance):
    """A sea maid on her fountain, trees and water behind."""
    far_roofs(canvas, light, chance, high=120)
    paving(canvas, light)
    for x, height in ((90, 250), (220, 200), (980, 200), (1110, 260)):
        tree(canvas, x, 520, height, light)
    canvas.oval(600, 566, 250, 44, "#a58f86")
    canvas.oval(600, 560, 230, 34, light.water[0], glows=True)
    canvas.box(566, 430, 68, 130, "#a58f86")
    canvas.oval(600, 430, 110, 20, "#a58f86")
    maid(canvas, 600, 424, 210)
    for side in (-1, 1):
        for far, top in ((70, 400), (130, 372), (190, 388)):
            curve = [(600 + side * (52 + far * step / 12), 470 - 4 * (470 - top) * step / 12 * (1 - step / 15))
                     for step in range(13)]
            canvas.line(curve, 4, "#eaf6fb", 190, glows=True)
        canvas.oval(600 + side * 180, 540, 34, 14, "#6f6a68")
        canvas.oval(600 + side * 204, 526, 14, 13, "#6f6a68")


def maid(canvas, x, base, height):
    """A maid of the sea who looks back over her shoulder."""
    def at(across, up):
        return x + across * height, base - up * height

    canvas.polygon([at(*p) for p in ((-0.02, 0), (-0.07, 0.26), (-0.10, 0.46), (-0.055, 0.62), (-0.10, 0.80),
                                     (-0.03, 0.85), (0.03, 0.85), (0.095, 0.80), (0.06, 0.62), (0.115, 0.45),
                                     (0.085, 0.24), (0.07, 0))], BRONZE)
    canvas.oval(*at(0.012, 0.925), height * 0.056, height * 0.07, BRONZE)
    canvas.polygon([at(*p) for p in ((-0.04, 0.98), (-0.075, 0.93), (-0.085, 0.78), (-0.02, 0.82), (0.0, 0.97))],
                   "#36473f")
    canvas.line([at(-0.085, 0.79), at(-0.15, 0.62), at(-0.08, 0.47)], height * 0.042, BRONZE)
    canvas.line([at(0.08, 0.79), at(0.15, 0.68), at(0.07, 0.60)], height * 0.042, BRONZE)
    canvas.line([at(0.02, 0.40), at(0.03, 0.04)], 2, "#36473f")
    canvas.line([at(-0.05, 0.78), at(-0.015, 0.6), at(-0.05, 0.44), at(-0.03, 0.2)], 5, BRONZE_SHINE, 150)
    for side in (-1, 1):
        canvas.polygon([at(side * 0.02, 0.05), at(side * 0.20, 0.09), at(side * 0.14, 0.0)], "#36473f")
