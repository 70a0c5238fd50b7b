// libturbojpeg: reading and writing JPEG, Debian's libturbojpeg0-dev.
#ifndef WAYMARK_CTURBOJPEG_H
#define WAYMARK_CTURBOJPEG_H
#include <turbojpeg.h>
#endif
