// libheif: reading HEIC and AVIF, Debian's libheif-dev.
#ifndef WAYMARK_CHEIF_H
#define WAYMARK_CHEIF_H
#include <libheif/heif.h>
#endif
