import Contracts
import EventLoops
import RPC
import Storage

extension PinHandler {
    /// Sends what is new at once, and then whenever a pin of the account has changed. A watch that only waits costs
    /// nothing, and changes of other accounts don't wake it.
    func watchPins(
        _ request: WatchPinsRequest, _ responses: ResponseWriter<WatchPinsResponse>, _ context: CallContext
    ) async throws {
        let account = try context.account
        var version = Int64(clamping: request.fromVersion)
        var hasMore = false
        try await store.database.notices.watching(account) { bell in
            while true {
                let count = bell.count
                try refuseWhenStopping()
                let delta = try await delta(account, version, isContinued: hasMore)
                if delta.hasChanges { try await responses.write(WatchPinsResponse(delta)) }
                (version, hasMore) = (delta.version, delta.hasMore)
                if hasMore { continue }
                if delta.hasChanges { try await debounce(bell, account, version) }
                await bell.wait(after: count)
                try Task.checkCancellation()
            }
        }
    }

    /// Debounces: small changes are collected for a while. When a pin is added, removed or changes its colour the
    /// watchers are notified at once.
    private func debounce(_ bell: Bell, _ account: String, _ version: Int64) async throws {
        let end = ContinuousClock.now + watchPace
        while true {
            let count = bell.count
            let isUrgent = try await store.read { transaction throws(SQLError) in
                try transaction.hasUrgentNews(of: account, after: version)
            }
            let left = end - .now
            guard !isUrgent, left > .zero else { return }
            await bell.wait(after: count, timeout: left)
            try Task.checkCancellation()
        }
    }

    private func delta(_ account: String, _ version: Int64, isContinued: Bool) async throws -> AccountDelta {
        try await store.read { transaction throws(SQLError) in
            try transaction.accountDelta(of: account, after: version, isContinued: isContinued)
        }
    }
}

extension WatchPinsResponse {
    init(_ delta: AccountDelta) {
        self.init(
            pins: delta.pins.map { Contracts.Pin($0) }, removedIds: delta.removed.map(\.description),
            isWhole: delta.isWhole, version: UInt64(clamping: delta.version))
    }
}
