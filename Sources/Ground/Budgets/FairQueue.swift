/// What waits for one of a few slots: a thread, a decoder, the right to run. The one rule of all queues that clients
/// fill. It only decides; its owner starts what it gives.
///
///     waiting   A a a a a a        slots   [A] [A] [ ]
///               B b                         the next is B's, then A's, C's, A's …
///               C c
///
/// Clients take turns, so that however much one has waiting, the first of another waits for at most one of each. The
/// places to wait are divided by `FairShares`, but that a client's first is taken as long as there is any place: who is
/// refused is the one that fills them.
package struct FairQueue<Element> {
    private struct Entry {
        let id: UInt64
        /// Nil from its turn on: what has begun is not held here as well.
        var element: Element?
    }

    /// What one client has waiting, in order of arrival.
    private struct Line {
        var entries: [Entry] = []
        var head = 0

        var count: Int { entries.count - head }

        mutating func removeFirst() -> Element? {
            let element = entries[head].element.take()
            head += 1
            if head >= 64, head * 2 >= entries.count {
                entries.removeFirst(head)
                head = 0
            }
            return element
        }

        mutating func remove(_ id: UInt64) -> Element? {
            guard let index = entries[head...].firstIndex(where: { $0.id == id }) else { return nil }
            return entries.remove(at: index).element
        }
    }

    /// How many run at once.
    package let slots: Int
    /// How many of one client run at once: for work that takes long.
    package var maximumOfClient: Int
    private var shares: FairShares
    private var lines: [ClientKey: Line] = [:]
    /// Those with a line, in the order of their turns.
    private var turns: [ClientKey] = []
    private var running: [ClientKey: Int] = [:]
    private var runningCount = 0

    /// - Parameter waiting: how many may wait, of all clients together.
    package init(slots: Int, waiting: Int, maximumOfClient: Int = .max) {
        self.slots = slots
        self.maximumOfClient = maximumOfClient
        shares = FairShares(limit: waiting)
    }

    /// How many wait.
    package var count: Int { shares.taken }
    package var isEmpty: Bool { shares.taken == 0 }
    /// Clients that have something waiting.
    package var clients: Int { turns.count }

    /// How many a client has waiting.
    package func count(of client: ClientKey) -> Int { lines[client]?.count ?? 0 }

    /// Puts something at the end of its client's line; false when that client may have no more waiting. `id` is the key
    /// for removing it.
    package mutating func add(_ element: Element, _ id: UInt64, for sharer: Sharer) -> Bool {
        let client = sharer.client
        let isFirst = lines[client] == nil
        guard shares.take(1, for: client, isFirst ? .trusted : sharer.standing) else { return false }
        lines[client, default: Line()].entries.append(Entry(id: id, element: element))
        if isFirst { turns.append(client) }
        return true
    }

    /// Whether something may begin.
    package var hasNext: Bool { nextTurn != nil }

    /// What begins next; its slot is taken until `end`.
    package mutating func next() -> (element: Element, client: ClientKey)? {
        guard let turn = nextTurn else { return nil }
        let client = turns.remove(at: turn)
        guard let element = lines[client]?.removeFirst() else { return nil }
        if count(of: client) == 0 { lines[client] = nil } else { turns.append(client) }
        shares.give(1, of: client)
        running[client, default: 0] += 1
        runningCount += 1
        return (element, client)
    }

    /// Something of this client has ended.
    package mutating func end(of client: ClientKey) {
        guard let own = running[client] else { return }
        running[client] = own == 1 ? nil : own - 1
        runningCount -= 1
    }

    /// Takes out what gives up waiting; nil when it doesn't wait.
    package mutating func remove(_ id: UInt64, of client: ClientKey) -> Element? {
        guard let element = lines[client]?.remove(id) else { return nil }
        shares.give(1, of: client)
        if count(of: client) == 0 {
            lines[client] = nil
            turns.removeAll { $0 == client }
        }
        return element
    }

    private var nextTurn: Int? {
        runningCount < slots ? turns.firstIndex { running[$0, default: 0] < maximumOfClient } : nil
    }
}
