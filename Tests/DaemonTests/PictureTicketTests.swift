import Bytes
import Contracts
import TestSupport
import RPC
import Testing
import Wire

@testable import Daemon

@Suite("P22 Tickets for pictures")
struct PictureTicketTests {
    private static let day: Int64 = 86_400_000
    private let clock = ManualClock(1_700_000_000_000)
    private let source: [UInt8] = Array(1...8)

    private func key(_ first: UInt8 = 0) throws -> DeploymentKey {
        try #require(DeploymentKey(bytes: [first] + Array(1..<32)))
    }

    private func tickets(_ first: UInt8 = 0) throws -> PictureTickets {
        PictureTickets(try key(first), clock: clock.clock)
    }

    private func text(_ url: String) -> Substring { url.dropFirst(PictureTickets.path.count) }

    @Test("say which picture they are for, in a relative URL of few characters")
    func roundTrip() throws {
        let url = try tickets().url(of: "folder/a b/ö.jpg", .large, source: source)
        #expect(url.hasPrefix("/pictures/"))
        #expect(
            text(url).utf8.allSatisfy {
                UInt8(ascii: ".") == $0 || Base64URL.decode("AAA\(Character(.init($0)))") != nil
            })
        #expect(url.utf8.count < 120)
        let ticket = try #require(try tickets().check(text(url)))
        #expect(ticket.photoId == "folder/a b/ö.jpg")
        #expect(ticket.size == .large)
        #expect(ticket.source == source)
        let longest = "folder/" + String(repeating: "x", count: 1_050)
        #expect(try tickets().check(text(try tickets().url(of: longest, .thumbnail, source: source))) != nil)
    }

    @Test("stay the same for a day, and are valid for one to two")
    func expiry() throws {
        let tickets = try tickets()
        let midnight = clock.now / Self.day * Self.day
        clock.move(by: midnight - clock.now)
        let url = tickets.url(of: "folder/a", .thumbnail, source: source)
        clock.move(by: Self.day - 1)
        #expect(tickets.url(of: "folder/a", .thumbnail, source: source) == url)
        clock.move(by: 1)
        #expect(tickets.url(of: "folder/a", .thumbnail, source: source) != url)
        clock.move(by: Self.day - 1)
        #expect(tickets.check(text(url)) != nil)
        clock.move(by: 1)
        #expect(tickets.check(text(url)) == nil)
    }

    @Test("begin the same for a picture on each day, and otherwise for another one: the map keeps pictures under that")
    func beginning() throws {
        let tickets = try tickets()
        func beginning(_ id: String, _ size: PictureSize, _ source: [UInt8]) -> Substring {
            text(tickets.url(of: id, size, source: source)).prefix { $0 != "." }.dropLast(9)
        }
        for id in ["folder/a", "folder/ab", "folder/abc"] {
            let first = beginning(id, .small, source)
            #expect(first != beginning(id, .thumbnail, source) && first != beginning(id, .small, Array(2...9)))
            clock.move(by: 40 * Self.day)
            #expect(beginning(id, .small, source) == first)
        }
    }

    @Test("are others for another picture")
    func others() throws {
        let tickets = try tickets()
        let urls = [
            tickets.url(of: "folder/a", .thumbnail, source: source),
            tickets.url(of: "folder/a", .large, source: source),
            tickets.url(of: "folder/b", .thumbnail, source: source),
            tickets.url(of: "folder/a", .thumbnail, source: [1]),
        ]
        #expect(Set(urls).count == urls.count)
    }

    @Test("that somebody else made, or changed in any place, are none")
    func forged() throws {
        let tickets = try tickets()
        let good = Array(text(tickets.url(of: "folder/a", .thumbnail, source: source)).utf8)
        #expect(try self.tickets(9).check(String(decoding: good, as: UTF8.self)[...]) == nil)
        for index in good.indices {
            for byte in [UInt8(ascii: "A"), UInt8(ascii: "."), good[index] ^ 1] where byte != good[index] {
                var bad = good
                bad[index] = byte
                #expect(tickets.check(String(decoding: bad, as: UTF8.self)[...]) == nil)
            }
            #expect(tickets.check(String(decoding: good[..<index], as: UTF8.self)[...]) == nil)
        }
    }

    @Test(
        "are not found in any other text",
        arguments: [
            "", ".", "..", "a.b.c", "AAAA", "AAAA.", ".AAAA", "ä.ö", String(repeating: "A", count: 5_000) + ".AAAA",
            String(repeating: ".", count: 2_000), "\0.\0",
        ])
    func junk(text: String) throws {
        #expect(try tickets().check(text[...]) == nil)
    }

    @Test("are not made of a signed identity, nor an identity of one")
    func identities() throws {
        let signed = IdentitySigner(try key(), clock: clock.clock).sign(.account("local", .ofAccounts))
        for length in [16, 32] {
            let text =
                "\(Base64URL.encode(signed.identity)).\(Base64URL.encode(Array(signed.signature.prefix(length))))"
            #expect(try tickets().check(text[...]) == nil)
        }
        let parts = text(try tickets().url(of: "folder/a", .large, source: source)).split(separator: ".")
        let bytes = try parts.map { try #require(Base64URL.decode(String($0))) }
        #expect(try key().verify(bytes[1], of: bytes[0]) == false)
    }
}
