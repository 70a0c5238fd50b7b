// libmicrohttpd reads from sockets by recv(), which it looks up in the program before the C library: this one reads the
// same bytes, and asks the gate of the calling thread, if it has one, what libmicrohttpd gets of them.
#define _GNU_SOURCE
#include "gate.h"
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/types.h>

static __thread waymark_http_gate current;
static __thread void *current_owner;

void waymark_http_set_gate(waymark_http_gate gate, void *owner) {
    current = gate;
    current_owner = owner;
}

__attribute__((visibility("default"))) ssize_t recv(int socket, void *buffer, size_t size, int flags) {
    if (!current) return recvfrom(socket, buffer, size, flags, NULL, NULL);
    ssize_t count = recvfrom(socket, buffer, size, flags, NULL, NULL);
    int reason = errno;
    count = current(current_owner, socket, buffer, count);
    errno = reason;
    return count;
}

int waymark_http_gate_holds(void) { return dlsym(RTLD_DEFAULT, "recv") == (void *)&recv; }
