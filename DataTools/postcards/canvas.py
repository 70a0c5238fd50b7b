"""A sheet to draw on in flat, smooth-edged shapes, lit by the time of day."""

import math

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 1200, 800
# Everything is drawn this much larger and shrunk at the end, which smooths the edges.
SCALE = 2
FINISHED = 1080, 720


def rgb(text):
    """The three numbers of "#rrggbb"."""
    return tuple(int(text[at:at + 2], 16) for at in (1, 3, 5))


def mix(one, other, share):
    """A colour between two; `share` 0 is the first and 1 the second."""
    return tuple(round(a + (b - a) * share) for a, b in zip(one, other))


class Canvas:
    """Takes positions on a sheet of 1200×800.

    Colours are "#rrggbb" as in daylight; `light` is what the time of day makes of white.
    """

    def __init__(self, light="#ffffff"):
        self.light = rgb(light)
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE))
        self.pen = ImageDraw.Draw(self.image, "RGBA")

    def lit(self, colour):
        return tuple(a * b // 255 for a, b in zip(rgb(colour), self.light))

    def ink(self, colour, alpha=255, glows=False):
        return (rgb(colour) if glows else self.lit(colour)) + (alpha,)

    def polygon(self, points, colour, alpha=255, glows=False):
        """`glows`: the colour is light itself, so the time of day leaves it as it is."""
        self.pen.polygon([(round(x * SCALE), round(y * SCALE)) for x, y in points], self.ink(colour, alpha, glows))

    def box(self, x, y, width, height, colour, alpha=255, glows=False):
        self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], colour, alpha, glows)

    def round_box(self, x, y, width, height, radius, colour, alpha=255, glows=False):
        self.pen.rounded_rectangle([round(v * SCALE) for v in (x, y, x + width, y + height)], round(radius * SCALE),
                                   self.ink(colour, alpha, glows))

    def oval(self, x, y, across, down, colour, alpha=255, glows=False):
        """An ellipse around (x, y) with half its width and half its height."""
        self.pen.ellipse([round(v * SCALE) for v in (x - across, y - down, x + across, y + down)],
                         self.ink(colour, alpha, glows))

    def dome(self, x, base, across, up, colour):
        """The upper half of an ellipse that stands on `base`."""
        turns = [math.pi * step / 40 for step in range(41)]
        self.polygon([(x + across * math.cos(turn), base - up * math.sin(turn)) for turn in turns], colour)

    def arch(self, x, y, width, height, colour, glows=False):
        """A box whose top is half a circle; (x, y) is the upper left corner."""
        half = width / 2
        turns = [math.pi * step / 24 for step in range(25)]
        top = [(x + half + half * math.cos(turn), y + half - half * math.sin(turn)) for turn in turns]
        self.polygon([(x + width, y + height)] + top + [(x, y + height)], colour, glows=glows)

    def line(self, points, width, colour, alpha=255, glows=False):
        self.pen.line([(round(x * SCALE), round(y * SCALE)) for x, y in points], self.ink(colour, alpha, glows),
                      round(width * SCALE), joint="curve")

    def fade(self, top, bottom, colours):
        """A band across the card that passes through the colours from top to bottom."""
        strip = Image.new("RGB", (1, len(colours)))
        strip.putdata([rgb(colour) for colour in colours])
        # Half a step is cut off at both ends, where resizing would repeat the outer colour.
        box = (0, 0.5, 1, len(colours) - 0.5)
        size = (WIDTH * SCALE, round((bottom - top) * SCALE))
        self.image.paste(strip.resize(size, Image.Resampling.BILINEAR, box), (0, round(top * SCALE)))

    def text(self, position, words, font, colour, anchor="ls"):
        self.pen.text(tuple(round(v * SCALE) for v in position), words, rgb(colour), font, anchor=anchor)

    def finished(self):
        return self.image.resize(FINISHED, Image.Resampling.BOX)
