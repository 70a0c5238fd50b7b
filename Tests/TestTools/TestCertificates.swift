internal import Glibc

/// Certificates that the `openssl` program makes: an authority and what it has signed, in a folder of their own.
package final class TestCertificates: Sendable {
    /// The files of a certificate.
    package struct Pair: Sendable {
        package let certificate: String
        package let key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// What the tests of a process share, until it ends.
    package static let shared: Result<TestCertificates, any Error> = Result {
        atexit { if case .success(let all) = shared { TemporaryFolder.remove(all.folder.path) } }
        return try TestCertificates()
    }

    private let folder: TemporaryFolder
    /// The file of the authority that has signed all but `stranger`.
    package let authority: String
    /// Good for localhost, 127.0.0.1 and ::1.
    package let server: Pair
    /// The same, under a URI of its own.
    package let client: Pair
    /// For another host than this one.
    package let elsewhere: Pair
    /// Was good until yesterday.
    package let expired: Pair
    /// Good for localhost, but signed by nobody whom others know. Its certificate is its own authority.
    package let stranger: Pair

    private static let here = "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"

    init() throws {
        let folder = TemporaryFolder()
        let authority = try Self.authority("Waymark test authority", "ca", in: folder)
        func signed(_ name: String, _ names: String, days: Int = 30) throws -> Pair {
            try Self.pair(name, names, days: days, by: authority, in: folder)
        }
        server = try signed("server", Self.here)
        client = try signed("client", "\(Self.here),URI:spiffe://waymark.test/client")
        elsewhere = try signed("elsewhere", "subjectAltName=DNS:elsewhere.invalid,IP:192.0.2.1")
        expired = try signed("expired", Self.here, days: -1)
        stranger = try Self.authority("Stranger", "stranger", in: folder)
        self.authority = authority.certificate
        self.folder = folder
    }

    private static func authority(_ name: String, _ file: String, in folder: TemporaryFolder) throws -> Pair {
        let pair = Pair(certificate: folder.file("\(file).pem"), key: folder.file("\(file).key"))
        try OpenSSLProgram.run(
            ["req", "-x509", "-days", "30", "-subj", "/CN=\(name)", "-addext", here, "-out", pair.certificate]
                + newKey(pair.key))
        return pair
    }

    private static func pair(
        _ name: String, _ names: String, days: Int, by authority: Pair, in folder: TemporaryFolder
    ) throws -> Pair {
        let pair = Pair(certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"))
        let request = folder.file("\(name).csr")
        try OpenSSLProgram.run(["req", "-subj", "/CN=\(name)", "-addext", names, "-out", request] + newKey(pair.key))
        try OpenSSLProgram.run([
            "x509", "-req", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key, "-days", "\(days)",
            "-copy_extensions", "copy", "-out", pair.certificate,
        ])
        return pair
    }

    private static func newKey(_ path: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path]
    }
}
