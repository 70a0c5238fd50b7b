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

    private let place: String
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

    /// - Parameters:
    ///   - store: nil where it is opened, as often as it needs.
    ///   - place: where that is, for people.
    init(
        _ store: BackupStore?, at place: String, open: @escaping @Sendable () async throws -> BackupStore,
        passphrase: [UInt8]?,
        follower: LogFollower, blocking: BlockingPool, report: @escaping @Sendable (String?) -> Void,
        _ make: @escaping @Sendable (BackupVault) -> LogShipper
    ) {
        (self.place, self.follower, self.blocking, self.open) = (place, follower, blocking, open)
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

    /// How it goes now.
    package var report: ShippingReport {
        let now = LogFollower.now
        let counts = shipper.withLock { $0 }?.status
        return ShippingReport(
            place: place, isBefore: follower.mode == .before, behind: counts?.behind(now: now) ?? now - begun,
            waitingPages: counts?.waitingPages ?? follower.waitingPages,
            waitingPictures: counts?.waitingPictures ?? 0, isWhole: counts?.isWhole ?? false,
            trouble: counts?.trouble ?? trouble.withLock { $0 }, objects: counts?.objects ?? 0,
            bytes: counts?.bytes ?? 0, failures: counts?.failures ?? 0)
    }
}
