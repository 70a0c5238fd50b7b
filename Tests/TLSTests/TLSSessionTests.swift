import TLS
import TestTools
import Testing

@Suite("A TLS session")
struct TLSSessionTests {
    private let certificates: TestCertificates
    private let server: TLSContext
    private let client: TLSContext

    init() throws {
        certificates = try TestCertificates.shared.get()
        server = try TLSContext(.server, .init(certificates.server, authorities: certificates.authority))
        client = try TLSContext(.client, .init(certificates.client, authorities: certificates.authority))
    }

    @Test("shakes hands and talks however the bytes arrive", arguments: [1, 2, 5, 6, 100, .max])
    func split(size: Int) throws {
        let pair = try SessionPair(client, server)
        #expect(try pair.shakeHands(inPiecesOf: size))
        let question = [UInt8](repeating: 7, count: 100_000)
        try pair.client.say(question)
        var heard: [UInt8] = []
        try SessionPair.carry(from: pair.client, to: pair.server, inPiecesOf: max(size, 100)) {
            heard += try $0.heard()
        }
        #expect(heard == question)
        try pair.server.say([1, 2, 3])
        try SessionPair.carry(from: pair.server, to: pair.client, inPiecesOf: size) { heard += try $0.heard() }
        #expect(heard.suffix(3) == [1, 2, 3])
    }

    @Test("keeps what was said right behind the handshake")
    func early() throws {
        let pair = try SessionPair(client, server)
        #expect(try !pair.client.shakeHands())
        try SessionPair.carry(from: pair.client, to: pair.server)
        #expect(try !pair.server.shakeHands())
        try SessionPair.carry(from: pair.server, to: pair.client)
        #expect(try pair.client.shakeHands())
        try pair.client.say([1, 2, 3])
        try SessionPair.carry(from: pair.client, to: pair.server)
        #expect(try pair.server.shakeHands())
        #expect(pair.server.hasUnread)
        #expect(try pair.server.heard() == [1, 2, 3])
        #expect(!pair.server.hasUnread)
    }

    @Test("tells who the peer is, by all its names")
    func peer() throws {
        let pair = try SessionPair(client, server)
        #expect(try pair.shakeHands())
        let peer = try #require(pair.server.peer)
        #expect(peer.commonName == "client")
        #expect(peer.hosts == ["localhost"])
        #expect(peer.uris == ["spiffe://waymark.test/client"])
        #expect(pair.client.peer?.commonName == "server")
    }

    @Test("says when the peer has ended it")
    func end() throws {
        let pair = try SessionPair(client, server)
        #expect(try pair.shakeHands())
        try pair.client.say([1])
        pair.client.end()
        try SessionPair.carry(from: pair.client, to: pair.server)
        #expect(try pair.server.heard() == [1])
        // Whoever has heard something asks again.
        #expect(try pair.server.heard() == [])
        #expect(pair.server.hasEnded)
    }

    @Test("takes no byte that was changed on the way")
    func tampered() throws {
        let pair = try SessionPair(client, server)
        #expect(try pair.shakeHands())
        try pair.client.say([1, 2, 3])
        var bytes = SessionPair.output(of: pair.client)
        bytes[bytes.count - 1] ^= 1
        unsafe bytes.withUnsafeBytes { unsafe pair.server.receive($0) }
        let error = #expect(throws: TLSError.self) { _ = try pair.server.heard() }
        #expect(error?.description.hasPrefix("TLS failed: ") == true)
    }

    @Test("refuses a peer that speaks plain text, from its first byte", arguments: [0x00, 0x47, 0xff] as [UInt8])
    func plainText(byte: UInt8) throws {
        for context in [client, server] {
            let session = try context.session(with: "localhost")
            unsafe [byte].withUnsafeBytes { unsafe session.receive($0) }
            #expect(throws: TLSError.plainText) { _ = try session.shakeHands() }
        }
    }

    @Test("refuses random records without a trap")
    func garbage() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let session = try server.session()
            let count = Int.random(in: 1...300, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes.replaceSubrange(0..<min(3, count), with: [22, 3, 1][..<min(3, count)])
            unsafe bytes.withUnsafeBytes { unsafe session.receive($0) }
            let isDone = try? session.shakeHands()
            #expect(isDone != true)
        }
    }
}
