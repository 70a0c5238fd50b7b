// What of libpng and libtiff does not reach Swift: errors that jump, arguments without a type. And rows of pixels that
// become a smaller picture while they arrive, so that a large one is never whole in memory where that can be avoided.
#ifndef WAYMARK_CODECS_H
#define WAYMARK_CODECS_H
#include <stddef.h>
#include <stdint.h>

// How the pixels of a row lie in memory.
enum waymark_layout {
    WAYMARK_RGB,
    WAYMARK_RGBA,
    // Colours that are multiplied by the alpha already.
    WAYMARK_RGBA_MULTIPLIED,
    WAYMARK_BGRA_MULTIPLIED,
};

// Makes one pixel of each square of `factor` × `factor` pixels, on white. The target has 4 bytes for a pixel: blue,
// green, red and an unused one; ceil(width / factor) × ceil(height / factor) pixels.
struct waymark_shrinking {
    uint8_t *target;
    size_t stride;
    unsigned width, height, factor;
    enum waymark_layout layout;
    // Of the rows that are not in the target yet: sums of blue, green and red.
    uint32_t *sums;
    unsigned row;
};

// 0 when there is memory for it.
int waymark_shrinking_begin(struct waymark_shrinking *shrinking);
// Takes the next row; rows beyond the height are ignored.
void waymark_shrinking_add(struct waymark_shrinking *shrinking, const uint8_t *row);
void waymark_shrinking_end(struct waymark_shrinking *shrinking);

// A block of bytes that belongs to the caller, who frees it; NULL when there is none.
struct waymark_block {
    uint8_t *bytes;
    size_t count;
};

struct waymark_head {
    unsigned width, height;
    // EXIF's number, as far as the container has one of its own; else 0.
    unsigned orientation;
    // Bytes that decoding takes.
    uint64_t decoding_bytes;
    struct waymark_block profile, exif, xmp, title, author, licence, taken, offset;
    // Degrees; whether they are there, and whole.
    double latitude, longitude;
    int has_position;
};

// Reads everything but the pixels. 0 when that worked; else the message says why.
int waymark_png_head(const uint8_t *bytes, size_t count, struct waymark_head *head, char message[160]);
int waymark_tiff_head(const uint8_t *bytes, size_t count, struct waymark_head *head, char message[160]);
void waymark_head_free(struct waymark_head *head);

// Reads the pixels into `shrinking`, whose size is that of the head. 0 when they are complete.
int waymark_png_pixels(const uint8_t *bytes, size_t count, struct waymark_shrinking *shrinking, char message[160]);
int waymark_tiff_pixels(const uint8_t *bytes, size_t count, struct waymark_shrinking *shrinking, char message[160]);
#endif
