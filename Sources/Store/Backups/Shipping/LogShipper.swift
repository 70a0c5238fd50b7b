import EventLoops
package import Storage
internal import Synchronization

/// Stores what is written to a database elsewhere, as long as the service runs: the pages that changed, several times
/// in two seconds, or before each change is acknowledged.
///
/// All shippers of a deployment cut at the same moments, so what is there of all databases at one of them is what they
/// were together. Those that have nothing to store say so while others store something.
package final class LogShipper: Sendable {
    /// Milliseconds between two cuts: with the time that storing takes it is about a second.
    package static let interval: Int64 = 600
    /// How often this is doubled at most.
    private static let maximumDoublings = 4
    /// How long the last cut may take when the service stops.
    private static let lastTime = Duration.seconds(7)
    /// How long it waits then for pictures that rows name already.
    private static let pictureTime = Duration.seconds(4)
    /// What is called a clock that was set back, in milliseconds.
    private static let leap: Int64 = 5_000

    let follower: LogFollower
    let database: String
    let source: String
    let vault: BackupVault
    let keepHours: Int
    let pictures: ShippingPictures?
    let claim: ShippingClaim
    private let beat: String?
    private let report: @Sendable (_ trouble: String?) -> Void
    private let bell = Bell()
    let isStopping = StopFlag()
    let counts = Mutex(ShippingCounts())

    /// - Parameters:
    ///   - database: its path in a data folder: "pins/pins.db".
    ///   - source: of the deployment.
    ///   - blobs: pictures that belong to the database.
    ///   - beat: a file of the deployment that is touched whenever something is stored.
    ///   - keepHours: how far one can go back: hours in which something was stored.
    ///   - report: called when storing begins to fail, with why, and when it succeeds again, with nil.
    package convenience init(
        _ follower: LogFollower, database: String, source: String, vault: BackupVault, blobs: ShippedBlobs?,
        beat: String?, keepHours: Int, report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        self.init(
            follower, database: database, source: source, vault: vault, blobs: blobs, beat: beat, keepHours: keepHours,
            times: ShippingClaim.Times(), report: report)
    }

    init(
        _ follower: LogFollower, database: String, source: String, vault: BackupVault, blobs: ShippedBlobs?,
        beat: String?, keepHours: Int, times: ShippingClaim.Times,
        report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        (self.follower, self.database, self.source, self.vault) = (follower, database, source, vault)
        (self.beat, self.keepHours, self.report) = (beat, keepHours, report)
        pictures = blobs.map { ShippingPictures(blobs: $0, vault: vault) }
        claim = ShippingClaim(
            vault.store, source: source, database: database, home: ShippingClaim.home(follower.path), times: times)
    }

    /// How it goes.
    package var status: ShippingCounts {
        counts.withLock { $0 }.with(waitingPages: follower.waitingPages, pictures: pictures)
    }

    /// Runs until `stop`, or until the task is cancelled.
    package func run() async {
        defer { follower.end() }
        follower.onWait { [bell] in bell.ring() }
        // It ends with this.
        async let _: Void? = pictures?.run()
        async let _: Void = claim.watch(until: isStopping, bell)
        var work = Work(
            state: ShippingState(follower.note) ?? ShippingState(at: LogFollower.now), beat: ShippingBeat(path: beat))
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))
        var random = SystemRandomNumberGenerator()
        while !isStopping.isSet, !Task.isCancelled {
            do {
                if !work.isOpen { try await open(&work) }
                try await turn(&work)
                if counts.withLock({ $0.succeed() }) { report(nil) }
                backoff.reset()
            } catch {
                await fail(error, &work)
                let pause = backoff.next(using: &random)
                // A writer that came meanwhile waits for no longer than it has to.
                if !isStopping.isSet { await pausing(follower.hasWaiting ? .milliseconds(50) : pause) }
            }
        }
        if !Task.isCancelled, !claim.isRefused { await end(work) }
    }

    /// Stores what is left, for some seconds at most, and ends.
    package func stop() {
        isStopping.set()
        bell.ring()
    }

    /// What a run goes on with.
    struct Work: Sendable {
        var state: ShippingState
        /// Whether it was seen what is stored already.
        var isOpen = false
        /// Whether the last object says that the service has stopped: it is to be seen soon that it runs.
        var followsEnd = false
        /// How many pictures were put when the last cut was made: its rows name no others.
        var pictureCount = 0
        /// How long after its moment the last cut was stored, in milliseconds.
        var lasted: Int64 = 0
        /// When it was last looked what is not needed any more, and what of that is still there.
        var pruned: ContinuousClock.Instant?
        var unneeded: [ShippedName] = []
        var beat: ShippingBeat
    }
}

