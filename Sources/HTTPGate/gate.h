// Lets the program that runs libmicrohttpd see bytes before the library does (Docs/Decisions/0028).
#ifndef WAYMARK_HTTPGATE_H
#define WAYMARK_HTTPGATE_H
#include <stddef.h>

struct MHD_Daemon;

// Asked with each socket that is about to be read, `count` -1: 0 lets it be read, anything else is taken for its end.
// Then with what was read, `count` bytes at `bytes`: gives how many of them libmicrohttpd may see; 0 is the end.
typedef long (*waymark_http_gate)(void *owner, int socket, const void *bytes, long count);

// Whether libraries find the recv() of this program before the C library's. Without that there is no gate.
int waymark_http_gate_holds(void);

// Asks `gate` about whatever this thread reads from sockets until it is called with NULL.
void waymark_http_set_gate(waymark_http_gate gate, void *owner);
#endif
