// Sockets of the Internet, as streams between machines. Those of one machine's files are the system's own.
#include "world.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// How long a connection is tried.
static const uint64_t patience = 120 * SECOND;

static int own(int descriptor) { return in_world() ? object_of(descriptor) : -1; }

static int own_machine(void) { return world->processes[this_process].machine; }

int socket(int family, int type, int protocol) {
    if (!in_world() || (family != AF_INET && family != AF_INET6))
        return (int)syscall(SYS_socket, family, type, protocol);
    if ((type & 0xf) != SOCK_STREAM) return errno = EPROTONOSUPPORT, -1;
    int object = new_object(object_stream);
    world->objects[object].is_blocking = !(type & SOCK_NONBLOCK);
    world->objects[object].peer_machine = -1;
    world->objects[object].local_machine = own_machine();
    return give_descriptor(object, type & SOCK_CLOEXEC);
}

// 127.0.7.N is machine N, and all others are one's own.
static bool read_address(const struct sockaddr *address, int *machine, int *port) {
    if (address->sa_family != AF_INET) return false;
    const struct sockaddr_in *in = (const struct sockaddr_in *)address;
    uint32_t number = ntohl(in->sin_addr.s_addr);
    *port = ntohs(in->sin_port);
    *machine = (number & 0xffffff00) == 0x7f000700 ? (int)(number & 0xff) : own_machine();
    return *machine < machine_count;
}

static int write_address(int machine, int port, struct sockaddr *address, socklen_t *length) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    in.sin_addr.s_addr = htonl(0x7f000700 | (uint32_t)machine);
    memcpy(address, &in, *length < sizeof in ? *length : sizeof in);
    *length = sizeof in;
    return 0;
}

static int free_port(void) { return world->next_port = world->next_port < 60000 ? world->next_port + 1 : 20000; }

int bind(int descriptor, const struct sockaddr *address, socklen_t length) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_bind, descriptor, address, length);
    struct object *it = &world->objects[object];
    int machine, port;
    if (!read_address(address, &machine, &port)) return errno = EADDRNOTAVAIL, -1;
    for (int at = 0; port && at < world->object_count; at++) {
        struct object *other = &world->objects[at];
        if (other->kind == object_listener && other->local_machine == own_machine() && other->local_port == port)
            return errno = EADDRINUSE, -1;
    }
    it->local_machine = own_machine();
    it->local_port = port ? port : free_port();
    return 0;
}

int listen(int descriptor, int backlog) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_listen, descriptor, backlog);
    world->objects[object].kind = object_listener;
    return 0;
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_accept4, descriptor, address, length, flags);
    struct object *it = &world->objects[object];
    while (!it->backlog_count) {
        if (!it->is_blocking) return errno = EAGAIN, -1;
        wait_for(key_of_object(object), NEVER);
    }
    int accepted = it->backlog[it->backlog_first];
    it->backlog_first = (it->backlog_first + 1) % 128;
    it->backlog_count--;
    struct object *made = &world->objects[accepted];
    made->is_blocking = !(flags & SOCK_NONBLOCK);
    if (address) write_address(made->peer_machine, made->peer_port, address, length);
    return give_descriptor(accepted, flags & SOCK_CLOEXEC);
}

int accept(int descriptor, struct sockaddr *address, socklen_t *length) {
    return accept4(descriptor, address, length, 0);
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_connect, descriptor, address, length);
    struct object *it = &world->objects[object];
    if (it->state == stream_open) return errno = EISCONN, -1;
    if (it->state == stream_connecting) return errno = EALREADY, -1;
    if (!read_address(address, &it->peer_machine, &it->peer_port)) return errno = ENETUNREACH, -1;
    if (!it->local_port) it->local_port = free_port();
    it->state = stream_connecting;
    schedule_event(world->now + 20000 + draw_below(300000), event_connect, object, 0);
    schedule_event(world->now + patience, event_connected, object, ETIMEDOUT);
    if (!it->is_blocking) return errno = EINPROGRESS, -1;
    while (it->state == stream_connecting) wait_for(key_of_object(object), NEVER);
    if (it->state == stream_open) return 0;
    return errno = it->error, -1;
}

// MARK: bytes

ssize_t receive(int object, void *bytes, size_t count, bool stays, bool may_wait) {
    struct object *it = &world->objects[object];
    for (;;) {
        if (it->state == stream_reset || it->state == stream_refused) {
            int error = it->error;
            it->error = 0;
            if (!error) return 0;
            return errno = error, -1;
        }
        if (it->state == stream_new) return errno = ENOTCONN, -1;
        if (it->state == stream_connecting) return errno = EAGAIN, -1;
        ssize_t taken = count ? take_bytes(object, bytes, count, stays) : 0;
        if (taken >= 0) return taken;
        if (!may_wait) return errno = EAGAIN, -1;
        wait_for(key_of_object(object), NEVER);
    }
}

