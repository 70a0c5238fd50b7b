// Expat: a parser of XML, Debian's libexpat1-dev.
#ifndef WAYMARK_CEXPAT_H
#define WAYMARK_CEXPAT_H
#include <expat.h>
#endif
