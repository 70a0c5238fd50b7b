#include "codecs.h"
#include <stdlib.h>
#include <string.h>

static unsigned parts(unsigned whole, unsigned factor) { return (whole + factor - 1) / factor; }

int waymark_shrinking_begin(struct waymark_shrinking *s) {
    s->row = 0;
    s->sums = calloc((size_t)parts(s->width, s->factor) * 3, sizeof *s->sums);
    return s->sums ? 0 : -1;
}

void waymark_shrinking_end(struct waymark_shrinking *s) {
    free(s->sums);
    s->sums = NULL;
}

// One row of the target, from the sums of `rows` rows.
static void put(struct waymark_shrinking *s, unsigned rows) {
    uint8_t *at = s->target + (size_t)((s->row - 1) / s->factor) * s->stride;
    unsigned count = parts(s->width, s->factor);
    for (unsigned x = 0; x < count; x++, at += 4) {
        unsigned columns = x + 1 < count ? s->factor : s->width - x * s->factor;
        unsigned pixels = columns * rows;
        for (unsigned c = 0; c < 3; c++) at[c] = (uint8_t)((s->sums[x * 3 + c] + pixels / 2) / pixels);
        at[3] = 255;
    }
    memset(s->sums, 0, (size_t)count * 3 * sizeof *s->sums);
}

static unsigned on_white(unsigned colour, unsigned alpha) { return (colour * alpha + 255 * (255 - alpha) + 127) / 255; }

static unsigned beside_white(unsigned colour, unsigned alpha) {
    unsigned sum = colour + 255 - alpha;
    return sum > 255 ? 255 : sum;
}

void waymark_shrinking_add(struct waymark_shrinking *s, const uint8_t *row) {
    if (s->row >= s->height) return;
    unsigned depth = s->layout == WAYMARK_RGB ? 3 : 4;
    unsigned red = s->layout == WAYMARK_BGRA_MULTIPLIED ? 2 : 0;
    for (unsigned x = 0, column = 0; x < s->width; column++) {
        uint32_t *sum = s->sums + (size_t)column * 3;
        for (unsigned i = 0; i < s->factor && x < s->width; i++, x++, row += depth) {
            unsigned r = row[red], g = row[1], b = row[2 - red];
            if (depth == 4 && row[3] != 255) {
                unsigned (*drawn)(unsigned, unsigned) = s->layout == WAYMARK_RGBA ? on_white : beside_white;
                r = drawn(r, row[3]), g = drawn(g, row[3]), b = drawn(b, row[3]);
            }
            sum[0] += b, sum[1] += g, sum[2] += r;
        }
    }
    s->row++;
    if (s->row % s->factor == 0) put(s, s->factor);
    else if (s->row == s->height) put(s, s->row % s->factor);
}
