// Writes pictures for tests, in every kind that is read: what phones, cameras and programs write, or would.
#ifndef WAYMARK_TEST_ENCODE_H
#define WAYMARK_TEST_ENCODE_H
#include <stddef.h>
#include <stdint.h>

struct test_bytes {
    const uint8_t *bytes;
    size_t count;
};

struct test_picture {
    // Red, green, blue and alpha, row by row.
    const uint8_t *pixels;
    unsigned width, height;
    // EXIF's number for how it is held, in the container's own words; 0 or 1 for upright.
    unsigned orientation;
    int has_alpha;
    int is_interlaced;
    // EXIF without "Exif" and two zeros first; an ICC profile; XMP. Empty for none.
    struct test_bytes exif, profile, xmp;
    // Of TIFF alone, whose notes are no EXIF block: degrees north and east, or 0 and 0 for none.
    double latitude, longitude;
};

// Each returns bytes to be freed; NULL when it fails.
uint8_t *test_png(const struct test_picture *picture, size_t *count);
uint8_t *test_tiff(const struct test_picture *picture, size_t *count);
uint8_t *test_webp(const struct test_picture *picture, int frames, size_t *count);
// Lossless; `is_avif` or HEIC.
uint8_t *test_heif(const struct test_picture *picture, int is_avif, size_t *count);

// A profile in which red and green have changed places.
uint8_t *test_swapped_profile(size_t *count);
#endif
