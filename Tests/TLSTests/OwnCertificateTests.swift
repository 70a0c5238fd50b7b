import Glibc
import TLS
import TestTools
import Testing

@Suite("A certificate of a machine's own")
struct OwnCertificateTests {
    private static let hosts = ["localhost", "127.0.0.1", "::1", "a-host.example"]
    private static let now = 1_750_000_000
    private let folder = TemporaryFolder()

    @Test("browsers and our clients that trust it shake hands by each of its names, and by no other")
    func names() throws {
        let file = try folder.write(try OwnCertificate.make(for: Self.hosts, at: Int(time(nil))), to: "own.pem")
        let server = try TLSContext(.server, .init(certificate: file, key: file), for: .web)
        let client = try TLSContext(.client, .init(authorities: file), for: .web)
        for host in Self.hosts { #expect(try SessionPair(client, server, host: host).shakeHands(), "\(host)") }
        for host in ["127.0.0.2", "b-host.example", "Waymark"] {
            #expect(throws: TLSError.self, "\(host)") { try SessionPair(client, server, host: host).shakeHands() }
        }
    }

    @Test("its facts are those that openssl tells: fingerprint, end, key and names")
    func facts() throws {
        let file = try folder.write(try OwnCertificate.make(for: Self.hosts, at: Self.now), to: "own.pem")
        let facts = try CertificateFacts(file: file, for: Self.hosts)
        let told = try OpenSSLProgram.answer(
            ["x509", "-in", file, "-noout", "-fingerprint", "-sha256", "-enddate", "-text"]
        ).text
        #expect(told.contains("sha256 Fingerprint=\(facts.fingerprint)\n"))
        #expect(facts.end == Self.now - 60 + 397 * 86_400)
        // 2025-06-15T15:06:40Z, a minute before, and 397 days.
        #expect(told.contains("notAfter=Jul 17 15:05:40 2026 GMT"))
        for part in [
            "ASN1 OID: prime256v1", "ecdsa-with-SHA256", "CA:FALSE", "TLS Web Server Authentication",
            "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:a-host.example",
        ] { #expect(told.contains(part), "\(part)") }
        #expect(try OpenSSLProgram.answer(["pkey", "-in", file, "-check", "-noout"]).code == 0)
        #expect(facts.namesAll)
        #expect(try !CertificateFacts(file: file, for: Self.hosts + ["10.0.0.1"]).namesAll)
    }

    @Test("no two are alike")
    func unlike() throws {
        let texts = try (0..<2).map { _ in try OwnCertificate.make(for: ["localhost"], at: Self.now) }
        #expect(texts[0] != texts[1])
    }

    @Test("what can't be named is an error, and what is no certificate has no facts")
    func bad() throws {
        #expect(throws: TLSError.self) { try OwnCertificate.make(for: [], at: Self.now) }
        let file = try folder.write("no certificate", to: "none.pem")
        #expect(throws: TLSError.self) { try CertificateFacts(file: file) }
        #expect(throws: TLSError.self) { try CertificateFacts(file: folder.file("missing.pem")) }
    }
}
