import Glibc
import TLS
import TestTools
import Testing

@testable import Supervisor

@Suite("D1 The certificate that up makes")
struct UpCertificateTests {
    private static let day = 86_400
    private static let now = 1_750_000_000
    private let place = TemporaryFolder()

    private var folder: UpFolder { UpFolder(path: "\(place.path)/data") }

    private func fingerprint(_ hosts: [String], after days: Int) throws -> String? {
        try UpCertificate(for: hosts, in: folder, at: Self.now + days * Self.day).fingerprint
    }

    @Test("is kept until it ends within thirty days, or is not good for an address")
    func kept() throws {
        let first = try fingerprint(["localhost", "10.0.0.1"], after: 0)
        #expect(try fingerprint(["localhost", "10.0.0.1"], after: 366) == first)
        #expect(try fingerprint(["localhost"], after: 1) == first, "an address that is gone does no harm")
        let second = try fingerprint(["localhost", "10.0.0.2"], after: 1)
        #expect(second != first)
        #expect(try fingerprint(["localhost", "10.0.0.2"], after: 369) != second)
    }

    @Test("a file that was spoilt is made anew")
    func spoilt() throws {
        let first = try UpCertificate(for: ["localhost"], in: folder, at: Self.now)
        try WholeFile.write(Array("spoilt".utf8), to: first.certificate)
        let second = try UpCertificate(for: ["localhost"], in: folder, at: Self.now)
        #expect(second.fingerprint != nil && second.fingerprint != first.fingerprint)
        _ = try TLSContext(.server, .init(certificate: second.certificate, key: second.key), for: .web)
    }

    @Test("is for this machine by all its names, each once, and for nothing that is no name")
    func hosts() {
        let hosts = UpCertificate.hosts(listening: "10.0.0.9", ["map.example", "10.0.0.9", "a b", "x,DNS:evil", ""])
        #expect(hosts.starts(with: ["localhost", "127.0.0.1", "::1"]))
        #expect(hosts.suffix(2) == ["10.0.0.9", "map.example"])
        #expect(Set(hosts).count == hosts.count)
    }
}
