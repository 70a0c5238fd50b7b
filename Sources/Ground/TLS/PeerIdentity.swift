internal import COpenSSL

/// The identity of a peer, from the verified certificate that it presented.
package final class PeerIdentity: Sendable, CustomStringConvertible {
    /// The subject's common name; empty when it has none.
    package let commonName: String
    /// The subject's alternative names that are host names.
    package let hosts: [String]
    /// The subject's alternative names that are URIs, such as "spiffe://waymark/gateway".
    package let uris: [String]

    package init(commonName: String, hosts: [String] = [], uris: [String] = []) {
        self.commonName = commonName
        self.hosts = hosts
        self.uris = uris
    }

    /// Its name in a log.
    package var description: String { uris.first ?? hosts.first ?? commonName }

    /// Reads a certificate that has another owner.
    convenience init(certificate: OpaquePointer) {
        let names = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil).map { OpaquePointer($0) }
        defer { unsafe waymark_free_names(names) }
        unsafe self.init(
            commonName: Self.commonName(certificate), hosts: Self.texts(names, GEN_DNS),
            uris: Self.texts(names, GEN_URI))
    }

    private static func commonName(_ certificate: OpaquePointer) -> String {
        let subject = unsafe X509_get_subject_name(certificate)
        let index = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard index >= 0 else { return "" }
        return unsafe text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index))) ?? ""
    }

    private static func texts(_ names: OpaquePointer?, _ kind: Int32) -> [String] {
        guard let names = unsafe names else { return [] }
        return (0..<(unsafe waymark_name_count(names))).compactMap { index in
            unsafe waymark_name_text(names, index, kind).flatMap { unsafe text($0) }
        }
    }

    /// Nil for a text with a zero byte in it, which other programs would take for its end.
    private static func text(_ text: UnsafePointer<ASN1_STRING>?) -> String? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&bytes, text)
        guard count >= 0, let start = unsafe bytes else { return nil }
        defer { unsafe waymark_free_text(start) }
        let buffer = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        return unsafe buffer.contains(0) ? nil : unsafe String(decoding: buffer, as: UTF8.self)
    }
}
