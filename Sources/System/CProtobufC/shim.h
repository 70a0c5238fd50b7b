// The door to protobuf-c, Debian's libprotobuf-c-dev.
#ifndef WAYMARK_CPROTOBUFC_SHIM_H
#define WAYMARK_CPROTOBUFC_SHIM_H

#include <protobuf-c/protobuf-c.h>

#endif
