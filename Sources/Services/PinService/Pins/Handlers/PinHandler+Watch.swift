import PinContracts
import RPC
import Storage
import Stores

extension PinHandler {
    /// Sends what is new at once, and then whenever the pin has changed.
    func watchPin(
        _ request: WatchPinRequest, _ responses: ResponseWriter<WatchPinResponse>, _ context: CallContext
    ) async throws {
        let (account, id) = (try context.account, try PinID(request: request.id))
        var version = Int64(clamping: request.fromVersion)
        var sent: Pin?
        if context.opensPins, try await pin(id, account)?.isUnsearched ?? false { _ = try await open(id, account) }
        try await WatchLoop(store.database.notices, of: PinStore.subject(of: id, account), pace: watchPace).run {
            // When a pin changes its colour or its name its watchers are notified at once.
            let pin = try await pin(id, account)
            return pin?.state != sent?.state || pin?.name != sent?.name
        } _: {
            guard let delta = try await delta(id, account, version) else {
                guard sent != nil else { throw PinError.notFound(id) }
                try await responses.write(WatchPinResponse(deleted: true, version: UInt64(clamping: version)))
                return .end
            }
            let isNew = delta.version != version
            if isNew { try await responses.write(WatchPinResponse(delta)) }
            (version, sent) = (delta.version, delta.pin)
            return isNew ? delta.hasMore ? .more : .paced : .idle
        }
    }

    private func pin(_ id: PinID, _ account: String) async throws -> Pin? {
        try await store.read(.statement) { transaction throws(SQLError) in try transaction.pin(id, of: account) }
    }

    private func delta(_ id: PinID, _ account: String, _ version: Int64) async throws -> PinDelta? {
        try await store.read { transaction throws(SQLError) in
            try transaction.delta(of: id, account: account, after: version)
        }
    }
}

extension WatchPinResponse {
    init(_ delta: PinDelta) {
        self.init(
            pin: PinContracts.Pin(delta.pin, isWhole: true), places: delta.places.map { PinPlace($0) },
            version: UInt64(clamping: delta.version))
    }
}
