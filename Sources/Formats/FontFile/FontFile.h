// A typeface for cairo from the bytes of a font's file, in plain types: FreeType's own stay in FontFile.c.
#pragma once
#include <cairo/cairo.h>
#include <stddef.h>

// Keeps a copy of the bytes. NULL when they are no font. Freed by cairo_font_face_destroy, once nothing uses it.
cairo_font_face_t *waymark_font_face_make(const unsigned char *bytes, size_t count);
