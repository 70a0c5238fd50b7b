import Contracts
import EventLoops
import RPC
import Storage

extension PinHandler {
    /// Sends what is new at once, and then whenever the pin has changed. A watch that only waits costs nothing.
    func watchPin(
        _ request: WatchPinRequest, _ responses: ResponseWriter<WatchPinResponse>, _ context: CallContext
    ) async throws {
        let (account, id) = (try context.account, try PinID(request: request.id))
        var version = Int64(clamping: request.fromVersion)
        var isKnown = false
        try await store.database.notices.watching(PinStore.subject(of: id, account)) { bell in
            while true {
                let count = bell.count
                try refuseWhenStopping()
                guard let delta = try await delta(id, account, version) else {
                    guard isKnown else { throw PinError.notFound(id) }
                    return try await responses.write(
                        WatchPinResponse(deleted: true, version: UInt64(clamping: version)))
                }
                isKnown = true
                if delta.version != version {
                    try await responses.write(WatchPinResponse(delta))
                    version = delta.version
                    if delta.hasMore { continue }
                    try await debounce(bell, id, account, after: delta.pin.state)
                }
                await bell.wait(after: count)
                try Task.checkCancellation()
            }
        }
    }

    /// Debounces: small changes are collected for a while. When a pin changes its colour its watchers are notified at
    /// once.
    private func debounce(_ bell: Bell, _ id: PinID, _ account: String, after state: PinState) async throws {
        let end = ContinuousClock.now + watchPace
        while true {
            let count = bell.count
            let pin = try await store.read { transaction throws(SQLError) in try transaction.pin(id, of: account) }
            let left = end - .now
            guard pin?.state == state, left > .zero else { return }
            await bell.wait(after: count, timeout: left)
            try Task.checkCancellation()
        }
    }

    private func delta(_ id: PinID, _ account: String, _ version: Int64) async throws -> PinDelta? {
        try await store.read { transaction throws(SQLError) in
            try transaction.delta(of: id, account: account, after: version)
        }
    }

    func refuseWhenStopping() throws(RPCError) {
        if store.database.notices.isClosed { throw RPCError(.unavailable, "the service is stopping; watch again") }
    }
}

extension WatchPinResponse {
    init(_ delta: PinDelta) {
        self.init(
            pin: Contracts.Pin(delta.pin), places: delta.places.map { PinPlace($0) },
            version: UInt64(clamping: delta.version))
    }
}
