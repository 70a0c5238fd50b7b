internal import Synchronization

/// What memory is held for.
package enum MemoryKind: Int, Sendable, CaseIterable {
    case connections, calls, answers, bodies, streams, uploads, imports, caches
}

/// The memory that clients may make a process hold, in bytes: one number for everything they fill, divided among them
/// by `FairShares`. What the process needs for itself is not included.
package final class MemoryBudget: Sendable {
    private struct State {
        var shares: FairShares
        var kinds = [Int](repeating: 0, count: MemoryKind.allCases.count)
        var refused = 0
        var most = 0
    }

    /// How much of it is used.
    package struct Usage: Sendable {
        /// Bytes that may be held.
        package let limit: Int
        /// Bytes that are held.
        package let held: Int
        /// The most bytes that were held since the process started.
        package let most: Int
        /// The same as `held` by what it is held for.
        package let kinds: [(kind: MemoryKind, bytes: Int)]
        /// How often memory was refused since the process started.
        package let refused: Int
        /// Clients that hold some.
        package let clients: Int
    }

    /// Bytes that may be held.
    package let limit: Int
    private let state: Mutex<State>

    /// - Parameter bytes: what may be held, 1 MiB and more.
    package init(bytes: Int) {
        limit = bytes
        state = Mutex(State(shares: FairShares(limit: bytes)))
    }

    /// What is held now.
    package var usage: Usage {
        state.withLock { state in
            Usage(
                limit: limit, held: state.shares.taken, most: state.most,
                kinds: MemoryKind.allCases.map { ($0, state.kinds[$0.rawValue]) }, refused: state.refused,
                clients: state.shares.clients)
        }
    }

    func take(_ bytes: Int, _ kind: MemoryKind, for client: ClientKey, _ standing: ClientStanding) -> Bool {
        state.withLock { state in
            guard state.shares.take(bytes, for: client, standing) else { return false }
            state.kinds[kind.rawValue] += bytes
            state.most = max(state.most, state.shares.taken)
            return true
        }
    }

    /// Memory was asked for and refused.
    func refuse() { state.withLock { $0.refused += 1 } }

    func give(_ bytes: Int, _ kind: MemoryKind, of client: ClientKey) {
        state.withLock { state in
            state.shares.give(bytes, of: client)
            state.kinds[kind.rawValue] -= bytes
        }
    }
}
