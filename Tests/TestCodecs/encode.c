#include "encode.h"
#include <lcms2.h>
#include <libheif/heif.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <webp/encode.h>
#include <webp/mux.h>

struct memory {
    uint8_t *bytes;
    size_t count, room, at;
};

static size_t put(struct memory *memory, const void *bytes, size_t count) {
    size_t end = memory->at + count;
    if (end > memory->room) {
        memory->room = end * 2;
        memory->bytes = realloc(memory->bytes, memory->room);
    }
    if (memory->at > memory->count) memset(memory->bytes + memory->count, 0, memory->at - memory->count);
    memcpy(memory->bytes + memory->at, bytes, count);
    memory->at = end;
    if (end > memory->count) memory->count = end;
    return count;
}

static uint8_t *taken(struct memory memory, size_t *count) {
    *count = memory.count;
    return memory.bytes;
}

static void png_put(png_structp png, png_bytep bytes, size_t count) { put(png_get_io_ptr(png), bytes, count); }
static void png_flush_nothing(png_structp png) { (void)png; }

static void png_notes(png_structp png, png_infop info, const struct test_picture *picture) {
    if (picture->profile.count)
        png_set_iCCP(png, info, "test", 0, picture->profile.bytes, (png_uint_32)picture->profile.count);
    if (picture->exif.count)
        png_set_eXIf_1(png, info, (png_uint_32)picture->exif.count, (png_bytep)picture->exif.bytes);
    if (!picture->xmp.count) return;
    char *xmp = strndup((const char *)picture->xmp.bytes, picture->xmp.count);
    png_text text = {
        .compression = PNG_ITXT_COMPRESSION_NONE, .key = "XML:com.adobe.xmp", .text = xmp,
        .itxt_length = picture->xmp.count, .lang = "", .lang_key = ""};
    png_set_text(png, info, &text, 1);
    free(xmp);
}

uint8_t *test_png(const struct test_picture *picture, size_t *count) {
    struct memory memory = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return NULL;
    }
    png_set_write_fn(png, &memory, png_put, png_flush_nothing);
    png_set_IHDR(
        png, info, picture->width, picture->height, 8, picture->has_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
        picture->is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_notes(png, info, picture);
    png_write_info(png, info);
    if (!picture->has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (unsigned y = 0; y < picture->height; y++)
            png_write_row(png, picture->pixels + (size_t)y * picture->width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return taken(memory, count);
}

static tmsize_t tiff_read(thandle_t handle, void *target, tmsize_t count) {
    struct memory *memory = handle;
    size_t left = memory->at < memory->count ? memory->count - memory->at : 0;
    size_t got = (size_t)count < left ? (size_t)count : left;
    memcpy(target, memory->bytes + memory->at, got);
    memory->at += got;
    return (tmsize_t)got;
}

static tmsize_t tiff_write(thandle_t handle, void *bytes, tmsize_t count) { return put(handle, bytes, count); }

static toff_t tiff_seek(thandle_t handle, toff_t offset, int whence) {
    struct memory *memory = handle;
    if (whence == SEEK_CUR) offset += memory->at;
    if (whence == SEEK_END) offset += memory->count;
    return memory->at = offset;
}

static int tiff_close(thandle_t handle) { return (void)handle, 0; }
static toff_t tiff_size(thandle_t handle) { return ((struct memory *)handle)->count; }

static void tiff_position(TIFF *tiff, const struct test_picture *picture) {
    double latitude[3] = {picture->latitude, 0, 0}, longitude[3] = {picture->longitude, 0, 0};
    uint64_t offset = 0;
    // The picture's own folder gets its final place first, and then learns where the other is.
    TIFFWriteCheck(tiff, 0, "");
    TIFFSetField(tiff, TIFFTAG_GPSIFD, offset);
    TIFFWriteDirectory(tiff);
    TIFFCreateGPSDirectory(tiff);
    TIFFSetField(tiff, GPSTAG_LATITUDEREF, "N");
    TIFFSetField(tiff, GPSTAG_LATITUDE, latitude);
    TIFFSetField(tiff, GPSTAG_LONGITUDEREF, "E");
    TIFFSetField(tiff, GPSTAG_LONGITUDE, longitude);
    TIFFWriteCustomDirectory(tiff, &offset);
    TIFFSetDirectory(tiff, 0);
    TIFFSetField(tiff, TIFFTAG_GPSIFD, offset);
    TIFFRewriteDirectory(tiff);
}

uint8_t *test_tiff(const struct test_picture *picture, size_t *count) {
    struct memory memory = {0};
    TIFF *tiff = TIFFClientOpen(
        "", "wm", &memory, tiff_read, tiff_write, tiff_seek, tiff_close, tiff_size, NULL, NULL);
    if (!tiff) return NULL;
    unsigned depth = picture->has_alpha ? 4 : 3;
    uint16_t extra = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, picture->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, picture->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, depth);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 16);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, picture->orientation ? picture->orientation : 1);
    TIFFSetField(tiff, TIFFTAG_ARTIST, "A. Person");
    if (picture->has_alpha) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
    if (picture->profile.count)
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)picture->profile.count, picture->profile.bytes);
    if (picture->xmp.count) TIFFSetField(tiff, TIFFTAG_XMLPACKET, (uint32_t)picture->xmp.count, picture->xmp.bytes);
    uint8_t *row = malloc((size_t)picture->width * depth);
    for (unsigned y = 0; y < picture->height; y++) {
        for (unsigned x = 0; x < picture->width; x++)
            memcpy(row + x * depth, picture->pixels + ((size_t)y * picture->width + x) * 4, depth);
        TIFFWriteScanline(tiff, row, y, 0);
    }
    free(row);
    if (picture->latitude != 0) tiff_position(tiff, picture);
    TIFFClose(tiff);
    return taken(memory, count);
}

