internal import COpenSSL

/// MD5 (RFC 1321), which OpenSSL has. No protection against anyone who means it; stores name what they received by it,
/// and so a body that changed on its way is noticed.
package enum MD5 {
    /// The digest in 32 hexadecimal digits; nil where the system's OpenSSL does without MD5.
    package static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var digest = [UInt8](repeating: 0, count: 16)
        var count = digest.count
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe EVP_Q_digest(nil, "MD5", nil, bytes.baseAddress, bytes.count, &digest, &count)
        }
        guard status == 1, count == digest.count else { return nil }
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
