// libzip: reading and writing ZIP archives, Debian's libzip-dev.
#ifndef WAYMARK_CZIP_H
#define WAYMARK_CZIP_H
#include <zip.h>
#endif
