#include "block.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// One allocation of libtiff's, such as a strip.
#define MEMORY_LIMIT (256 << 20)

struct source {
    const uint8_t *bytes;
    size_t count, at;
    char *message;
};

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t count) {
    struct source *source = handle;
    size_t left = source->at < source->count ? source->count - source->at : 0;
    size_t taken = count < 0 ? 0 : (size_t)count < left ? (size_t)count : left;
    memcpy(target, source->bytes + source->at, taken);
    source->at += taken;
    return (tmsize_t)taken;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
    (void)handle, (void)bytes, (void)count;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    struct source *source = handle;
    if (whence == SEEK_CUR) offset += source->at;
    if (whence == SEEK_END) offset += source->count;
    if (offset > source->count) offset = source->count;
    source->at = (size_t)offset;
    return offset;
}

static int close_nothing(thandle_t handle) { return (void)handle, 0; }
static toff_t size(thandle_t handle) { return ((struct source *)handle)->count; }

static int fail(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    struct source *source = user;
    // The first is the cause.
    if (!source->message[0]) vsnprintf(source->message, 160, format, arguments);
    return 1;
}

static int warn(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    return (void)tiff, (void)user, (void)module, (void)format, (void)arguments, 1;
}

static TIFF *open_tiff(struct source *source) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MEMORY_LIMIT);
    TIFFOpenOptionsSetErrorHandlerExtR(options, fail, source);
    TIFFOpenOptionsSetWarningHandlerExtR(options, warn, source);
    // "m": nothing is mapped.
    TIFF *tiff = TIFFClientOpenExt(
        "", "rm", source, read_bytes, write_bytes, seek, close_nothing, size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

static void take_text(TIFF *tiff, uint32_t tag, struct waymark_block *block) {
    const char *text = NULL;
    if (TIFFGetField(tiff, tag, &text) && text) waymark_block_copy(block, text, strlen(text));
}

static void take_block(TIFF *tiff, uint32_t tag, struct waymark_block *block) {
    uint32_t count = 0;
    void *bytes = NULL;
    if (TIFFGetField(tiff, tag, &count, &bytes)) waymark_block_copy(block, bytes, count);
}

// Degrees from degrees, minutes and seconds; whether they are some.
static int degrees(TIFF *tiff, uint32_t tag, uint32_t letter, char minus, double *result) {
    double *parts = NULL;
    const char *side = NULL;
    if (!TIFFGetField(tiff, tag, &parts) || !parts || !TIFFGetField(tiff, letter, &side) || !side) return 0;
    *result = (parts[0] + parts[1] / 60 + parts[2] / 3600) * (side[0] == minus ? -1 : 1);
    return 1;
}

// The folders beside that of the picture; afterwards none of the picture's own tags can be read.
static void take_folders(TIFF *tiff, struct waymark_head *head) {
    toff_t camera = 0, position = 0;
    int has_camera = TIFFGetField(tiff, TIFFTAG_EXIFIFD, &camera);
    if (TIFFGetField(tiff, TIFFTAG_GPSIFD, &position) && TIFFReadGPSDirectory(tiff, position))
        head->has_position =
            degrees(tiff, GPSTAG_LATITUDE, GPSTAG_LATITUDEREF, 'S', &head->latitude)
            && degrees(tiff, GPSTAG_LONGITUDE, GPSTAG_LONGITUDEREF, 'W', &head->longitude);
    if (has_camera && TIFFReadEXIFDirectory(tiff, camera)) {
        take_text(tiff, EXIFTAG_DATETIMEORIGINAL, &head->taken);
        take_text(tiff, EXIFTAG_OFFSETTIMEORIGINAL, &head->offset);
    }
}

int waymark_tiff_head(const uint8_t *bytes, size_t count, struct waymark_head *head, char message[160]) {
    struct source source = {bytes, count, 0, message};
    TIFF *tiff = open_tiff(&source);
    if (!tiff) return -1;
    uint16_t orientation = ORIENTATION_TOPLEFT;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &head->width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &head->height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    head->orientation = orientation;
    // All pixels, and beside them a strip.
    head->decoding_bytes = (uint64_t)head->width * head->height * 4 + (uint64_t)TIFFStripSize64(tiff);
    take_block(tiff, TIFFTAG_ICCPROFILE, &head->profile);
    take_block(tiff, TIFFTAG_XMLPACKET, &head->xmp);
    take_text(tiff, TIFFTAG_IMAGEDESCRIPTION, &head->title);
    take_text(tiff, TIFFTAG_ARTIST, &head->author);
    take_text(tiff, TIFFTAG_COPYRIGHT, &head->licence);
    char reason[1024] = "";
    if (!TIFFRGBAImageOK(tiff, reason)) {
        snprintf(message, 160, "%.150s", reason);
        TIFFClose(tiff);
        return -1;
    }
    take_folders(tiff, head);
    // Notes that are broken are none.
    message[0] = 0;
    TIFFClose(tiff);
    return 0;
}

int waymark_tiff_pixels(const uint8_t *bytes, size_t count, struct waymark_shrinking *shrinking, char message[160]) {
    struct source source = {bytes, count, 0, message};
    TIFF *tiff = open_tiff(&source);
    if (!tiff) return -1;
    size_t width = shrinking->width, height = shrinking->height;
    uint16_t orientation = ORIENTATION_TOPLEFT;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    uint32_t *pixels = malloc(width * height * sizeof *pixels);
    // As they lie in the file: turning is the caller's part.
    int result = pixels
        && TIFFReadRGBAImageOriented(tiff, shrinking->width, shrinking->height, pixels, orientation, 1) ? 0 : -1;
    if (!pixels) snprintf(message, 160, "no memory");
    for (size_t y = 0; result == 0 && y < height; y++)
        waymark_shrinking_add(shrinking, (const uint8_t *)(pixels + y * width));
    free(pixels);
    TIFFClose(tiff);
    return result;
}
