#ifndef WAYMARK_CPQ_SHIM_H
#define WAYMARK_CPQ_SHIM_H

#include <postgresql/libpq-fe.h>

#endif
