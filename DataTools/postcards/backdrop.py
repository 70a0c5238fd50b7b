"""What lies behind and below every scene: sky, far roofs, hills, ground, water."""

import math

HORIZON = 500
BOTTOM = 640


def sky(canvas, light, chance):
    canvas.fade(0, BOTTOM, light.sky)
    if light.dark:
        for _ in range(70):
            size = chance.choice([0.8, 1.0, 1.0, 1.6])
            canvas.oval(chance.randint(30, 1170), chance.randint(30, 330), size, size, "#ffffff", 210, glows=True)
    if light.aurora:
        aurora(canvas)
    x, y, radius, colour = light.sun
    for step in range(6):
        canvas.oval(x, y, radius + 70 - step * 12, radius + 70 - step * 12, colour, 16 + 4 * step, glows=True)
    canvas.oval(x, y, radius, radius, colour, glows=True)
    for _ in range(2 if light.dark else 4):
        cloud(canvas, chance.randint(80, 1080), chance.randint(90, 290), chance.uniform(0.6, 1.25), light.cloud)


def aurora(canvas):
    for shift, colour in ((0, "#5fe0a0"), (46, "#7ff0c8"), (104, "#8a7fe0")):
        top = [(x, 150 + shift + 46 * math.sin(x / 130 + shift) + 18 * math.sin(x / 47)) for x in range(0, 1204, 4)]
        for deep in (130, 92, 50):
            edge = [(x, y + deep + 20 * math.sin(x / 61)) for x, y in reversed(top)]
            canvas.polygon(top + edge, colour, 26, glows=True)


def cloud(canvas, x, y, size, colour):
    for across, up, radius in ((-70, 0, 26), (-30, -16, 38), (22, -22, 46), (70, -4, 30)):
        canvas.oval(x + across * size, y + up * size, radius * size * 1.25, radius * size * 0.72, colour, 120,
                    glows=True)
    canvas.round_box(x - 110 * size, y - 6 * size, 220 * size, 26 * size, 13 * size, colour, 150, glows=True)


def far_roofs(canvas, light, chance, base=HORIZON, high=90):
    """A row of houses far away, in the colour of the haze."""
    x = 0
    while x < 1200:
        width, height = chance.randint(46, 110), chance.randint(high // 3, high)
        canvas.box(x, base - height, width, height + 4, light.far, glows=True)
        if chance.random() < 0.5:
            peak = height + chance.randint(14, 30)
            canvas.polygon([(x, base - height), (x + width / 2, base - peak), (x + width, base - height)],
                           light.far, glows=True)
        x += width


def far_hills(canvas, light, heights, base=HORIZON, alpha=255):
    """A smooth line of hills through heights that are even steps apart."""
    points, steps = [], len(heights) - 1
    for x in range(0, 1201, 10):
        at = min(int(x / 1200 * steps), steps - 1)
        share = (1 - math.cos(math.pi * (x / 1200 * steps - at))) / 2
        points.append((x, base - heights[at] - (heights[at + 1] - heights[at]) * share))
    canvas.polygon([(0, base + 3)] + points + [(1200, base + 3)], light.far, alpha, glows=True)


def ground(canvas, light, top=HORIZON, colour=None):
    canvas.box(0, top, 1200, BOTTOM - top, light.ground if light.snow else colour or light.ground,
               glows=colour is None or light.snow)


def paving(canvas, light, top=HORIZON, colour="#b9ada0"):
    """A square of stone with joints that run to one point."""
    ground(canvas, light, top, colour)
    joint = "#c9d4e0" if light.snow else "#8c8078"
    for x in range(-1400, 2700, 170):
        canvas.line([(600 + (x - 600) * 0.42, top), (x, BOTTOM)], 1.2, joint, 110)
    for y in (top + 14, top + 36, top + 68, top + 110):
        canvas.line([(0, y), (1200, y)], 1.2, joint, 110)


def water(canvas, light, chance, top=HORIZON):
    canvas.fade(top, BOTTOM, light.water)
    for _ in range(46):
        y = chance.randint(top + 8, BOTTOM - 8)
        length = 14 + (y - top) * 0.5 * chance.random()
        x = chance.randint(20, 1150)
        canvas.line([(x, y), (x + length, y)], 2, "#ffffff", 70, glows=True)
    x, _, radius, colour = light.sun
    for y in range(top + 6, BOTTOM, 12):
        half = radius * (0.5 + chance.random() * 0.6)
        canvas.line([(x - half, y), (x + half, y)], 3.2, colour, 92, glows=True)
