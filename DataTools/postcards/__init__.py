"""Data/postcards: drawn sample pictures with EXIF positions, for a photo folder to start with."""

import random
import zipfile

from PIL import Image

from postcards import arts, buildings, churches, outdoors, statues, world
from postcards.backdrop import sky
from postcards.canvas import Canvas
from postcards.cards import cards
from postcards.exif import BAGGAGE, exif
from postcards.frame import Fonts, frame
from postcards.light import LIGHTS

# Two megabytes for all of them; there is nothing in flat shapes that would need more.
QUALITY = 60
# How pixels are stored for each orientation, so that a viewer that obeys it shows them upright.
STORED = {1: None, 3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}


def build(packages, target):
    """Writes the pictures; the tables of places must be in `target` already."""
    archive, _ = packages.archive("font_source_serif_pro")
    with zipfile.ZipFile(archive) as wheel:
        fonts = Fonts(wheel)
    for index, card in enumerate(cards(target)):
        path = target / "postcards" / card.file
        path.parent.mkdir(parents=True, exist_ok=True)
        save(drawn(card, fonts), card, path, progressive=index % 2 == 1)


def drawn(card, fonts):
    light = LIGHTS[card.light]
    # Seeded by the name, so that a new card changes no other.
    chance = random.Random(card.file)
    canvas = Canvas(light.white)
    sky(canvas, light, chance)
    scene(card.scene)(canvas, light, chance)
    frame(canvas, fonts, card, light)
    return canvas.finished()


def scene(name):
    for module in (arts, buildings, churches, outdoors, statues, world):
        if found := getattr(module, name, None):
            return found
    raise SystemExit(f"cards.tsv: no scene is called {name!r}")


def save(picture, card, path, progressive):
    turn = STORED[card.orientation]
    stored = picture if turn is None else picture.transpose(turn)
    options = {"quality": QUALITY, "optimize": True, "progressive": progressive, "exif": exif(card, stored)}
    if card.has_baggage:
        options |= {"xmp": (BAGGAGE % card.title).encode("utf-8"), "comment": b"SAMPLE-PRIVATE-COMMENT"}
    stored.save(path, "JPEG", **options)
