internal import COpenSSL
import Glibc

/// What a certificate says of itself, for a person who compares.
package struct CertificateFacts: Sendable, Equatable {
    /// SHA-256 of the certificate, as browsers show it: "AB:CD:…".
    package let fingerprint: String
    /// When it ends, in seconds since 1970.
    package let end: Int
    /// Whether it is good for all hosts that were asked for.
    package let namesAll: Bool

    /// Reads the first certificate of a PEM file. Blocks.
    /// - Parameter hosts: host names and numeric addresses.
    package init(file path: String, for hosts: [String] = []) throws(TLSError) {
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        guard let file = unsafe BIO_new_file(path, "r") else { throw Self.unreadable(path) }
        defer { unsafe BIO_free(file) }
        guard let certificate = unsafe PEM_read_bio_X509(file, nil, nil, nil) else {
            throw Self.unreadable(path)
        }
        defer { unsafe X509_free(certificate) }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        var time = unsafe tm()
        let isRead = unsafe X509_digest(certificate, EVP_sha256(), &digest, &count) == 1
        guard isRead, unsafe ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 else {
            throw Self.unreadable(path)
        }
        fingerprint = digest.prefix(Int(count)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined(separator: ":")
        end = unsafe timegm(&time)
        namesAll = hosts.allSatisfy { host in
            unsafe X509_check_ip_asc(certificate, host, 0) == 1
                || X509_check_host(certificate, host, 0, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT), nil)
                    == 1
        }
    }

    private static func unreadable(_ path: String) -> TLSError {
        .file("\(path) holds no certificate: \(ErrorQueue.drain()?.text ?? "it can't be read")")
    }
}
