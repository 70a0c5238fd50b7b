// OpenSSL: TLS. The functions here are macros of its own, which do not reach Swift.
#ifndef WAYMARK_COPENSSL_H
#define WAYMARK_COPENSSL_H
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int waymark_tls13_only(SSL_CTX *context) {
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
}

// Idle sessions give their buffers back; the bytes of a write that is tried again may lie elsewhere.
static inline void waymark_set_usual_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int waymark_name_server(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline void waymark_ask_again(BIO *bio) { BIO_set_retry_read(bio); }
static inline void waymark_ask_no_more(BIO *bio) { BIO_clear_retry_flags(bio); }

// The errno in an error that the system caused, else 0.
static inline int waymark_error_errno(unsigned long error) {
    return ERR_SYSTEM_ERROR(error) ? ERR_GET_REASON(error) : 0;
}

// The text of one of a certificate's other names; NULL when it is not of the kind asked for.
static inline const ASN1_STRING *waymark_name_text(const GENERAL_NAMES *names, int index, int kind) {
    int found = 0;
    const ASN1_STRING *text = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &found);
    return found == kind ? text : NULL;
}
static inline int waymark_name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline void waymark_free_names(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }
static inline void waymark_free_text(unsigned char *text) { OPENSSL_free(text); }

// What browsers speak: TLS 1.2 with forward secrecy and authenticated encryption, or newer; no renegotiation.
static inline int waymark_tls_for_browsers(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)
        && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

static inline EVP_PKEY *waymark_new_p256_key(void) { return EVP_EC_gen("P-256"); }

// Adds what the text says, as in OpenSSL's settings, to a certificate that is its own authority.
static inline int waymark_add_extension(X509 *certificate, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int added = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

static inline long waymark_memory_of(BIO *bio, char **start) { return BIO_get_mem_data(bio, start); }
#endif
