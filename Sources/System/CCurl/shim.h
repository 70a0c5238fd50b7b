// libcurl: HTTP towards others, and mail; Debian's libcurl4-openssl-dev.
#ifndef WAYMARK_CCURL_H
#define WAYMARK_CCURL_H
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// Variadic functions do not reach Swift.

// A set of transfers that its owner drives: it reports which sockets and which time to wait for.
static inline CURLM *waymark_curl_multi(
    void *owner, curl_socket_callback socket, curl_multi_timer_callback timer, long connections,
    long connections_of_host) {
    CURLM *multi = curl_multi_init();
    if (!multi) return NULL;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, owner);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, owner);
    curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections_of_host);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
    return multi;
}

// One transfer. All text is copied, `headers` is not. A body makes it a POST. There is no proxy but by settings of
// ours, and a transfer that is dropped while its host is being looked up does not wait for the resolver.
static inline CURLcode waymark_curl_prepare(
    CURL *easy, void *owner, const char *url, const char *agent, struct curl_slist *headers, const void *body,
    long body_bytes, long timeout_ms, long redirects, curl_write_callback header, curl_write_callback data) {
#define WAYMARK_SET(option, value)                                 \
    do {                                                           \
        CURLcode code = curl_easy_setopt(easy, option, value);     \
        if (code != CURLE_OK) return code;                         \
    } while (0)
    WAYMARK_SET(CURLOPT_NOSIGNAL, 1L);
    WAYMARK_SET(CURLOPT_QUICK_EXIT, 1L);
    WAYMARK_SET(CURLOPT_PROTOCOLS_STR, "http,https");
    WAYMARK_SET(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    WAYMARK_SET(CURLOPT_PROXY, "");
    WAYMARK_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    WAYMARK_SET(CURLOPT_URL, url);
    WAYMARK_SET(CURLOPT_USERAGENT, agent);
    WAYMARK_SET(CURLOPT_ACCEPT_ENCODING, "gzip");
    WAYMARK_SET(CURLOPT_HTTPHEADER, headers);
    WAYMARK_SET(CURLOPT_TIMEOUT_MS, timeout_ms);
    WAYMARK_SET(CURLOPT_FOLLOWLOCATION, redirects > 0 ? 1L : 0L);
    WAYMARK_SET(CURLOPT_MAXREDIRS, redirects);
    WAYMARK_SET(CURLOPT_HEADERFUNCTION, header);
    WAYMARK_SET(CURLOPT_HEADERDATA, owner);
    WAYMARK_SET(CURLOPT_WRITEFUNCTION, data);
    WAYMARK_SET(CURLOPT_WRITEDATA, owner);
    WAYMARK_SET(CURLOPT_PRIVATE, owner);
    if (body) {
        WAYMARK_SET(CURLOPT_POSTFIELDSIZE, body_bytes);
        WAYMARK_SET(CURLOPT_COPYPOSTFIELDS, body);
    }
    return CURLE_OK;
}

// Another method than GET and POST; HEAD has no body in its answer.
static inline CURLcode waymark_curl_method(CURL *easy, const char *method, long is_head) {
    if (is_head) WAYMARK_SET(CURLOPT_NOBODY, 1L);
    else WAYMARK_SET(CURLOPT_CUSTOMREQUEST, method);
    return CURLE_OK;
}

// A body that is not copied: `owner` is asked for its bytes, and to begin again when a kept connection has gone.
static inline CURLcode waymark_curl_upload(
    CURL *easy, void *owner, curl_off_t bytes, curl_read_callback read, curl_seek_callback seek) {
    WAYMARK_SET(CURLOPT_UPLOAD, 1L);
    WAYMARK_SET(CURLOPT_INFILESIZE_LARGE, bytes);
    WAYMARK_SET(CURLOPT_READFUNCTION, read);
    WAYMARK_SET(CURLOPT_READDATA, owner);
    WAYMARK_SET(CURLOPT_SEEKFUNCTION, seek);
    WAYMARK_SET(CURLOPT_SEEKDATA, owner);
    return CURLE_OK;
}

// Signed by AWS's Signature Version 4; `scope` is "aws:amz:REGION:SERVICE".
static inline CURLcode waymark_curl_sign(CURL *easy, const char *scope, const char *key, const char *secret) {
    WAYMARK_SET(CURLOPT_AWS_SIGV4, scope);
    WAYMARK_SET(CURLOPT_USERNAME, key);
    WAYMARK_SET(CURLOPT_PASSWORD, secret);
    return CURLE_OK;
}

static inline CURLcode waymark_curl_connect_within(CURL *easy, long milliseconds) {
    WAYMARK_SET(CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
    return CURLE_OK;
}

// An answer of any length: it ends only when no byte has come for so long, pauses of the reader aside. As it comes, or
// a part of it could not be asked for by its place.
static inline CURLcode waymark_curl_stream(CURL *easy, long stalled_seconds) {
    WAYMARK_SET(CURLOPT_TIMEOUT_MS, 0L);
    WAYMARK_SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
    WAYMARK_SET(CURLOPT_LOW_SPEED_TIME, stalled_seconds);
    WAYMARK_SET(CURLOPT_ACCEPT_ENCODING, NULL);
    return CURLE_OK;
}

// Whether an IPv4 address, in the host's byte order, is not one of the public internet: those that IANA's registry of
// special-purpose addresses calls not globally reachable (RFC 6890), relays to IPv6, and groups (RFC 5771).
static inline int waymark_is_private4(uint32_t a) {
    return a >> 24 == 0 || a >> 24 == 10 || a >> 24 == 127 || a >> 22 == 0x191 || a >> 16 == 0xa9fe
        || a >> 20 == 0xac1 || a >> 16 == 0xc0a8 || a >> 8 == 0xc00000 || a >> 8 == 0xc00002 || a >> 8 == 0xc05863
        || a >> 17 == 0x6309 || a >> 8 == 0xc63364 || a >> 8 == 0xcb0071 || a >> 28 >= 14;
}

// The same of an IPv6 address. Only 2000::/3 is given out (RFC 4291); in it IETF's own 2001::/23 with Teredo,
// documentation (RFC 3849, RFC 9637), and 6to4 (RFC 3056) of such an IPv4 address are not public. Outside of it only
// IPv4 addresses are: mapped, or translated by the well-known prefix (RFC 6052), and not by 64:ff9b:1::/48 (RFC 8215).
static inline int waymark_is_private6(const uint8_t *b) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    static const uint8_t translated[12] = {0, 0x64, 0xff, 0x9b};
#define WAYMARK_V4(at) ((uint32_t)b[at] << 24 | (uint32_t)b[(at) + 1] << 16 | (uint32_t)b[(at) + 2] << 8 | b[(at) + 3])
    if (!memcmp(b, mapped, 12) || !memcmp(b, translated, 12)) return waymark_is_private4(WAYMARK_V4(12));
    if ((b[0] & 0xe0) != 0x20) return 1;
    if (b[0] == 0x20 && b[1] == 0x02) return waymark_is_private4(WAYMARK_V4(2));
#undef WAYMARK_V4
    if (b[0] == 0x20 && b[1] == 0x01) return (b[2] & 0xfe) == 0 || (b[2] == 0x0d && b[3] == 0xb8);
    return b[0] == 0x3f && b[1] == 0xff && (b[2] & 0xf0) == 0;
}

static inline int waymark_is_private(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return waymark_is_private4(ntohl(in.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, address, sizeof in);
        return waymark_is_private6(in.sin6_addr.s6_addr);
    }
    return 1;
}

// Called with the very address that is connected to, of a redirect too: a name may lead elsewhere each time.
static inline curl_socket_t waymark_curl_open_public(void *owner, curlsocktype type, struct curl_sockaddr *address) {
    (void)owner;
    if (type != CURLSOCKTYPE_IPCXN || waymark_is_private(&address->addr)) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Called with the address of a connection before a request is sent on it, also of one that another request opened,
// which may have been allowed to go elsewhere.
static inline int waymark_curl_reuse_public(void *owner, char *address, char *own, int port, int own_port) {
    (void)owner, (void)own, (void)port, (void)own_port;
    uint32_t four;
    uint8_t six[16];
    if (inet_pton(AF_INET, address, &four) == 1)
        return waymark_is_private4(ntohl(four)) ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
    if (inet_pton(AF_INET6, address, six) == 1)
        return waymark_is_private6(six) ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
    return CURL_PREREQFUNC_ABORT;
}

// Connects to addresses of the public internet alone, and is redirected to https alone.
static inline CURLcode waymark_curl_public(CURL *easy) {
    WAYMARK_SET(CURLOPT_OPENSOCKETFUNCTION, waymark_curl_open_public);
    WAYMARK_SET(CURLOPT_PREREQFUNCTION, waymark_curl_reuse_public);
    WAYMARK_SET(CURLOPT_REDIR_PROTOCOLS_STR, "https");
    return CURLE_OK;
}

// One message by SMTP, the bytes of which are those of waymark_curl_upload. All text is copied, `to` is not. STARTTLS
// is needed or not used at all: what a server offers decides nothing. Reasons are written into `reason`,
// CURL_ERROR_SIZE bytes; `owner` is asked now and then whether to stop.
static inline CURLcode waymark_curl_mail(
    CURL *easy, void *owner, const char *url, const char *from, struct curl_slist *to, long needs_tls, char *reason,
    curl_xferinfo_callback progress) {
    WAYMARK_SET(CURLOPT_NOSIGNAL, 1L);
    WAYMARK_SET(CURLOPT_QUICK_EXIT, 1L);
    WAYMARK_SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    WAYMARK_SET(CURLOPT_PROXY, "");
    WAYMARK_SET(CURLOPT_URL, url);
    WAYMARK_SET(CURLOPT_MAIL_FROM, from);
    WAYMARK_SET(CURLOPT_MAIL_RCPT, to);
    WAYMARK_SET(CURLOPT_USE_SSL, needs_tls ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_NONE);
    WAYMARK_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    WAYMARK_SET(CURLOPT_SSL_VERIFYPEER, 1L);
    WAYMARK_SET(CURLOPT_SSL_VERIFYHOST, 2L);
    WAYMARK_SET(CURLOPT_ERRORBUFFER, reason);
    WAYMARK_SET(CURLOPT_NOPROGRESS, 0L);
    WAYMARK_SET(CURLOPT_XFERINFOFUNCTION, progress);
    WAYMARK_SET(CURLOPT_XFERINFODATA, owner);
    return CURLE_OK;
}

// How long all of it, finding and reaching the server, and each of its replies may take.
static inline CURLcode waymark_curl_mail_within(CURL *easy, long all_ms, long connect_ms, long reply_s) {
    WAYMARK_SET(CURLOPT_TIMEOUT_MS, all_ms);
    WAYMARK_SET(CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
    WAYMARK_SET(CURLOPT_FTP_RESPONSE_TIMEOUT, reply_s);
    return CURLE_OK;
}

// The authorities that are believed instead of the system's.
static inline CURLcode waymark_curl_authority(CURL *easy, const char *file) {
    WAYMARK_SET(CURLOPT_CAINFO, file);
    WAYMARK_SET(CURLOPT_CAPATH, NULL);
    return CURLE_OK;
}

static inline CURLcode waymark_curl_log_in(CURL *easy, const char *user, const char *password) {
    WAYMARK_SET(CURLOPT_USERNAME, user);
    WAYMARK_SET(CURLOPT_PASSWORD, password);
    return CURLE_OK;
}
#undef WAYMARK_SET

// What a callback for the answer's bytes returns so that they come again later, when the transfer goes on.
static inline size_t waymark_curl_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline CURLcode waymark_curl_go_on(CURL *easy) { return curl_easy_pause(easy, CURLPAUSE_CONT); }

// The transfer's owner.
static inline void *waymark_curl_owner(CURL *easy) {
    char *owner = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner);
    return owner;
}

static inline long waymark_curl_status(CURL *easy) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// The next transfer that has ended, with how it went; NULL when there is none.
static inline CURL *waymark_curl_done(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// The peer is not waited for any more: what it still says counts for nothing.
static inline void waymark_curl_hush(CURL *easy) {
    curl_socket_t descriptor = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK && descriptor != CURL_SOCKET_BAD)
        shutdown(descriptor, SHUT_RD);
}

static inline CURLcode waymark_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
#endif
