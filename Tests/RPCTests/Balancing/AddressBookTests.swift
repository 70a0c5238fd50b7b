import EventLoops
import RPC
import Testing

@Suite("P44 The addresses of a name")
struct AddressBookTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private static func addresses(_ ports: some Sequence<UInt16>) throws -> [SocketAddress] {
        try ports.map { try Endpoint(host: "127.0.0.1", port: $0).resolve()[0] }
    }

    @Test("are looked up at once, then every five seconds, give or take a fifth")
    func interval() {
        var book = AddressBook(BalancingRules())
        var random = QuickRandom(seed: 1)
        #expect(book.nextLookup <= Self.start)
        var waits = Set<Duration>()
        for _ in 0..<100 {
            book.lookupStarted(at: Self.start, using: &random)
            let wait = book.nextLookup.since(Self.start)
            #expect(wait >= .seconds(4) && wait <= .seconds(6))
            waits.insert(wait)
        }
        #expect(waits.count > 90)
    }

    @Test("are looked up at once after a failure, but not more than once a second")
    func hurry() {
        var book = AddressBook(BalancingRules())
        var random = QuickRandom(seed: 1)
        book.lookupStarted(at: Self.start, using: &random)
        for _ in 0..<10 { book.hurry(at: Self.start + .milliseconds(10)) }
        #expect(book.nextLookup == Self.start + .seconds(1))
        book.lookupStarted(at: Self.start + .seconds(1), using: &random)
        book.hurry(at: Self.start + .seconds(3))
        #expect(book.nextLookup == Self.start + .seconds(3))
    }

    @Test("stay as they were when a lookup finds none")
    func lastGood() throws {
        var book = AddressBook(BalancingRules())
        let found = try Self.addresses(1...3)
        #expect(book.found(found) == true)
        #expect(book.found([]) == false)
        #expect(book.addresses == found)
    }

    @Test("are the same in another order, and others when one has come or gone")
    func change() throws {
        var book = AddressBook(BalancingRules())
        #expect(try book.found(Self.addresses(1...3)) == true)
        #expect(try book.found(Self.addresses([3, 1, 2])) == false)
        #expect(try book.found(Self.addresses([3, 1, 2, 2])) == false)
        #expect(try book.found(Self.addresses([1, 2])) == true)
        #expect(try book.found(Self.addresses([1, 4])) == true)
        #expect(Set(book.addresses) == Set(try Self.addresses([1, 4])))
    }

    @Test("are used up to a limit, the same ones whatever their order")
    func limit() throws {
        var rules = BalancingRules()
        rules.maximumAddresses = 4
        var book = AddressBook(rules)
        let many = try Self.addresses(1...20)
        #expect(book.found(many) == true)
        #expect(book.addresses.count == 4)
        #expect(book.found(many.reversed()) == false)
    }
}
