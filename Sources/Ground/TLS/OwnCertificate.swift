internal import COpenSSL
import Glibc

/// A certificate that a machine makes for itself: no authority vouches for it.
package enum OwnCertificate {
    /// Browsers refuse what is good for longer.
    package static let days = 397
    /// X.509 counts versions from 0.
    private static let version3 = 2
    private static let serialBytes: Int32 = 16

    /// A new key of the curve P-256 and a certificate of it, in PEM, in one text: good for servers of these names and
    /// addresses, from a minute ago on.
    /// - Parameters:
    ///   - hosts: host names and numeric addresses; at least one.
    ///   - now: seconds since 1970.
    package static func make(for hosts: [String], at now: Int) throws(TLSError) -> String {
        ErrorQueue.clear()
        guard let key = unsafe waymark_new_p256_key(), let certificate = unsafe X509_new() else {
            throw failure
        }
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe X509_free(certificate)
        }
        let from = now - 60
        var isDone = unsafe X509_set_version(certificate, version3) == 1 && setSerial(of: certificate)
        isDone = unsafe isDone && ASN1_TIME_set(X509_getm_notBefore(certificate), from) != nil
        isDone =
            unsafe isDone && ASN1_TIME_set(X509_getm_notAfter(certificate), from + days * 86_400) != nil
        isDone = unsafe isDone && X509_set_pubkey(certificate, key) == 1 && setNames(of: certificate)
        let names = hosts.map { (isAddress($0) ? "IP:" : "DNS:") + $0 }.joined(separator: ",")
        for (kind, value) in [
            (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, names),
        ] { isDone = unsafe isDone && waymark_add_extension(certificate, kind, value) == 1 }
        guard isDone, unsafe X509_sign(certificate, key, EVP_sha256()) > 0,
            let text = unsafe pem(certificate, key)
        else {
            throw failure
        }
        return text
    }

    private static var failure: TLSError {
        .failed(ErrorQueue.drain()?.text ?? "no certificate could be made")
    }

    private static func setSerial(of certificate: OpaquePointer) -> Bool {
        guard let number = unsafe BN_new() else { return false }
        defer { unsafe BN_free(number) }
        return unsafe BN_rand(number, serialBytes * 8 - 1, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1
            && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private static func setNames(of certificate: OpaquePointer) -> Bool {
        guard let name = unsafe X509_get_subject_name(certificate) else { return false }
        return unsafe X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "Waymark", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, name) == 1
    }

    private static func pem(_ certificate: OpaquePointer, _ key: OpaquePointer) -> String? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe PEM_write_bio_X509(memory, certificate) == 1,
            unsafe PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1
        else { return nil }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe waymark_memory_of(memory, &start)
        return unsafe start.map { start in
            unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }

    private static func isAddress(_ host: String) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET, host, &address) == 1
            || inet_pton(AF_INET6, host, &address) == 1
    }
}
