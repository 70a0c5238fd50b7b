import TestTools
import Testing

@testable import Budgets

@Suite("P41 what all clients share")
struct FairShareTests {
    private static func client(_ number: Int) -> ClientKey { ClientKey("10.0.\(number >> 8).\(number & 255)") }

    @Test("one client gets half; of several that take all they can, each gets the same and leaves as much free")
    func dividing() {
        for clients in 1...20 {
            var shares = FairShares(limit: 10_000)
            for _ in 0..<10_000 { for client in 0..<clients { _ = shares.take(1, for: Self.client(client), .known) } }
            let fair = 10_000 / (clients + 1)
            for client in 0..<clients { #expect(abs(shares.held(by: Self.client(client)) - fair) <= clients) }
            let isNextGranted = shares.take(fair / 4, for: Self.client(clients), .known)
            #expect(isNextGranted, "the next one to come finds room")
        }
    }

    @Test("a stranger gets a fifth, a service of ours everything")
    func standings() {
        for (standing, most) in [(ClientStanding.stranger, 200), (.known, 500), (.trusted, 1000)] {
            var shares = FairShares(limit: 1000)
            var taken = 0
            while shares.take(1, for: Self.client(1), standing) { taken += 1 }
            #expect(taken == most)
        }
    }

    @Test("never more is taken than there is, whoever takes and gives", arguments: 0..<10)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var shares = FairShares(limit: 5000)
        var held = [Int](repeating: 0, count: 50)
        for _ in 0..<20_000 {
            let client = Int.random(in: 0..<50, using: &random)
            if held[client] > 0, Bool.random(using: &random) {
                let amount = Int.random(in: 0...held[client], using: &random)
                shares.give(amount, of: Self.client(client))
                held[client] -= amount
            } else {
                let amount = Int.random(in: 0...700, using: &random)
                let standing = random.one(of: [ClientStanding.trusted, .known, .stranger])
                if shares.take(amount, for: Self.client(client), standing) { held[client] += amount }
            }
            #expect(shares.taken == held.reduce(0, +) && shares.taken <= 5000)
        }
        for client in held.indices where held[client] > 0 { shares.give(held[client], of: Self.client(client)) }
        #expect(shares.taken == 0 && shares.clients == 0)
    }

    @Test("an absurd amount is refused, and changes nothing", arguments: [Int.max, Int.max / 2, -1])
    func absurd(amount: Int) {
        for standing in [ClientStanding.trusted, .known, .stranger] {
            var shares = FairShares(limit: Int.max)
            let isGranted = shares.take(10, for: Self.client(1), standing)
            if amount > 0 { _ = shares.take(amount, for: Self.client(1), standing) }
            let isNegativeGranted = shares.take(-1, for: Self.client(1), standing)
            #expect(isGranted && !isNegativeGranted && shares.taken >= 10)
        }
    }

    @Test("a client is an IPv4 address however it is written, or 64 bits of IPv6")
    func keys() {
        #expect(ClientKey("10.0.0.1") == ClientKey("::ffff:10.0.0.1"))
        #expect(ClientKey("10.0.0.1") != ClientKey("10.0.0.2"))
        #expect(ClientKey("2001:db8:1:2::1") == ClientKey("2001:db8:1:2:ffff::"))
        #expect(ClientKey("2001:db8:1:2::1") != ClientKey("2001:db8:1:3::1"))
        #expect(ClientKey("::a00:1:0:0:0:0") != ClientKey("10.0.0.1"))
        for text in ["", "x", "10.0.0", "10.0.0.1:80", "[::1]"] { #expect(ClientKey(text) == .unknown) }
    }
}
