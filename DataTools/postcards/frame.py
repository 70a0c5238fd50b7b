"""The card around the scene: paper, title, position, a stamp that says what this is."""

import io
import math

from PIL import Image, ImageDraw, ImageFont

from postcards.canvas import HEIGHT, SCALE, WIDTH, rgb

SAYS = "Waymark sample postcard"
PAPER, INK, SOFT_INK, PIN = "#fbf6ea", "#2e3440", "#6d6a66", "#d2443f"
LEFT, TOP, RIGHT, BOTTOM = 34, 34, WIDTH - 34, 634


class Fonts:
    """Source Serif Pro by Adobe, under the SIL Open Font License."""

    def __init__(self, wheel):
        self.files = {style: wheel.read(f"font_source_serif_pro/files/SourceSerifPro-{style}.ttf")
                      for style in ("Semibold", "It", "Regular")}

    def of(self, style, size):
        # The plain layout engine: the same on machines with and without the library for complex scripts.
        return ImageFont.truetype(io.BytesIO(self.files[style]), size * SCALE, layout_engine=ImageFont.Layout.BASIC)

    def fitting(self, style, size, words, width):
        """The font at `size`, or smaller when the words would be wider."""
        while self.of(style, size).getlength(words) > width * SCALE:
            size -= 1
        return self.of(style, size)


def frame(canvas, fonts, card, light):
    """Lays the paper over everything but the window that the scene is seen through."""
    size = (WIDTH * SCALE, HEIGHT * SCALE)
    mask = Image.new("L", size, 255)
    window = [value * SCALE for value in (LEFT, TOP, RIGHT, BOTTOM)]
    ImageDraw.Draw(mask).rounded_rectangle(window, 14 * SCALE, 0)
    canvas.image.paste(Image.new("RGB", size, rgb(PAPER)), (0, 0), mask)
    canvas.pen.rounded_rectangle(window, 14 * SCALE, outline=rgb("#cbbfa8"), width=2 * SCALE)
    canvas.text((48, 706), card.title, fonts.fitting("Semibold", 54, card.title, 700), INK)
    canvas.text((50, 752), card.where, fonts.of("It", 27), SOFT_INK)
    position = written(card.latitude, "N", "S") + "   " + written(card.longitude, "E", "W")
    font = fonts.of("Regular", 25)
    canvas.text((1150, 702), position, font, INK, "rs")
    pin(canvas, 1150 - font.getlength(position) / SCALE - 24, 706, 13)
    canvas.text((1150, 752), SAYS, fonts.of("It", 25), PIN, "rs")
    stamp(canvas, fonts)
    postmark(canvas, fonts, 996, 148, PAPER if light.dark else INK)


def written(degrees, positive, negative):
    return f"{abs(degrees):.4f}° {positive if degrees >= 0 else negative}"


def pin(canvas, x, tip, size):
    """The pin of a map, its tip at (x, tip)."""
    middle = tip - size * 2.1
    canvas.polygon([(x - size * 0.87, middle + size * 0.5), (x, tip), (x + size * 0.87, middle + size * 0.5)], PIN,
                   glows=True)
    canvas.oval(x, middle, size, size, PIN, glows=True)
    canvas.oval(x, middle, size * 0.42, size * 0.42, PAPER, glows=True)


def stamp(canvas, fonts):
    x, y, width, height = 1028, 56, 106, 130
    canvas.box(x, y, width, height, PAPER, glows=True)
    canvas.box(x + 9, y + 9, width - 18, height - 18, "#2f6f8f", glows=True)
    for step in range(10):
        canvas.line([(x + 9, y + 84 + step * 4), (x + width - 9, y + 78 + step * 4)], 1.4, "#4f93b0", glows=True)
    pin(canvas, x + width / 2, y + 84, 20)
    canvas.text((x + width / 2, y + 111), "SAMPLE", fonts.of("Semibold", 17), PAPER, "ms")
    for step in range(11):
        for side in (y, y + height):
            canvas.oval(x + step * width / 10, side, 3.6, 3.6, PAPER, glows=True)
    for step in range(13):
        for side in (x, x + width):
            canvas.oval(side, y + step * height / 12, 3.6, 3.6, PAPER, glows=True)


def postmark(canvas, fonts, x, y, ink):
    box = [round(v * SCALE) for v in (x - 46, y - 46, x + 46, y + 46)]
    inner = [round(v * SCALE) for v in (x - 32, y - 32, x + 32, y + 32)]
    for ring in (box, inner):
        canvas.pen.ellipse(ring, outline=rgb(ink) + (190,), width=2 * SCALE)
    canvas.text((x, y + 5), "WAYMARK", fonts.of("Semibold", 11), ink, "ms")
    for row in range(4):
        wave = [(x - 150 + step * 4, y - 24 + row * 16 + 5 * math.sin(step / 3)) for step in range(26)]
        canvas.line(wave, 2, ink, 170, glows=True)
