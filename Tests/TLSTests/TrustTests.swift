import TLS
import TestTools
import Testing

@Suite("Who is trusted in TLS")
struct TrustTests {
    private let certificates: TestCertificates

    init() throws { certificates = try TestCertificates.shared.get() }

    /// How a handshake ends: nil when it goes well.
    private func failure(
        client: TLSContext.Files, server: TLSContext.Files, host: String = "localhost"
    ) throws -> TLSError? {
        let pair = try SessionPair(TLSContext(.client, client), TLSContext(.server, server), host: host)
        do {
            #expect(try pair.shakeHands())
            return nil
        } catch let error as TLSError {
            return error
        }
    }

    private var trusting: TLSContext.Files { .init(authorities: certificates.authority) }

    @Test("is a server by its name and by its addresses", arguments: ["localhost", "127.0.0.1", "::1"])
    func names(host: String) throws {
        #expect(try failure(client: trusting, server: .init(certificates.server), host: host) == nil)
    }

    @Test("is no server of another name or address", arguments: ["localhost.example", "127.0.0.2", "::2", "server"])
    func otherName(host: String) throws {
        let error = try #require(try failure(client: trusting, server: .init(certificates.server), host: host))
        #expect(
            ["its certificate is refused: hostname mismatch", "its certificate is refused: IP address mismatch"]
                .contains(error.description))
    }

    @Test("is no server of an authority that the client does not know")
    func otherAuthority() throws {
        let error = try failure(client: trusting, server: .init(certificates.stranger))
        #expect(error?.description.hasPrefix("its certificate is refused: self-signed certificate") == true)
    }

    @Test("is no server whose time is over")
    func expired() throws {
        let error = try failure(client: trusting, server: .init(certificates.expired))
        #expect(error == .certificate("certificate has expired"))
    }

    @Test("is no client without a certificate where one is needed")
    func missing() throws {
        let server = TLSContext.Files(certificates.server, authorities: certificates.authority)
        #expect(try failure(client: trusting, server: server) == .noCertificate)
    }

    @Test("is no client with a certificate of somebody else's")
    func strangeClient() throws {
        let server = TLSContext.Files(certificates.server, authorities: certificates.authority)
        let client = TLSContext.Files(certificates.stranger, authorities: certificates.authority)
        let error = try failure(client: client, server: server)
        #expect(error?.description.hasPrefix("its certificate is refused: self-signed certificate") == true)
    }

    @Test("is any server, by a client without authorities")
    func unchecked() throws {
        #expect(try failure(client: .init(), server: .init(certificates.stranger), host: "elsewhere") == nil)
    }

    @Test("is by files that were read when the session was made: a reload changes the next one")
    func reload() throws {
        let folder = TemporaryFolder()
        let files = TLSContext.Files(.init(certificate: folder.file("c"), key: folder.file("k")))
        func put(_ pair: TestCertificates.Pair) throws {
            try folder.write(WholeFile.text(pair.certificate), to: "c")
            try folder.write(WholeFile.text(pair.key), to: "k")
        }
        func isTrusted(_ server: TLSContext) throws -> Bool {
            let pair = try SessionPair(TLSContext(.client, trusting), server)
            return (try? pair.shakeHands()) == true
        }
        try put(certificates.stranger)
        let server = try TLSContext(.server, files)
        #expect(try !isTrusted(server))
        try put(certificates.server)
        #expect(try !isTrusted(server), "nobody has said that the files are new")
        try TLSContext.reload([server])
        #expect(try isTrusted(server))
        try folder.write("broken", to: "k")
        #expect(throws: TLSError.self) { try TLSContext.reload([server]) }
        #expect(try isTrusted(server), "what can't be used changes nothing")
        try put(certificates.stranger)
        let authority = try folder.write(WholeFile.text(certificates.authority), to: "a")
        let client = try TLSContext(.client, .init(authorities: authority))
        try folder.write("broken", to: "a")
        #expect(throws: TLSError.self) { try TLSContext.reload([server, client]) }
        #expect(try isTrusted(server), "nor does it where another's files could be used")
    }

    @Test("is nobody by a file that can't be used, and the error names it and why")
    func files() throws {
        let folder = TemporaryFolder()
        let text = try folder.write("no PEM", to: "text")
        let (good, absent) = (certificates.server, folder.file("absent"))
        let broken: [(TLSContext.Files, String)] = [
            (
                .init(.init(certificate: absent, key: good.key)),
                "\(absent) can't be used for the TLS certificate: No such"
            ),
            (.init(.init(certificate: text, key: good.key)), "\(text) can't be used for the TLS certificate: no start"),
            (.init(.init(certificate: good.certificate, key: text)), "\(text) can't be used for the TLS key: "),
            (
                .init(.init(certificate: good.certificate, key: certificates.client.key)),
                "\(certificates.client.key) can't be used for the TLS key: key values mismatch"
            ),
            (.init(good, authorities: text), "\(text) can't be used for the TLS authorities: "),
            (.init(good, authorities: absent), "\(absent) can't be used for the TLS authorities: "),
        ]
        for (files, sentence) in broken {
            let error = #expect(throws: TLSError.self) { _ = try TLSContext(.server, files) }
            #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
        }
    }
}

extension TLSContext.Files {
    init(_ pair: TestCertificates.Pair, authorities: String? = nil) {
        self.init(certificate: pair.certificate, key: pair.key, authorities: authorities)
    }
}
