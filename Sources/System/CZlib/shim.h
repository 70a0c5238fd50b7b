// zlib: reading gzip, Debian's zlib1g-dev.
#ifndef WAYMARK_CZLIB_H
#define WAYMARK_CZLIB_H
#include <zlib.h>

// inflateInit2 is a macro, which does not reach Swift. 15 is the largest window, 16 asks for gzip's head and tail.
static inline int waymark_inflate_gzip_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
#endif
