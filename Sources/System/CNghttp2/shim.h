// libnghttp2: the frames, the header compression and the states of HTTP/2, Debian's libnghttp2-dev.
#ifndef WAYMARK_CNGHTTP2_H
#define WAYMARK_CNGHTTP2_H
#include <nghttp2/nghttp2.h>
#endif
