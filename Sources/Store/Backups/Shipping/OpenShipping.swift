package import Daemon
import EventLoops
import Storage
import Synchronization

/// A service's log on its way to another place, from its start to its end.
package final class OpenShipping: Sendable {
    private static let retry = Duration.seconds(5)
    /// How long a writer waits for its change to be stored.
    private static let patience = Duration.seconds(10)
    /// How long stopping takes at most.
    private static let lastTime = Duration.seconds(8)

    private let follower: LogFollower
    private let store: Mutex<BackupStore?>
    private let open: @Sendable () async throws -> BackupStore
    private let blocking: BlockingPool
    private let bell = Bell()
    private let isStopping = StopFlag()
    private let shipper = Mutex<LogShipper?>(nil)
    private let run = Mutex<Task<Void, Never>?>(nil)
    private let begun = LogFollower.now
    private let trouble = Mutex<String?>(nil)

    /// - Parameter store: nil where it is opened, as often as it needs.
    init(
        _ store: BackupStore?, open: @escaping @Sendable () async throws -> BackupStore, passphrase: [UInt8]?,
        follower: LogFollower, blocking: BlockingPool, report: @escaping @Sendable (String?) -> Void,
        _ make: @escaping @Sendable (BackupVault) -> LogShipper
    ) {
        (self.follower, self.blocking, self.open) = (follower, blocking, open)
        self.store = Mutex(store)
        // From here on writers wait, if they are to.
        follower.onWait { [bell] in bell.ring() }
        let task = Task { [self] in
            async let _: Void = watch()
            guard let vault = await vault(passphrase, report) else { return follower.end() }
            let made = make(vault)
            shipper.withLock { $0 = made }
            if isStopping.isSet { made.stop() }
            await made.run()
            isStopping.set()
            bell.ring()
        }
        run.withLock { $0 = task }
    }

    /// Stores what is left, for some seconds at most. To be called before the database is closed.
    package func stop() async {
        isStopping.set()
        bell.ring()
        shipper.withLock { $0 }?.stop()
        let task = run.withLock { $0 }
        let limit = Task {
            try await Task.sleep(for: Self.lastTime)
            task?.cancel()
        }
        await task?.value
        limit.cancel()
        await store.withLock { $0 }?.close()
        blocking.close()
    }

    /// Lets no writer wait for ever.
    private func watch() async {
        while follower.mode == .before, !isStopping.isSet, !Task.isCancelled {
            follower.answer(after: Self.patience, "the change is here, but its copy is not stored yet: it takes long")
            // Writers ring too.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Opens the place, as often as it needs; nil when the service stops before.
    private func vault(_ passphrase: [UInt8]?, _ report: (String?) -> Void) async -> BackupVault? {
        while !isStopping.isSet {
            let count = bell.count
            do {
                let vault = try await BackupVault.open(opened(), passphrase: passphrase, makesKey: true)
                if say(nil) != nil { report(nil) }
                return vault
            } catch {
                if say("\(error)") == nil { report("\(error)") }
                follower.answer("the change is here, but its copy is not stored yet: \(error)")
            }
            await bell.wait(after: count, timeout: Self.retry)
        }
        return nil
    }

    /// What it said before.
    private func say(_ reason: String?) -> String? {
        trouble.withLock { trouble in
            defer { trouble = reason }
            return trouble
        }
    }

    private func opened() async throws -> BackupStore {
        if let store = store.withLock({ $0 }) { return store }
        let made = try await open()
        store.withLock { $0 = made }
        return made
    }

    /// What those who run the service have to know of it; nil while all is well.
    package var warning: String? {
        let status = shipper.withLock { $0 }?.status
        guard let trouble = status?.trouble ?? trouble.withLock({ $0 }) else {
            let behind = behind
            return behind < Self.late ? nil : "what is written is stored elsewhere \(behind / 1_000) s late"
        }
        return "what is written is not stored elsewhere, and \(behind / 1_000) s behind: \(trouble)"
    }

    /// Milliseconds.
    private static let late: Int64 = 10_000

    private var behind: Int64 {
        let now = LogFollower.now
        return shipper.withLock { $0 }?.status.behind(now: now) ?? now - begun
    }

    /// The metrics of what is stored.
    package var families: [MetricFamily] {
        let status = shipper.withLock { $0 }?.status
        func counter(_ name: String, _ help: String, _ count: Int) -> MetricFamily {
            MetricFamily("waymark_replication_\(name)_total", .counter, help, .count(UInt64(clamping: count)))
        }
        return [
            MetricFamily(
                "waymark_replication_behind_seconds", .gauge,
                "How old the last moment is that is stored elsewhere; 0 while nothing waits to be.",
                .number(Double(behind) / 1_000)),
            MetricFamily(
                "waymark_replication_waiting_pages", .gauge, "Pages that changed and are not stored elsewhere.",
                .count(UInt64(clamping: status?.waitingPages ?? follower.waitingPages))),
            MetricFamily(
                "waymark_replication_waiting_pictures", .gauge, "Pictures that were put and are not stored elsewhere.",
                .count(UInt64(clamping: status?.waitingPictures ?? 0))),
            counter("objects", "Objects of the log that were stored elsewhere.", status?.objects ?? 0),
            counter("bytes", "Bytes of the log that were stored elsewhere.", status?.bytes ?? 0),
            counter("failures", "Tries to store the log elsewhere that failed.", status?.failures ?? 0),
        ]
    }
}