static WebPData webp_frame(const struct test_picture *picture, uint8_t **bytes) {
    size_t count = WebPEncodeLosslessRGBA(
        picture->pixels, (int)picture->width, (int)picture->height, (int)picture->width * 4, bytes);
    return (WebPData){*bytes, count};
}

static void webp_chunk(WebPMux *mux, const char *name, struct test_bytes bytes) {
    WebPData data = {bytes.bytes, bytes.count};
    if (bytes.count) WebPMuxSetChunk(mux, name, &data, 1);
}

uint8_t *test_webp(const struct test_picture *picture, int frames, size_t *count) {
    uint8_t *bytes = NULL;
    WebPData image = webp_frame(picture, &bytes), whole = {NULL, 0};
    WebPMux *mux = WebPMuxNew();
    if (frames <= 1) WebPMuxSetImage(mux, &image, 1);
    for (int i = 0; frames > 1 && i < frames; i++) {
        WebPMuxFrameInfo frame = {.bitstream = image, .duration = 100, .id = WEBP_CHUNK_ANMF};
        WebPMuxPushFrame(mux, &frame, 1);
    }
    if (frames > 1) WebPMuxSetAnimationParams(mux, &(WebPMuxAnimParams){0xffffffff, 1});
    webp_chunk(mux, "ICCP", picture->profile);
    webp_chunk(mux, "EXIF", picture->exif);
    webp_chunk(mux, "XMP ", picture->xmp);
    WebPMuxAssemble(mux, &whole);
    WebPMuxDelete(mux);
    WebPFree(bytes);
    struct memory memory = {0};
    if (whole.size) put(&memory, whole.bytes, whole.size);
    WebPDataClear(&whole);
    return taken(memory, count);
}

static struct heif_error heif_put(struct heif_context *context, const void *bytes, size_t count, void *user) {
    (void)context;
    put(user, bytes, count);
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, ""};
}

static struct heif_image *heif_pixels(const struct test_picture *picture) {
    struct heif_image *image = NULL;
    enum heif_chroma chroma = picture->has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    unsigned depth = picture->has_alpha ? 4 : 3;
    int stride = 0;
    heif_image_create((int)picture->width, (int)picture->height, heif_colorspace_RGB, chroma, &image);
    heif_image_add_plane(image, heif_channel_interleaved, (int)picture->width, (int)picture->height, 8);
    uint8_t *rows = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (unsigned y = 0; y < picture->height; y++)
        for (unsigned x = 0; x < picture->width; x++)
            memcpy(
                rows + (size_t)y * (size_t)stride + x * depth,
                picture->pixels + ((size_t)y * picture->width + x) * 4, depth);
    if (picture->profile.count)
        heif_image_set_raw_color_profile(image, "prof", picture->profile.bytes, picture->profile.count);
    return image;
}

uint8_t *test_heif(const struct test_picture *picture, int is_avif, size_t *count) {
    struct memory memory = {0};
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder = NULL;
    struct heif_image *image = heif_pixels(picture);
    struct heif_image_handle *handle = NULL;
    struct heif_encoding_options *options = heif_encoding_options_alloc();
    if (picture->orientation) options->image_orientation = (enum heif_orientation)picture->orientation;
    heif_context_get_encoder_for_format(
        context, is_avif ? heif_compression_AV1 : heif_compression_HEVC, &encoder);
    if (encoder) {
        heif_encoder_set_lossy_quality(encoder, 90);
        struct heif_error error = heif_context_encode_image(context, image, encoder, options, &handle);
        if (error.code == heif_error_Ok) {
            if (picture->exif.count)
                heif_context_add_exif_metadata(context, handle, picture->exif.bytes, (int)picture->exif.count);
            if (picture->xmp.count)
                heif_context_add_XMP_metadata(context, handle, picture->xmp.bytes, (int)picture->xmp.count);
            struct heif_writer writer = {1, heif_put};
            heif_context_write(context, &writer, &memory);
        }
        heif_image_handle_release(handle);
        heif_encoder_release(encoder);
    }
    heif_encoding_options_free(options);
    heif_image_release(image);
    heif_context_free(context);
    return taken(memory, count);
}

uint8_t *test_swapped_profile(size_t *count) {
    cmsCIExyY white = {0.3127, 0.3290, 1};
    cmsCIExyYTRIPLE primaries = {{0.30, 0.60, 1}, {0.64, 0.33, 1}, {0.15, 0.06, 1}};
    cmsToneCurve *curve = cmsBuildGamma(NULL, 2.2);
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsUInt32Number size = 0;
    cmsSaveProfileToMem(profile, NULL, &size);
    uint8_t *bytes = malloc(size);
    if (bytes) cmsSaveProfileToMem(profile, bytes, &size);
    cmsCloseProfile(profile);
    cmsFreeToneCurve(curve);
    *count = size;
    return bytes;
}
