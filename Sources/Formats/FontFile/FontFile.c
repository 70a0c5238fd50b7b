// A font that is read from one file: so a picture looks the same on each machine, whatever fontconfig is set to.
#include "FontFile.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <cairo/cairo-ft.h>
#include <stdlib.h>
#include <string.h>

// What a typeface needs as long as it lives. It has a library of its own, so that no lock is shared.
struct font {
    FT_Library library;
    FT_Face face;
    unsigned char *bytes;
};

static const cairo_user_data_key_t font_key;

static void font_free(void *pointer)
{
    struct font *font = pointer;
    if (font->face) FT_Done_Face(font->face);
    if (font->library) FT_Done_FreeType(font->library);
    free(font->bytes);
    free(font);
}

cairo_font_face_t *waymark_font_face_make(const unsigned char *bytes, size_t count)
{
    struct font *font = calloc(1, sizeof *font);
    if (!font) return NULL;
    font->bytes = malloc(count ? count : 1);
    if (!font->bytes || FT_Init_FreeType(&font->library)) {
        font_free(font);
        return NULL;
    }
    memcpy(font->bytes, bytes, count);
    if (FT_New_Memory_Face(font->library, font->bytes, (FT_Long)count, 0, &font->face)) {
        font_free(font);
        return NULL;
    }
    cairo_font_face_t *face = cairo_ft_font_face_create_for_ft_face(font->face, FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(face, &font_key, font, font_free) != CAIRO_STATUS_SUCCESS) {
        cairo_font_face_destroy(face);
        font_free(font);
        return NULL;
    }
    return face;
}
