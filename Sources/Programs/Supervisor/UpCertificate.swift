import EventLoops
import Files
import Glibc
import TLS

/// What a gateway that `up` starts shows browsers, so that they reach it by https.
package struct UpCertificate: Equatable, Sendable {
    /// PEM files; one file may hold both.
    package let certificate: String
    package let key: String
    /// The SHA-256 of a certificate that was made here, for people who compare; nil for a given one.
    package let fingerprint: String?

    /// A new one is made when it has less time left than this, in seconds.
    private static let leastTime = 30 * 86_400

    /// A given one.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
        fingerprint = nil
    }

    /// One of this machine's own, which is kept for the next start. A new one is made when it ends soon, or is not good
    /// for one of the hosts. Blocks.
    /// - Parameters:
    ///   - hosts: host names and numeric addresses.
    ///   - now: seconds since 1970.
    package init(for hosts: [String], in folder: UpFolder, at now: Int) throws {
        // A folder of its own: the gateway may read what is in it.
        let path = "\(folder.path)/tls/own.pem"
        let kept = try? CertificateFacts(file: path, for: hosts)
        if let kept, kept.namesAll, kept.end - now >= Self.leastTime {
            fingerprint = kept.fingerprint
        } else {
            try DiskFile.makeFolder(DiskFile.folder(of: path))
            // Both in one file, so that they always belong together.
            try DiskFile.replace(path, with: Array(OwnCertificate.make(for: hosts, at: now).utf8))
            fingerprint = try CertificateFacts(file: path).fingerprint
        }
        (certificate, key) = (path, path)
    }

    /// By which names and addresses browsers may come to what listens on `host`.
    /// - Parameter others: more names.
    package static func hosts(listening host: String, _ others: [String] = []) -> [String] {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        let isNamed = unsafe gethostname(&name, name.count) == 0
        let own = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let reached = HostAddresses.isEverywhere(host) ? HostAddresses.ofInterfaces(listening: host) : [host]
        let all = ["localhost", "127.0.0.1", "::1"] + (isNamed ? [own] : []) + reached + others
        // Others are no names that a certificate could have.
        let known = all.filter { !$0.isEmpty && $0.utf8.allSatisfy(isOfName) }
        return known.enumerated().filter { !known[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-.:".utf8.contains(byte)
    }
}
