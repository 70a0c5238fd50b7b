#include "block.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const uint8_t *bytes;
    size_t left;
    char *message;
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    struct source *source = png_get_io_ptr(png);
    if (count > source->left) png_error(png, "truncated");
    memcpy(target, source->bytes, count);
    source->bytes += count;
    source->left -= count;
}

static void fail(png_structp png, png_const_charp text) {
    struct source *source = png_get_error_ptr(png);
    snprintf(source->message, 160, "%s", text);
    png_longjmp(png, 1);
}

static void warn(png_structp png, png_const_charp text) { (void)png, (void)text; }

static png_structp begin(struct source *source, png_infop *info) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, source, fail, warn);
    if (!png) return NULL;
    *info = png_create_info_struct(png);
    if (!*info) {
        png_destroy_read_struct(&png, NULL, NULL);
        return NULL;
    }
    // No chunk of notes takes more memory, however well it is packed.
    png_set_chunk_malloc_max(png, WAYMARK_BLOCK_LIMIT);
    png_set_chunk_cache_max(png, 64);
    png_set_read_fn(png, source, read_bytes);
    return png;
}

static void take_notes(png_structp png, png_infop info, struct waymark_head *head) {
    png_charp name;
    int kind;
    png_bytep bytes;
    png_uint_32 count;
    if (png_get_iCCP(png, info, &name, &kind, &bytes, &count)) waymark_block_copy(&head->profile, bytes, count);
    if (png_get_eXIf_1(png, info, &count, &bytes)) waymark_block_copy(&head->exif, bytes, count);
    png_textp texts;
    int texts_count = 0;
    png_get_text(png, info, &texts, &texts_count);
    for (int i = 0; i < texts_count; i++) {
        if (strcmp(texts[i].key, "XML:com.adobe.xmp") != 0) continue;
        size_t length = texts[i].compression >= PNG_ITXT_COMPRESSION_NONE ? texts[i].itxt_length : texts[i].text_length;
        waymark_block_copy(&head->xmp, texts[i].text, length);
    }
}

int waymark_png_head(const uint8_t *bytes, size_t count, struct waymark_head *head, char message[160]) {
    struct source source = {bytes, count, message};
    png_infop info = NULL;
    png_structp png = begin(&source, &info);
    if (!png) return -1;
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        return -1;
    }
    png_read_info(png, info);
    head->width = png_get_image_width(png, info);
    head->height = png_get_image_height(png, info);
    int isWhole = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    head->decoding_bytes = (uint64_t)head->width * 4 * (isWhole ? head->height : 1);
    take_notes(png, info, head);
    png_destroy_read_struct(&png, &info, NULL);
    return 0;
}

static void make_rgba(png_structp png, png_infop info) {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

int waymark_png_pixels(const uint8_t *bytes, size_t count, struct waymark_shrinking *shrinking, char message[160]) {
    struct source source = {bytes, count, message};
    png_infop info = NULL;
    png_structp png = begin(&source, &info);
    if (!png) return -1;
    uint8_t *volatile pixels = NULL;
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        free(pixels);
        return -1;
    }
    png_read_info(png, info);
    unsigned width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (width != shrinking->width || height != shrinking->height) png_error(png, "it has another size than before");
    make_rgba(png, info);
    size_t stride = png_get_rowbytes(png, info);
    if (stride != (size_t)width * 4) png_error(png, "its rows have another size than its pixels");
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE) {
        pixels = malloc(stride);
        if (!pixels) png_error(png, "no memory");
        for (unsigned y = 0; y < height; y++) {
            png_read_row(png, pixels, NULL);
            waymark_shrinking_add(shrinking, pixels);
        }
    } else {
        pixels = calloc(height, stride);
        if (!pixels) png_error(png, "no memory");
        for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
            for (unsigned y = 0; y < height; y++) png_read_row(png, pixels + y * stride, NULL);
        for (unsigned y = 0; y < height; y++) waymark_shrinking_add(shrinking, pixels + y * stride);
    }
    png_destroy_read_struct(&png, &info, NULL);
    free(pixels);
    return 0;
}
