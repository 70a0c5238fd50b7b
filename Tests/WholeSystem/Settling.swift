import Contracts
import RPC
import Synchronization

extension SystemUnderTest {
    /// Waits until every pin of the journal is green and its album final, and then until all counters agree: what one
    /// service tells another may still be on its way.
    package func settle(_ journal: Journal) async throws {
        for id in journal.ids {
            guard let entry = journal.pins[id] else { continue }
            let last = Mutex(["nothing was told of it"])
            try await within(Self.patience, { "pin \(id): \(last.withLock { $0 })" }) {
                try await watch(id) { pin in
                    let differences = differences(of: pin, from: entry)
                    last.withLock { $0 = differences }
                    return differences.isEmpty
                }
                while true {
                    let differences = try await countDifferences(of: id, from: entry)
                    if differences.isEmpty { return }
                    last.withLock { $0 = differences }
                    try await pause(.milliseconds(100))
                }
            }
        }
    }

    /// Looks at a pin whenever it has changed, until `isEnough`; a watch that breaks is taken up again.
    private func watch(_ id: String, until isEnough: (Pin) -> Bool) async throws {
        let version = Mutex(UInt64(0))
        try await answered("WatchPin \(id)") { _ in
            let request = WatchPinRequest(id: id, fromVersion: version.withLock { $0 })
            for try await answer in pins.watchPin(request, endless) {
                version.withLock { $0 = answer.version }
                guard !answer.deleted, let pin = answer.pin else { throw RunFailure.lost("pin \(id)") }
                if isEnough(pin) { return }
            }
            throw RPCError(.unavailable, "the watch ended")
        }
    }

    /// Waits until there is no such album any more. It was there: a watch of one that never was would wait for it.
    package func untilGone(_ subject: String) async throws {
        try await within(Self.patience, { "\(subject) is still there" }) {
            try await answered("WatchAlbum \(subject)") { _ in
                let request = WatchAlbumRequest(subject: subject, fromVersion: 1)
                do {
                    for try await answer in albums.watchAlbum(request, endless) where answer.deleted { return }
                } catch let error as RPCError where error.code == .notFound {
                    return
                }
                throw RPCError(.unavailable, "the watch ended")
            }
        }
    }
}
