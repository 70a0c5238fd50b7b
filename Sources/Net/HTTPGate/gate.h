// Lets the program that runs libmicrohttpd see bytes before the library does (Docs/Decisions/0029).
#ifndef WAYMARK_HTTPGATE_H
#define WAYMARK_HTTPGATE_H
#include <stddef.h>

struct MHD_Daemon;

// Asked whenever a socket was read, with the `count` that recv() returned and that many bytes: gives what libmicrohttpd
// gets for it, at most `count`. 0 is the end.
typedef long (*waymark_http_gate)(void *owner, int socket, const void *bytes, long count);

// libmicrohttpd, which takes this socket for ended, may close its descriptor but must not shut the connection down: a
// copy of the descriptor goes on. Until it is called with -1; counts only while there is a gate.
void waymark_http_spare(int socket);

// Whether libraries find the recv(), send() and shutdown() of this program before the C library's. Without that there
// is no gate.
int waymark_http_gate_holds(void);

// Asks `gate` about whatever this thread reads from sockets until it is called with NULL.
void waymark_http_set_gate(waymark_http_gate gate, void *owner);
#endif
