import TestTools
import Testing

@testable import Budgets

/// A queue that `#expect` can change.
private final class Queue<Element> {
    var queue: FairQueue<Element>

    init(slots: Int, waiting: Int, maximumOfClient: Int = .max) {
        queue = FairQueue(slots: slots, waiting: waiting, maximumOfClient: maximumOfClient)
    }

    func add(_ element: Element, _ id: UInt64, for sharer: Sharer) -> Bool { queue.add(element, id, for: sharer) }
    func next() -> (element: Element, client: ClientKey)? { queue.next() }
    func end(of client: ClientKey) { queue.end(of: client) }
    func remove(_ id: UInt64, of client: ClientKey) -> Element? { queue.remove(id, of: client) }
}

@Suite("P41 What waits for a slot")
struct FairQueueTests {
    private static func sharer(_ number: Int, _ standing: ClientStanding = .known) -> Sharer {
        Sharer(ClientKey("10.0.0.\(number)"), standing)
    }

    /// Lets all that waits run one after the other.
    private static func order(_ queue: Queue<String>) -> [String] {
        var order: [String] = []
        while let next = queue.next() {
            order.append(next.element)
            queue.end(of: next.client)
        }
        return order
    }

    @Test("comes in its client's turn: however much one has waiting, the first of another waits for one of it")
    func turns() {
        let queue = Queue<String>(slots: 1, waiting: 100)
        for id in 0..<5 { #expect(queue.add("a\(id)", UInt64(id), for: Self.sharer(1))) }
        for (id, name) in ["b0", "b1"].enumerated() { #expect(queue.add(name, UInt64(10 + id), for: Self.sharer(2))) }
        #expect(queue.add("c0", 20, for: Self.sharer(3)))
        #expect(Self.order(queue) == ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"])
        #expect(queue.queue.isEmpty && queue.queue.clients == 0)
    }

    @Test("is refused to the client that fills the queue, never another's first")
    func bounded() {
        let queue = Queue<Int>(slots: 1, waiting: 10)
        let accepted = (0..<100).filter { queue.add($0, UInt64($0), for: Self.sharer(1)) }.count
        #expect(accepted == 5)
        for client in 2...6 { #expect(queue.add(client, UInt64(100 + client), for: Self.sharer(client, .stranger))) }
        #expect(!queue.add(7, 200, for: Self.sharer(7)), "there are ten")
        let strangers = Queue<Int>(slots: 1, waiting: 100)
        #expect((0..<100).filter { strangers.add($0, UInt64($0), for: Self.sharer(1, .stranger)) }.count == 20)
    }

    @Test("leaves slots to others where work takes long, and takes them in turn")
    func kept() {
        let queue = Queue<Int>(slots: 4, waiting: 100, maximumOfClient: 3)
        for id in 0..<10 { #expect(queue.add(id, UInt64(id), for: Self.sharer(1))) }
        let begun = (0..<4).compactMap { _ in queue.next() }
        #expect(begun.count == 3 && !queue.queue.hasNext)
        #expect(queue.add(77, 77, for: Self.sharer(2)))
        #expect(queue.next()?.element == 77)
        queue.end(of: Self.sharer(2).client)
        #expect(!queue.queue.hasNext, "one is free, and the first has three")
        queue.end(of: Self.sharer(1).client)
        #expect(queue.next()?.client == Self.sharer(1).client)
    }

    @Test("is not held any more once it has begun, also while others of its client wait")
    func released() {
        final class Held {}
        let queue = Queue<Held>(slots: 1, waiting: 10)
        weak var held: Held?
        do {
            let first = Held()
            held = first
            #expect(queue.add(first, 0, for: Self.sharer(1)))
        }
        #expect(queue.add(Held(), 1, for: Self.sharer(1)))
        #expect(held != nil)
        if let next = queue.next() { queue.end(of: next.client) }
        #expect(held == nil && queue.queue.count == 1)
    }

    @Test("loses nothing and gives nothing twice, whoever comes, goes and gives up", arguments: 0..<10)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let queue = Queue<UInt64>(slots: 3, waiting: 40)
        var (waiting, running): ([UInt64: Int], [Int]) = ([:], [])
        for id in 0..<5_000 as Range<UInt64> {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let client = Int.random(in: 0..<6, using: &random)
                if queue.add(id, id, for: Self.sharer(client)) { waiting[id] = client }
            case 2:
                if let (id, client) = waiting.randomElement(using: &random) {
                    #expect(queue.remove(id, of: Self.sharer(client).client) == id)
                    waiting[id] = nil
                }
            default:
                if running.count == 3 { queue.end(of: Self.sharer(running.removeFirst()).client) }
                #expect(queue.queue.hasNext == !waiting.isEmpty)
                guard let next = queue.next() else { break }
                let client = waiting.removeValue(forKey: next.element)
                #expect(client.map { Self.sharer($0).client } == next.client)
                running.append(client ?? 0)
            }
            #expect(queue.queue.count == waiting.count)
        }
    }

    @Test("an account is one client wherever it calls from, and the text of an address is that address")
    func keys() {
        #expect(
            ClientKey(account: "a") == ClientKey(account: "a") && ClientKey(account: "a") != ClientKey(account: "b"))
        #expect(ClientKey(account: "a").text == "" && ClientKey.process.text == "")
        for address in ["192.0.2.1", "2001:db8:1:2::1"] {
            #expect(ClientKey(text: ClientKey(address).text) == ClientKey(address))
        }
        #expect(ClientKey(text: "") == .unknown && ClientKey.process != .unknown)
    }
}
