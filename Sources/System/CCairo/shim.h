// cairo: drawing on pixels, Debian's libcairo2-dev.
#ifndef WAYMARK_CCAIRO_H
#define WAYMARK_CCAIRO_H
#include <cairo/cairo.h>
#endif
