// GNU libmicrohttpd: an HTTP/1.1 server, Debian's libmicrohttpd-dev.
#ifndef WAYMARK_CMICROHTTPD_H
#define WAYMARK_CMICROHTTPD_H
#include <microhttpd.h>
#include <string.h>

// Variadic functions do not reach Swift.

// Leaves the escapes of a URL as they are: C strings can't carry what some of them stand for.
static inline size_t waymark_http_unescape(void *owner, struct MHD_Connection *connection, char *text) {
    (void)owner;
    (void)connection;
    return strlen(text);
}

// A daemon without threads and without a listening socket, which its owner runs when its epoll descriptor is
// ready. Connections are resumed on that thread alone, so it needs no pipe to wake it up. It writes to sockets without
// MSG_NOSIGNAL, so the process ignores SIGPIPE; in return files leave by sendfile.
static inline struct MHD_Daemon *waymark_http_start(
    void *owner, MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connected, size_t bytes_per_connection, unsigned int connections) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, access, owner,
        MHD_OPTION_NOTIFY_COMPLETED, completed, owner, MHD_OPTION_NOTIFY_CONNECTION, connected, owner,
        MHD_OPTION_UNESCAPE_CALLBACK, waymark_http_unescape, NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, bytes_per_connection, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_STRICT_FOR_CLIENT, (int)1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, (int)1, MHD_OPTION_END);
}

// An answer without a body of chunks: with them, one to HEAD would be followed by the end of a body that it does not
// have.
static inline void waymark_http_no_chunks(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

static inline int waymark_http_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int waymark_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// What the owner keeps with a connection; nil before it was set.
static inline void *waymark_http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
#endif