extension LogShipper {
    /// Waits for the next moment, or for a writer that waits, and stores what changed until then.
    private func turn(_ work: inout Work) async throws {
        let count = bell.count
        let step = Self.step(lasting: work.lasted)
        let moment = (LogFollower.now / step + 1) * step
        if follower.mode == .soon { follower.expectCut(at: moment) }
        while !isStopping.isSet, !follower.hasWaiting {
            let left = moment - LogFollower.now
            // A clock that was set back makes it no longer.
            guard left > 0, left <= step else { break }
            await bell.wait(after: count, timeout: .milliseconds(left))
            if bell.count != count { break }
        }
        guard !isStopping.isSet, !Task.isCancelled else { return }
        try await claim.check()
        if follower.isLost || moment + Self.leap < work.state.time { try await begin(&work, after: names()) }
        if follower.hasWaiting {
            try await storeAwaited(&work)
        } else if try await store(&work, at: moment, isWaited: false) == .nothing {
            let isWhole = work.state.lacksPictures && pictures?.isWhole(work.pictureCount) ?? true
            if await work.beat.isTouched(vault.blocking) || isWhole || work.followsEnd {
                try await say(&work, at: moment)
            }
        }
        work.followsEnd = false
        try await prune(&work)
        work.lasted = max(0, LogFollower.now - moment)
    }

    /// Milliseconds between two cuts where one takes so long: those of slow databases meet at each second, fourth, …
    /// line of the grid. Where each took the next line that it can, two might never meet.
    static func step(lasting milliseconds: Int64) -> Int64 {
        var step = Self.interval
        while step < milliseconds, step < Self.interval << Self.maximumDoublings { step *= 2 }
        return step
    }

    /// Stores until that makes a state, and answers the writer that waits.
    private func storeAwaited(_ work: inout Work) async throws {
        var stored = try await store(&work, at: LogFollower.now, isWaited: true)
        while !stored.isState, !isStopping.isSet {
            stored = try await store(&work, at: LogFollower.now, isWaited: true)
        }
        // One that came later has committed what is not in this cut.
        follower.answer(stored.isState ? nil : "the change is here, and its copy not whole: the service is stopping")
    }

    private func fail(_ error: any Error, _ work: inout Work) async {
        follower.answer("the change is here, but its copy is not stored yet: \(error)")
        follower.giveBack()
        if !claim.isHeld { work.isOpen = false }
        if counts.withLock({ $0.fail("\(error)") }) { report("\(error)") }
        // A place that is full is so no more, maybe.
        if !claim.isRefused { try? await prune(&work, after: Self.pruneSoon) }
    }

    /// Nothing is written any more.
    private func end(_ work: Work) async {
        _ = try? await withTimeLimit(Self.lastTime) { [self] in
            var work = work
            if !work.isOpen { try await open(&work) }
            // Another one may have gone on while this one did not run.
            try await claim.check()
            guard !follower.isLost else { return await claim.giveBack() }
            follower.expectNoCut()
            if let pictures { _ = await pictures.wait(for: pictures.putCount, patience: Self.pictureTime) }
            var stored = try await store(&work, at: LogFollower.now, isWaited: false)
            while !stored.isState, work.state.first > 0 {
                stored = try await store(&work, at: LogFollower.now, isWaited: false)
            }
            if work.state.first > 0 { try await say(&work, at: LogFollower.now, isEnd: true) }
            await claim.giveBack()
        }
    }

    private func pausing(_ time: Duration) async { await bell.wait(after: bell.count, timeout: time) }
}
