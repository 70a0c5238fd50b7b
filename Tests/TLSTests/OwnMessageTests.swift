import COpenSSL
import TestTools
import Testing

@testable import TLS

/// Ours never send these, but other programs may.
@Suite("Messages of TLS itself between those of the peers")
struct OwnMessageTests {
    private let pair: SessionPair

    /// A server that gives out tickets, each in several records: it has a client's certificate to put in, and its
    /// records are as short as they can be.
    init() throws {
        let certificates = try TestCertificates.shared.get()
        let files = try LoadedFiles(.server, .init(certificates.server, authorities: certificates.authority))
        SSL_CTX_set_num_tickets(files.handle, 2)
        SSL_CTX_ctrl(files.handle, SSL_CTRL_SET_MAX_SEND_FRAGMENT, 512, nil)
        let client = try TLSContext(.client, .init(certificates.client, authorities: certificates.authority))
        pair = SessionPair(client: try client.session(with: "localhost"), server: TLSSession(files, .server))
    }

    @Test("are taken in silently, and writing waits while one is half there")
    func tickets() throws {
        while try !pair.client.shakeHands() {
            try SessionPair.carry(from: pair.client, to: pair.server) { _ = try $0.shakeHands() }
            try SessionPair.carry(from: pair.server, to: pair.client)
        }
        try SessionPair.carry(from: pair.client, to: pair.server)
        #expect(try pair.server.shakeHands())
        var waits = 0
        try SessionPair.carry(from: pair.server, to: pair.client, inPiecesOf: 1) { client in
            let heard = try client.heard()
            #expect(heard.isEmpty)
            let question: [UInt8] = [9]
            let taken = try question.withUnsafeBytes { try client.write($0) }
            #expect(client.waitsForPeer == (taken == 0))
            waits += taken == 0 ? 1 : 0
        }
        #expect(waits > 100, "between the records of a ticket nothing can be written")
        try pair.client.say([10])
        #expect(!pair.client.waitsForPeer)
        try SessionPair.carry(from: pair.client, to: pair.server)
        let heard = try pair.server.heard()
        #expect(heard.last == 10 && heard.dropLast().allSatisfy { $0 == 9 })
    }

    @Test("may change the keys, and are answered with the next write")
    func keys() throws {
        #expect(try pair.shakeHands())
        for round in 0..<5 as Range<UInt8> {
            #expect(SSL_key_update(pair.client.handle, SSL_KEY_UPDATE_REQUESTED) == 1)
            try pair.client.say([round])
            try SessionPair.carry(from: pair.client, to: pair.server, inPiecesOf: 3)
            #expect(try pair.server.heard() == [round])
            try pair.server.say([round, round])
            try SessionPair.carry(from: pair.server, to: pair.client)
            #expect(try pair.client.heard() == [round, round])
        }
    }
}
