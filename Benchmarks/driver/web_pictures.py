"""Pictures to serve: noise as JPEG, of about the size of a photo, each with a position of its own in its EXIF."""
import random
import struct
import subprocess

from failure import Failure

WIDTH, HEIGHT, QUALITY = 1200, 900, 80
# How far a point is from grey at most: it makes the files as large as those of photographs.
CONTRAST = 13
LATITUDE, LONGITUDE = (60, 1, 10, 1, 0, 1), (24, 1, 56, 1, 0, 1)
LONG, TEXT, RATIONAL = 4, 2, 5
GPS_FIELD, LATITUDE_REF, LATITUDE_FIELD, LONGITUDE_REF, LONGITUDE_FIELD = 0x8825, 1, 2, 3, 4


def make_pictures(folder, count):
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:03}.jpg").write_bytes(with_position(noise(number)))


def noise(seed):
    """A JPEG that is another one for each seed, and the same each time."""
    grey = bytes(128 + (value * 2 * CONTRAST >> 8) - CONTRAST for value in range(256))
    points = random.Random(seed).randbytes(WIDTH * HEIGHT).translate(grey)
    grey_map = b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + points
    try:
        done = subprocess.run(["cjpeg", "-quality", str(QUALITY)], input=grey_map, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(f"cjpeg made no picture: {error}") from None
    return done.stdout


def with_position(jpeg):
    """Puts an EXIF block with a position behind the start of a JPEG."""
    block = b"Exif\0\0" + tiff()
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def tiff():
    """Big-endian: a directory that names the GPS directory, that one, and the numbers that it points to."""
    header, main_at = b"MM\0*" + struct.pack(">I", 8), 8
    gps_at = main_at + 2 + 12 + 4
    numbers_at = gps_at + 2 + 4 * 12 + 4
    main = struct.pack(">HHHIII", 1, GPS_FIELD, LONG, 1, gps_at, 0)
    fields = [struct.pack(">HHI4s", LATITUDE_REF, TEXT, 2, b"N"),
              struct.pack(">HHII", LATITUDE_FIELD, RATIONAL, 3, numbers_at),
              struct.pack(">HHI4s", LONGITUDE_REF, TEXT, 2, b"E"),
              struct.pack(">HHII", LONGITUDE_FIELD, RATIONAL, 3, numbers_at + 24)]
    gps = struct.pack(">H", len(fields)) + b"".join(fields) + struct.pack(">I", 0)
    return header + main + gps + struct.pack(">6I", *LATITUDE) + struct.pack(">6I", *LONGITUDE)
