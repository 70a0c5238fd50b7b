// libsodium: authentication codes, random bytes.
#ifndef WAYMARK_CSODIUM_H
#define WAYMARK_CSODIUM_H
#include <sodium.h>
#endif
