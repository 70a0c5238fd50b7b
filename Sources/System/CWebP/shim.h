// libwebp: reading and writing WebP, Debian's libwebp-dev.
#ifndef WAYMARK_CWEBP_H
#define WAYMARK_CWEBP_H
#include <stdlib.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

// Decodes one frame in the given size into pixels: blue, green, red, and the alpha that these are multiplied by.
static inline VP8StatusCode waymark_webp_pixels(
    const uint8_t *bytes, size_t count, uint8_t *pixels, int stride, int width, int height) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return VP8_STATUS_INVALID_PARAM;
    config.options.use_scaling = 1;
    config.options.scaled_width = width;
    config.options.scaled_height = height;
    config.output.colorspace = MODE_bgrA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){pixels, stride, (size_t)stride * height};
    return WebPDecode(bytes, count, &config);
}

// Encodes pixels whose fourth byte means nothing. The bytes are to be freed by WebPFree; NULL without memory.
static inline uint8_t *waymark_webp_bytes(
    const uint8_t *pixels, int stride, int width, int height, float quality, size_t *count) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigPreset(&config, WEBP_PRESET_PHOTO, quality) || !WebPPictureInit(&picture)) return NULL;
    // Of 6: the next ones take twice as long for a few percent.
    config.method = 2;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.width = width;
    picture.height = height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int is_made = WebPPictureImportBGRX(&picture, pixels, stride) && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    if (!is_made) {
        WebPMemoryWriterClear(&writer);
        return NULL;
    }
    *count = writer.size;
    return writer.mem;
}

// An inline function in its header.
static inline WebPDemuxer *waymark_webp_demux(const uint8_t *bytes, size_t count, WebPDemuxState *state) {
    WebPData data = {bytes, count};
    return WebPDemuxPartial(&data, state);
}
#endif