ssize_t transmit(int object, const struct iovec *pieces, int count, bool may_wait) {
    struct object *it = &world->objects[object];
    for (;;) {
        if (it->state == stream_reset || it->state == stream_refused || it->has_ended || it->peer < 0) {
            if (it->state == stream_connecting || it->state == stream_new) return errno = ENOTCONN, -1;
            return errno = it->state == stream_reset && it->error ? it->error : EPIPE, -1;
        }
        if (it->state == stream_connecting) return errno = EAGAIN, -1;
        size_t sent = 0, whole = 0;
        for (int at = 0; at < count; at++) {
            whole += pieces[at].iov_len;
            size_t taken = send_bytes(object, pieces[at].iov_base, pieces[at].iov_len);
            sent += taken;
            if (taken < pieces[at].iov_len) break;
        }
        if (sent || !whole) {
            maybe_give_way();
            return (ssize_t)sent;
        }
        if (!may_wait) return errno = EAGAIN, -1;
        wait_for(key_of_object(object), NEVER);
    }
}

static bool waits(int object, int flags) { return world->objects[object].is_blocking && !(flags & MSG_DONTWAIT); }

// Programs have a recv of their own, which calls recvfrom: so no one of these calls another by its name.
ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
    int object = own(descriptor);
    if (object < 0) return syscall(SYS_recvfrom, descriptor, bytes, count, flags, NULL, NULL);
    return receive(object, bytes, count, flags & MSG_PEEK, waits(object, flags));
}

ssize_t recvfrom(int descriptor, void *bytes, size_t count, int flags, struct sockaddr *from, socklen_t *length) {
    int object = own(descriptor);
    if (object >= 0) return receive(object, bytes, count, flags & MSG_PEEK, waits(object, flags));
    return syscall(SYS_recvfrom, descriptor, bytes, count, flags, from, length);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    int object = own(descriptor);
    if (object < 0) return syscall(SYS_recvmsg, descriptor, message, flags);
    if (!message->msg_iovlen) return 0;
    struct iovec *piece = &message->msg_iov[0];
    return receive(object, piece->iov_base, piece->iov_len, flags & MSG_PEEK, waits(object, flags));
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    int object = own(descriptor);
    if (object < 0) return syscall(SYS_sendto, descriptor, bytes, count, flags, NULL, 0);
    struct iovec piece = {(void *)bytes, count};
    return transmit(object, &piece, 1, waits(object, flags));
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length) {
    int object = own(descriptor);
    struct iovec piece = {(void *)bytes, count};
    if (object >= 0) return transmit(object, &piece, 1, waits(object, flags));
    return syscall(SYS_sendto, descriptor, bytes, count, flags, to, length);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    int object = own(descriptor);
    if (object < 0) return syscall(SYS_sendmsg, descriptor, message, flags);
    return transmit(object, message->msg_iov, (int)message->msg_iovlen, waits(object, flags));
}

int shutdown(int descriptor, int how) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_shutdown, descriptor, how);
    if (world->objects[object].state != stream_open) return errno = ENOTCONN, -1;
    if (how != SHUT_RD) send_end(object);
    if (how != SHUT_WR) {
        world->objects[object].ends_reading = true;
        changed_edge(object, true, false);
    }
    return 0;
}

// MARK: what they say of themselves

int getsockname(int descriptor, struct sockaddr *address, socklen_t *length) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_getsockname, descriptor, address, length);
    return write_address(world->objects[object].local_machine, world->objects[object].local_port, address, length);
}

int getpeername(int descriptor, struct sockaddr *address, socklen_t *length) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_getpeername, descriptor, address, length);
    struct object *it = &world->objects[object];
    if (it->state != stream_open) return errno = ENOTCONN, -1;
    return write_address(it->peer_machine, it->peer_port, address, length);
}

int setsockopt(int descriptor, int level, int option, const void *value, socklen_t length) {
    if (own(descriptor) >= 0) return 0;
    return (int)syscall(SYS_setsockopt, descriptor, level, option, value, length);
}

int getsockopt(int descriptor, int level, int option, void *value, socklen_t *length) {
    int object = own(descriptor);
    if (object < 0) return (int)syscall(SYS_getsockopt, descriptor, level, option, value, length);
    int answer = 0;
    if (level == SOL_SOCKET && option == SO_ERROR) {
        answer = world->objects[object].error;
        world->objects[object].error = 0;
    } else if (level == SOL_SOCKET && option == SO_TYPE) answer = SOCK_STREAM;
    else if (level == SOL_SOCKET && (option == SO_SNDBUF || option == SO_RCVBUF)) answer = 256 << 10;
    else if (level == SOL_SOCKET && option == SO_INCOMING_CPU) answer = 1;
    else return errno = ENOPROTOOPT, -1;
    memcpy(value, &answer, *length < sizeof answer ? *length : sizeof answer);
    *length = sizeof answer;
    return 0;
}

// Names are addresses in a world.
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = NEXT("getaddrinfo");
    if (!in_world()) return next(node, service, hints, result);
    struct addrinfo numeric = hints ? *hints : (struct addrinfo){0};
    numeric.ai_flags |= AI_NUMERICHOST;
    numeric.ai_family = AF_INET;
    if (node && strcmp(node, "localhost") == 0) node = "127.0.0.1";
    return next(node, service, &numeric, result);
}
