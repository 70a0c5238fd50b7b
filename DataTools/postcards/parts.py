"""What many scenes share: trees, lamps, windows, columns, people of bronze, boats."""

import math

LAMP = "#ffd98a"


def tree(canvas, x, base, height, light, leaf="#5d8a4a"):
    """A leafy tree; in snow a spruce."""
    if light.snow:
        for step in range(4):
            wide, top = height * (0.16 + 0.09 * step), base - height * (1 - 0.2 * step)
            canvas.polygon([(x, top), (x - wide, top + height * 0.34), (x + wide, top + height * 0.34)], "#3f6a5a")
            canvas.polygon([(x, top), (x - wide * 0.6, top + height * 0.2), (x + wide * 0.1, top + height * 0.12)],
                           "#f3f7fb")
        canvas.box(x - height * 0.03, base - height * 0.1, height * 0.06, height * 0.1, "#5b4636")
        return
    canvas.polygon([(x - height * 0.035, base), (x - height * 0.018, base - height * 0.6),
                    (x + height * 0.018, base - height * 0.6), (x + height * 0.035, base)], "#6b4f3a")
    for across, up, size, shade in ((-0.17, 0.50, 0.19, 0), (0.17, 0.52, 0.19, 0), (0, 0.66, 0.27, 0),
                                    (-0.07, 0.72, 0.17, 1), (-0.19, 0.56, 0.10, 1)):
        canvas.oval(x + across * height, base - up * height, size * height, size * height, leaf)
        if shade:
            canvas.oval(x + across * height, base - up * height, size * height, size * height, "#ffffff", 26)


def lamp(canvas, x, base, light, height=120):
    canvas.box(x - 2.5, base - height, 5, height, "#3d3f46")
    canvas.box(x - 8, base - 8, 16, 8, "#3d3f46")
    if light.dark:
        for radius in (44, 30, 18):
            canvas.oval(x, base - height - 10, radius, radius, LAMP, 40, glows=True)
    canvas.oval(x, base - height - 10, 11, 13, LAMP if light.dark else "#f4efe0", glows=light.dark)
    canvas.polygon([(x - 11, base - height - 20), (x, base - height - 32), (x + 11, base - height - 20)], "#3d3f46")


def windows(canvas, light, chance, area, counts, pane=(0.5, 0.6), arched=False):
    """A grid of windows in `area` (x, y, width, height); after dark most of them are lit."""
    x, y, width, height = area
    across, down = counts
    for row in range(down):
        for column in range(across):
            wide, tall = width / across * pane[0], height / down * pane[1]
            left = x + width / across * (column + 0.5) - wide / 2
            top = y + height / down * (row + 0.5) - tall / 2
            shines = light.dark and chance.random() < 0.72
            (canvas.arch if arched else canvas.box)(left, top, wide, tall, LAMP if shines else "#56697c", glows=shines)


def columns(canvas, x, y, width, height, number, colour="#f6f1e6"):
    step = width / number
    for index in range(number):
        left = x + step * (index + 0.28)
        canvas.box(left, y, step * 0.44, height, colour)
        canvas.box(left + step * 0.29, y, step * 0.15, height, "#cfc6b6")
        canvas.box(left - step * 0.08, y, step * 0.6, height * 0.05, colour)
        canvas.box(left - step * 0.08, y + height * 0.95, step * 0.6, height * 0.05, colour)


def pediment(canvas, x, base, width, up, colour="#f6f1e6"):
    canvas.polygon([(x - 10, base), (x + width / 2, base - up), (x + width + 10, base)], colour)
    canvas.polygon([(x + width * 0.12, base - 6), (x + width / 2, base - up * 0.78), (x + width * 0.88, base - 6)],
                   "#d8cebc")
    canvas.box(x - 12, base - 4, width + 24, 10, colour)


def pedestal(canvas, x, base, width, height, colour="#a58f86"):
    canvas.box(x - width * 0.66, base - height * 0.14, width * 1.32, height * 0.14, colour)
    canvas.box(x - width / 2, base - height, width, height * 0.9, colour)
    canvas.box(x + width * 0.14, base - height, width * 0.36, height * 0.86, "#86726c")
    canvas.box(x - width * 0.58, base - height, width * 1.16, height * 0.09, "#b9a49a")


