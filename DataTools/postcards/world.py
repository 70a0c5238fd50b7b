"""Scenes of towns far away, each by the thing that everybody knows it by."""

import math

from postcards.backdrop import far_hills, far_roofs, ground, water
from postcards.parts import LAMP, boat, palm, tree, windows


def tower(canvas, light, chance):
    """An iron lattice tower over roofs and trees."""
    far_roofs(canvas, light, chance, high=80)
    ground(canvas, light, 496)
    iron = "#6b5648"
    for side in (-1, 1):
        canvas.polygon([(600 + side * 150, 520), (600 + side * 84, 520), (600 + side * 34, 330), (600 + side * 8, 60),
                        (600, 60), (600 + side * 22, 330), (600 + side * 66, 400)], iron)
        for step in range(9):
            y = 500 - step * 22
            x = 600 + side * (140 - step * 13)
            canvas.line([(x, y), (x - side * 44, y - 22), (x - side * 10, y - 22), (x - side * 56, y)], 2.5, "#8a7260")
    canvas.polygon([(592, 330), (608, 330), (603, 60), (597, 60)], iron)
    canvas.box(520, 398, 160, 16, iron)
    canvas.box(556, 318, 88, 13, iron)
    canvas.box(586, 110, 28, 10, iron)
    canvas.box(598.5, 36, 3, 26, iron)
    for x in range(40, 1200, 86):
        tree(canvas, x, 560, chance.randint(100, 140), light)


def pyramids(canvas, light, chance):
    far_hills(canvas, light, (20, 34, 22, 40, 26))
    ground(canvas, light, 480, "#dcb878")
    for x, half, up in ((860, 170, 190), (520, 250, 280), (200, 110, 120)):
        canvas.polygon([(x - half, 500), (x, 500 - up), (x + half, 500)], "#e3bd7c")
        canvas.polygon([(x, 500 - up), (x + half, 500), (x + half * 0.24, 500)], "#b98d54")
        for step in range(1, 12):
            y = 500 - up * step / 12
            canvas.line([(x - half * (1 - step / 12), y), (x + half * (1 - step / 12), y)], 1.2, "#a57c48", 90)
    canvas.polygon([(0, 560), (300, 524), (640, 566), (940, 530), (1200, 560), (1200, 640), (0, 640)], "#cfa562")
    for x, height in ((1010, 200), (1080, 160), (110, 170)):
        palm(canvas, x, 590, height)


def volcano(canvas, light, chance):
    """A white-topped cone, a red gate in the water, blossom."""
    far_hills(canvas, light, (50, 90, 60, 70, 96, 50))
    canvas.polygon([(150, 500), (520, 190), (560, 176), (640, 176), (680, 190), (1050, 500)], "#5f7398")
    canvas.polygon([(430, 266), (520, 190), (560, 176), (640, 176), (680, 190), (770, 266), (716, 250), (672, 292),
                    (628, 246), (586, 300), (540, 252), (494, 286)], "#f7f8fb")
    far_hills(canvas, light, (30, 22, 46, 26, 40, 30, 24), 502)
    water(canvas, light, chance, 498)
    red = "#c8403a"
    for x in (240, 400):
        canvas.box(x, 400, 20, 200, red)
        canvas.box(x - 8, 584, 36, 20, "#4c4046")
    canvas.box(222, 436, 216, 15, red)
    canvas.polygon([(190, 384), (330, 398), (470, 384), (462, 408), (198, 408)], red)
    canvas.polygon([(184, 372), (330, 388), (476, 372), (472, 386), (330, 400), (188, 386)], "#3f3338")
    canvas.line([(1200, 110), (1060, 170), (960, 160), (880, 200)], 9, "#5b4038")
    for _ in range(110):
        x = chance.randint(850, 1190)
        y = 200 - (x - 860) * 0.2 + chance.randint(-46, 40)
        canvas.oval(x, y, 9, 8, chance.choice(["#f7c9d6", "#f2a9c0", "#fbe3ea"]))


