import PinContracts
import RPC
import Storage
import Stores

extension PinHandler {
    /// Sends what is new at once, and then whenever a pin of the account has changed. Changes of other accounts don't
    /// wake it.
    func watchPins(
        _ request: WatchPinsRequest, _ responses: ResponseWriter<WatchPinsResponse>, _ context: CallContext
    ) async throws {
        let account = try context.account
        var version = Int64(clamping: request.fromVersion)
        var hasMore = false
        try await WatchLoop(store.database.notices, of: account, pace: watchPace).run {
            // When a pin is added or removed, or changes its colour or its name, the watchers are notified at once.
            try await hasUrgentNews(of: account, after: version)
        } _: {
            let delta = try await delta(account, version, isContinued: hasMore, Int(request.wholeAtMost))
            if delta.hasChanges { try await responses.write(WatchPinsResponse(delta)) }
            (version, hasMore) = (delta.version, delta.hasMore)
            return hasMore ? .more : delta.hasChanges ? .paced : .idle
        }
    }

    private func hasUrgentNews(of account: String, after version: Int64) async throws -> Bool {
        try await store.read(.statement) { transaction throws(SQLError) in
            try transaction.hasUrgentNews(of: account, after: version)
        }
    }

    private func delta(
        _ account: String, _ version: Int64, isContinued: Bool, _ wholeAtMost: Int
    ) async throws -> AccountDelta {
        try await store.read { transaction throws(SQLError) in
            try transaction.accountDelta(
                of: account, after: version, isContinued: isContinued, wholeAtMost: wholeAtMost)
        }
    }
}

extension WatchPinsResponse {
    init(_ delta: AccountDelta) {
        self.init(
            pins: delta.pins.map { PinContracts.Pin($0) }, removedIds: delta.removed.map(\.description),
            isWhole: delta.isWhole, crowd: UInt32(clamping: delta.crowd), version: UInt64(clamping: delta.version))
    }
}
