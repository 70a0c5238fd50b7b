import Budgets
import RPC
import Synchronization
import Wire

/// How many albums are downloaded at once: each takes some memory for as long as its client likes.
final class DownloadPlaces: Sendable {
    /// A place that is taken, until this goes away.
    final class Taken: Sendable {
        private let leave: @Sendable () -> Void

        fileprivate init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    private let most: Int
    private let mostOfClient: Int
    private let taken = Mutex<[ClientKey: Int]>([:])

    init(most: Int = 12, mostOfClient: Int = 3) {
        self.most = most
        self.mostOfClient = mostOfClient
    }

    /// RESOURCE_EXHAUSTED when all are taken, or too many by this client.
    func take(_ client: ClientKey) throws(RPCError) -> Taken {
        let mayEnter = taken.withLock { taken in
            let own = taken[client, default: 0]
            guard own < mostOfClient, taken.values.reduce(0, +) < most else { return false }
            taken[client] = own + 1
            return true
        }
        guard mayEnter else {
            throw RPCError(
                .resourceExhausted,
                "other albums are being downloaded; a client may download \(mostOfClient) at a time",
                details: StatusDetails(retryAfterMs: 5_000))
        }
        return Taken { self.leave(client) }
    }

    private func leave(_ client: ClientKey) {
        taken.withLock { taken in
            let own = taken[client, default: 1] - 1
            taken[client] = own > 0 ? own : nil
        }
    }
}