def figure(canvas, x, base, height, colour="#4a5f56", arm=None, robe=False):
    """A standing figure; `arm` is where its raised hand is, from the shoulder, in heights."""
    def at(across, up):
        return x + across * height, base - up * height

    skirt = 0.17 if robe else 0.11
    canvas.polygon([at(-skirt, 0), at(-0.12, 0.5), at(-0.15, 0.8), at(-0.06, 0.86), at(0.06, 0.86), at(0.15, 0.8),
                    at(0.12, 0.5), at(skirt, 0)], colour)
    if not robe:
        canvas.polygon([at(-0.012, 0), at(0, 0.4), at(0.012, 0)], "#2f3d38")
    canvas.oval(*at(0, 0.93), height * 0.062, height * 0.074, colour)
    canvas.line([at(-0.13, 0.79), at(-0.18, 0.5), at(-0.1, 0.42)], height * 0.06, colour)
    hand = arm or (0.05, -0.36)
    canvas.line([at(0.13, 0.79), at(0.13 + hand[0], 0.79 + hand[1])], height * 0.06, colour)
    canvas.line([at(-0.08, 0.82), at(-0.07, 0.45), at(-0.1, 0.06)], height * 0.03, "#7d9488", 150)


def flowers(canvas, chance, x, y, half):
    canvas.oval(x, y, half, 16, "#4f7d50")
    for _ in range(46):
        canvas.oval(x + chance.randint(-half + 12, half - 12), y + chance.randint(-11, 9), 5, 5,
                    chance.choice(["#e35d5b", "#f2c14e", "#f7f4ea", "#d77fb3"]))


def boat(canvas, x, y, size):
    canvas.polygon([(x - 90 * size, y - 22 * size), (x + 96 * size, y - 26 * size), (x + 66 * size, y + 12 * size),
                    (x - 70 * size, y + 12 * size)], "#f4efe4")
    canvas.polygon([(x - 80 * size, y - 4 * size), (x + 80 * size, y - 4 * size), (x + 66 * size, y + 12 * size),
                    (x - 70 * size, y + 12 * size)], "#b5443f")
    canvas.box(x - 4 * size, y - 190 * size, 6 * size, 170 * size, "#6b4f3a")
    canvas.polygon([(x + 6 * size, y - 186 * size), (x + 86 * size, y - 40 * size), (x + 6 * size, y - 36 * size)],
                   "#fbf7ec")
    canvas.polygon([(x - 8 * size, y - 170 * size), (x - 70 * size, y - 40 * size), (x - 8 * size, y - 36 * size)],
                   "#e9dfcb")


def palm(canvas, x, base, height):
    canvas.line([(x, base), (x + 10, base - height * 0.5), (x + 4, base - height)], 9, "#7a5a3c")
    for turn in range(9):
        angle = math.pi * (turn / 8 * 1.3 - 0.15)
        tip = x + 4 + 66 * math.cos(angle), base - height - 40 * math.sin(angle) + 22
        canvas.polygon([(x + 4, base - height - 3), (x + 4 + 36 * math.cos(angle),
                                                     base - height - 38 * math.sin(angle) - 10),
                        tip, (x + 4 + 30 * math.cos(angle), base - height - 26 * math.sin(angle) + 6)], "#4c7d48")


def clock(canvas, x, y, size, hour=10, minute=9):
    canvas.oval(x, y, size, size, "#3d3f46")
    canvas.oval(x, y, size * 0.88, size * 0.88, "#fbf6e6", glows=True)
    for turn, length, width in ((hour / 12 + minute / 720, 0.5, 4), (minute / 60, 0.74, 3)):
        angle = turn * 2 * math.pi
        canvas.line([(x, y), (x + size * length * math.sin(angle), y - size * length * math.cos(angle))], width,
                    "#2b2b33", glows=True)
