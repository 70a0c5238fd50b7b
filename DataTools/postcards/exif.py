"""What a camera would write into a picture, all of it made up but the position."""

import io

import piexif

from postcards.frame import SAYS

ARTIST, LICENCE = "Waymark samples", "CC0-1.0"
# A private remark in the way of editing programs, for showing that it never leaves the folder.
BAGGAGE = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:source>SAMPLE-PRIVATE-NOTE: %s, seen from the kitchen window</dc:source>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


def exif(card, picture):
    """The EXIF block of a card; `picture` is what is stored, before any turning."""
    tags = {"0th": described(card), "Exif": taken(card, picture.size), "GPS": position(card), "1st": {}}
    if card.has_thumbnail:
        small = picture.reduce(8)
        packed = io.BytesIO()
        small.save(packed, "JPEG", quality=60)
        tags["1st"] = {piexif.ImageIFD.Compression: 6}
        tags["thumbnail"] = packed.getvalue()
    return piexif.dump(tags)


def described(card):
    return {piexif.ImageIFD.ImageDescription: f"{card.title} ({SAYS})".encode("utf-8"),
            piexif.ImageIFD.Make: b"Waymark", piexif.ImageIFD.Model: b"script/data",
            piexif.ImageIFD.Orientation: card.orientation,
            piexif.ImageIFD.DateTime: stamp(card), piexif.ImageIFD.Artist: ARTIST.encode(),
            piexif.ImageIFD.Copyright: LICENCE.encode()}


def taken(card, size):
    tags = {piexif.ExifIFD.DateTimeOriginal: stamp(card), piexif.ExifIFD.ExifVersion: b"0231",
            piexif.ExifIFD.OffsetTimeOriginal: card.taken.isoformat()[-6:].encode(),
            piexif.ExifIFD.PixelXDimension: size[0], piexif.ExifIFD.PixelYDimension: size[1]}
    if card.has_baggage:
        tags |= {piexif.ExifIFD.CameraOwnerName: b"SAMPLE-PRIVATE-OWNER",
                 piexif.ExifIFD.BodySerialNumber: b"SAMPLE-PRIVATE-SERIAL",
                 piexif.ExifIFD.MakerNote: b"SAMPLE-PRIVATE-MAKER-NOTE"}
    return tags


def stamp(card):
    return card.taken.strftime("%Y:%m:%d %H:%M:%S").encode()


def position(card):
    return {piexif.GPSIFD.GPSVersionID: (2, 3, 0, 0), piexif.GPSIFD.GPSMapDatum: b"WGS-84",
            piexif.GPSIFD.GPSLatitudeRef: b"N" if card.latitude >= 0 else b"S",
            piexif.GPSIFD.GPSLatitude: sexagesimal(card.latitude),
            piexif.GPSIFD.GPSLongitudeRef: b"E" if card.longitude >= 0 else b"W",
            piexif.GPSIFD.GPSLongitude: sexagesimal(card.longitude)}


def sexagesimal(degrees):
    """Degrees, minutes and seconds as fractions; seconds to a ten-thousandth, 3 mm on the ground."""
    units = round(abs(degrees) * 36_000_000)
    return (units // 36_000_000, 1), (units // 600_000 % 60, 1), (units % 600_000, 10_000)