def skyline(canvas, light, chance):
    """Towers of glass and stone along a river."""
    far_roofs(canvas, light, chance, high=250)
    x = 30
    while x < 1150:
        width, height = chance.randint(54, 92), chance.randint(140, 300)
        colour = chance.choice(["#8a92a6", "#a5846e", "#b7aa92", "#6f7f90"])
        canvas.box(x, 500 - height, width, height, colour)
        canvas.box(x + width * 0.7, 500 - height, width * 0.3, height, "#000000", 40)
        windows(canvas, light, chance, (x + 4, 506 - height, width - 8, height - 12), (5, height // 22), (0.5, 0.54))
        x += width + chance.randint(-6, 10)
    for wide, bottom, top in ((104, 500, 250), (76, 250, 190), (44, 190, 140)):
        canvas.box(600 - wide / 2, top, wide, bottom - top, "#b9b2a8")
        windows(canvas, light, chance, (604 - wide / 2, top + 6, wide - 8, bottom - top - 8),
                (5, max(2, (bottom - top) // 22)), (0.44, 0.56))
    canvas.polygon([(588, 140), (600, 60), (612, 140)], "#b9b2a8")
    water(canvas, light, chance, 498)


def sugarloaf(canvas, light, chance):
    far_hills(canvas, light, (120, 190, 130, 90, 150, 210, 120))
    water(canvas, light, chance, 496)
    canvas.polygon([(600, 500), (640, 420), (690, 270), (740, 200), (790, 190), (840, 230), (890, 350), (930, 500)],
                   "#5f7a5a")
    canvas.polygon([(790, 190), (840, 230), (890, 350), (930, 500), (830, 500), (800, 330)], "#47604a")
    canvas.polygon([(420, 500), (470, 400), (530, 370), (590, 400), (650, 500)], "#6d8a5f")
    canvas.line([(534, 372), (780, 196)], 2, "#3d3f46")
    canvas.round_box(640, 284, 32, 20, 6, "#d2443f")
    canvas.polygon([(0, 640), (0, 560), (220, 520), (520, 548), (800, 600), (1000, 640)], "#f0dcae")
    for x, height in ((90, 260), (200, 210)):
        palm(canvas, x, 600, height)
    boat(canvas, 1030, 550, 0.7)


def sails(canvas, light, chance):
    """White shells of an opera house at a harbour, a bridge behind."""
    far_hills(canvas, light, (30, 46, 34, 54, 40))
    steel = "#6a7684"
    arch = [(60 + step * 20, 486 - 190 * math.sin(math.pi * step / 30)) for step in range(31)]
    canvas.line(arch, 13, steel)
    canvas.line([(x, y + 44 * math.sin(math.pi * (x - 60) / 600)) for x, y in arch], 6, steel)
    for x, y in arch[2:-2:2]:
        canvas.line([(x, y), (x, 432)], 2.5, steel)
    canvas.box(0, 428, 760, 12, steel)
    for x in (66, 636):
        canvas.box(x - 22, 380, 50, 120, "#a59788")
    water(canvas, light, chance, 490)
    canvas.box(470, 486, 640, 38, "#b5957c")
    for x, half, up, lean in ((560, 70, 130, 1), (650, 90, 190, 1), (750, 100, 230, 1), (880, 80, 160, -1),
                              (980, 74, 140, 1), (1050, 50, 90, 1)):
        tip = x - lean * half, 486 - up
        edge = [(tip[0] + lean * 2 * half * math.sin(step / 20 * math.pi / 2),
                 tip[1] + up * (1 - math.cos(step / 20 * math.pi / 2))) for step in range(21)]
        canvas.polygon(edge + [(x - lean * half * 0.4, 488)], "#f9f6ee")
        canvas.polygon([tip, (x - lean * half * 0.4, 488), (x, 488), (x - lean * half * 0.1, 486 - up * 0.5)],
                       "#d5cdbd")
    boat(canvas, 250, 570, 0.9)


def table(canvas, light, chance):
    """A flat mountain with its cloth of cloud, above a town by the sea."""
    canvas.polygon([(0, 500), (120, 420), (230, 260), (300, 220), (880, 214), (960, 262), (1060, 400), (1200, 470),
                    (1200, 504)], "#7a7f92")
    for x in range(300, 900, 54):
        canvas.polygon([(x, 222), (x + 22, 224), (x + chance.randint(-16, 30), chance.randint(300, 380))], "#5f6478",
                       130)
    for x in range(290, 900, 36):
        canvas.oval(x, 218 + chance.randint(-5, 8), 38, 15, "#ffffff", 215, glows=True)
    canvas.polygon([(0, 500), (200, 440), (420, 420), (700, 436), (980, 420), (1200, 470), (1200, 504)], "#6f8a5f")
    for x in range(60, 1150, 58):
        height = chance.randint(30, 66)
        canvas.box(x, 500 - height, 48, height, chance.choice(["#f0dcae", "#d98a7c", "#8fb8c4", "#e9c46a", "#f4efe4"]))
        windows(canvas, light, chance, (x + 4, 504 - height, 40, height - 8), (3, 2), (0.4, 0.5))
    water(canvas, light, chance, 498)
    boat(canvas, 300, 570, 0.9)
    boat(canvas, 900, 548, 0.6)


def lagoon(canvas, light, chance):
    """A bell tower and domes across the water, and a gondola."""
    far_roofs(canvas, light, chance, 490, 60)
    for x, width, height, colour in ((60, 150, 130, "#d98a6c"), (220, 120, 160, "#e9c8a0"), (860, 130, 150, "#e0a88a"),
                                     (1000, 150, 120, "#e9d3b0")):
        canvas.box(x, 496 - height, width, height, colour)
        windows(canvas, light, chance, (x + 8, 504 - height, width - 16, height - 16), (4, 2), (0.4, 0.66), arched=True)
    canvas.box(390, 190, 66, 306, "#b5664a")
    canvas.box(384, 180, 78, 52, "#f2e6d0")
    windows(canvas, light, chance, (390, 190, 66, 40), (3, 1), (0.5, 0.9), arched=True)
    canvas.polygon([(386, 180), (423, 76), (460, 180)], "#6f9a8a")
    canvas.box(500, 396, 330, 100, "#f2dcc4")
    windows(canvas, light, chance, (506, 410, 318, 84), (12, 1), (0.6, 0.8), arched=True)
    for x, half in ((570, 44), (665, 60), (760, 44)):
        canvas.box(x - half * 0.8, 366, half * 1.6, 34, "#f2dcc4")
        canvas.dome(x, 370, half, half * 1.1, "#8a97a0")
        canvas.oval(x, 370 - half * 1.18, 4, 7, "#e3b94f")
    water(canvas, light, chance, 494)
    canvas.polygon([(300, 556), (330, 584), (600, 590), (760, 570), (800, 524), (778, 566), (600, 574), (350, 566)],
                   "#22222b")
    canvas.polygon([(520, 552), (600, 552), (612, 576), (506, 576)], "#9c2f36")
    canvas.line([(706, 470), (716, 568)], 12, "#f4efe4")
    canvas.oval(707, 456, 9, 10, "#c98d68")
    canvas.box(693, 444, 28, 5, "#e0c070")
    canvas.line([(690, 486), (640, 628)], 4, "#6b4f3a")
    for x in (110, 160, 1060, 1110):
        canvas.box(x, 500, 10, 130, "#5b4a5c")


def minarets(canvas, light, chance):
    """A great dome over lesser ones, four slender towers, ferries on the strait."""
    far_roofs(canvas, light, chance, high=70)
    stone, lead = "#e6d9c8", "#7f8fa3"
    for x, height in ((330, 330), (420, 280), (780, 280), (870, 330)):
        canvas.box(x - 8, 496 - height, 16, height, stone)
        canvas.polygon([(x - 11, 496 - height), (x, 440 - height), (x + 11, 496 - height)], lead)
        for up in (0.55, 0.78):
            canvas.box(x - 14, 496 - height * up, 28, 7, "#cbbca8")
    canvas.box(440, 400, 320, 96, stone)
    windows(canvas, light, chance, (448, 410, 304, 80), (10, 2), (0.4, 0.66), arched=True)
    for x, base, half in ((480, 402, 46), (720, 402, 46), (540, 352, 56), (660, 352, 56)):
        canvas.box(x - half, base - 8, half * 2, 40, stone)
        canvas.dome(x, base - 6, half, half * 0.8, lead)
    canvas.box(484, 352, 232, 50, stone)
    canvas.box(498, 316, 204, 44, stone)
    windows(canvas, light, chance, (502, 322, 196, 30), (12, 1), (0.5, 0.8), arched=True)
    canvas.dome(600, 318, 104, 96, lead)
    canvas.box(598, 196, 4, 28, "#e3b94f")
    water(canvas, light, chance, 494)
    canvas.polygon([(160, 556), (470, 556), (440, 592), (190, 592)], "#f4efe4")
    canvas.box(210, 526, 200, 32, "#f4efe4")
    windows(canvas, light, chance, (214, 530, 192, 24), (10, 1), (0.6, 0.7))
    canvas.box(300, 492, 30, 36, "#e0a63f")


def houses(canvas, light, chance):
    """Painted houses under mountains and northern lights."""
    canvas.polygon([(0, 470), (160, 330), (300, 420), (480, 270), (640, 400), (820, 250), (1010, 400), (1200, 310),
                    (1200, 504), (0, 504)], "#56708f")
    for x, y in ((160, 330), (480, 270), (820, 250)):
        canvas.polygon([(x, y), (x - 60, y + 56), (x - 20, y + 46), (x, y + 70), (x + 26, y + 44), (x + 58, y + 54)],
                       "#f3f7fb")
    ground(canvas, light, 496)
    canvas.box(570, 250, 60, 246, "#e6e1d8")
    for step in range(1, 6):
        for side in (-1, 1):
            canvas.box(600 + side * (24 + step * 18) - 9, 270 + step * step * 8, 18, 226 - step * step * 8, "#cfc9be")
    canvas.polygon([(570, 252), (600, 190), (630, 252)], "#e6e1d8")
    for index, colour in enumerate(("#c8403a", "#e0a63f", "#3f6fa8", "#4f8f6b", "#d98a7c", "#8a6aa8", "#c8403a")):
        x, top = 50 + index * 160, 470 + (index % 2) * 16
        canvas.box(x, top, 124, 90, colour)
        canvas.polygon([(x - 10, top + 2), (x + 62, top - 62), (x + 134, top + 2)], "#f3f7fb")
        windows(canvas, light, chance, (x + 6, top + 8, 112, 78), (3, 2), (0.4, 0.6))


def airport(canvas, light, chance):
    """An aeroplane that climbs over a control tower and spruces."""
    far_hills(canvas, light, (30, 44, 34, 40, 52, 36))
    ground(canvas, light, 500)
    canvas.polygon([(480, 504), (620, 504), (1000, 640), (180, 640)], "#70747c")
    for step in range(5):
        y = 512 + step * step * 7
        canvas.polygon([(548, y), (556, y), (560, y + 6 + step * 3), (546, y + 6 + step * 3)], "#f4efe4")
    canvas.polygon([(900, 500), (910, 330), (960, 330), (970, 500)], "#d5d9de")
    canvas.polygon([(872, 276), (998, 276), (972, 334), (898, 334)], LAMP if light.dark else "#5f7f90",
                   glows=light.dark)
    canvas.box(866, 266, 138, 12, "#f4f4f0")
    canvas.box(932, 216, 5, 52, "#8a8f96")
    canvas.box(700, 440, 420, 66, "#e3e6ea")
    windows(canvas, light, chance, (710, 450, 400, 50), (18, 1), (0.7, 0.7))

    def at(x, y):
        return 420 + x * 0.94 + y * 0.3, 250 - x * 0.3 + y * 0.94

    canvas.polygon([at(*p) for p in ((20, -20), (76, -20), (-30, -104), (-62, -104))], "#c9d0d8")
    canvas.polygon([at(*p) for p in ((-240, -20), (-170, -24), (200, -24), (250, -12), (266, 4), (236, 20), (-160,
                                                                                                             20))],
                   "#ffffff")
    canvas.polygon([at(*p) for p in ((-240, -20), (-262, -96), (-226, -96), (-160, -22))], "#1f5fa8")
    canvas.polygon([at(*p) for p in ((-230, -10), (-170, -8), (-236, 26), (-262, 26))], "#c9d0d8")
    canvas.polygon([at(*p) for p in ((-50, 8), (66, 8), (-86, 150), (-132, 154))], "#b3bcc8")
    canvas.round_box(at(-30, 70)[0] - 34, at(-30, 70)[1] - 12, 68, 26, 12, "#1f5fa8")
    for x in range(-130, 200, 22):
        canvas.oval(*at(x, -8), 5, 5, "#56697c")
    canvas.polygon([at(*p) for p in ((214, -20), (240, -12), (222, -6), (206, -8))], "#56697c")
    for x in (60, 140, 230, 1120):
        tree(canvas, x, 560, chance.randint(120, 170), light, "#4f7d50")
