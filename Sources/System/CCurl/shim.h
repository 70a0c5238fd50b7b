// libcurl: HTTP towards others, Debian's libcurl4-openssl-dev.
#ifndef WAYMARK_CCURL_H
#define WAYMARK_CCURL_H
#include <curl/curl.h>

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
#undef WAYMARK_SET
    return CURLE_OK;
}

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

static inline CURLcode waymark_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
#endif
