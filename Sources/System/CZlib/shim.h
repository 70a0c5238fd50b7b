// zlib: reading and writing gzip, Debian's zlib1g-dev.
#ifndef WAYMARK_CZLIB_H
#define WAYMARK_CZLIB_H
#include <zlib.h>

// inflateInit2 and deflateInit2 are macros, which do not reach Swift. 15 is the largest window, 16 asks for gzip's head
// and tail, 8 is the usual memory.
static inline int waymark_inflate_gzip_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
static inline int waymark_deflate_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// Without any head, as in a ZIP archive.
static inline int waymark_inflate_raw_init(z_stream *stream) { return inflateInit2(stream, -15); }
static inline int waymark_deflate_raw_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
#endif
