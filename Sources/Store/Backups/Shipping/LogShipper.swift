internal import Bytes
import EventLoops
internal import Files
internal import Glibc
package import Storage
internal import Synchronization

/// Stores what is written to a database elsewhere, as long as the service runs: the pages that changed, several times
/// in two seconds, or before each change is acknowledged.
///
/// All shippers of a deployment cut at the same moments, so what is there of all databases at one of them is what they
/// were together. Those that have nothing to store say so while others store something.
package final class LogShipper: Sendable {
    /// Milliseconds between two cuts: with the time that storing takes it is a second.
    package static let interval: Int64 = 800
    /// How much later it is looked whether others store something.
    private static let patience: Int64 = 80
    /// Pages of a cut at most: 64 MiB.
    private static let maximumPages = 16_384
    /// How long the last cut may take when the service stops.
    private static let lastTime = Duration.seconds(5)
    /// How long a writer waits for its change to be stored.
    private static let storeTime = Duration.seconds(10)
    private static let pruneEvery: Int64 = 3_600_000

    private let follower: LogFollower
    private let database: String
    private let source: String
    private let vault: BackupVault
    private let pictures: ShippingPictures?
    private let beat: String?
    private let keep: Duration
    private let report: @Sendable (_ trouble: String?) -> Void
    private let bell = Bell()
    private let isStopping = StopFlag()
    private let counts = Mutex(ShippingCounts())

    /// - Parameters:
    ///   - database: its path in a data folder: "pins/pins.db".
    ///   - source: of the deployment.
    ///   - blobs: pictures that belong to the database.
    ///   - beat: a file of the deployment that is touched whenever something is stored.
    ///   - keep: how far one can go back.
    ///   - report: called when storing begins to fail, with why, and when it succeeds again, with nil.
    package init(
        _ follower: LogFollower, database: String, source: String, vault: BackupVault, blobs: ShippedBlobs?,
        beat: String?, keep: Duration, report: @escaping @Sendable (_ trouble: String?) -> Void
    ) {
        (self.follower, self.database, self.source, self.vault) = (follower, database, source, vault)
        (self.beat, self.keep, self.report) = (beat, keep, report)
        pictures = blobs.map { ShippingPictures(blobs: $0, vault: vault) }
    }

    /// How it goes.
    package var status: ShippingCounts {
        var counts = counts.withLock { $0 }
        counts.waitingPages = follower.waitingPages
        return counts
    }

    /// Runs until `stop`, or until the task is cancelled.
    package func run() async {
        defer { follower.end() }
        follower.onWait { [bell] in bell.ring() }
        var work = Work(state: ShippingState(follower.note) ?? ShippingState(at: LogFollower.now))
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))
        var random = SystemRandomNumberGenerator()
        while !isStopping.isSet, !Task.isCancelled {
            do {
                do {
                    if !work.isOpen { try await open(&work) }
                    try await turn(&work)
                } catch {
                    follower.answer("the change is here, but its copy is not stored yet: \(error)")
                    throw error
                }
                succeed()
                backoff.reset()
            } catch {
                follower.giveBack()
                fail("\(error)")
                let pause = backoff.next(using: &random)
                // A writer that came meanwhile waits for no longer than it has to.
                await pausing(follower.hasWaiting ? .milliseconds(50) : pause)
            }
        }
        guard !Task.isCancelled else { return }
        _ = try? await withTimeLimit(Self.lastTime) { [work] in
            var work = work
            if work.isOpen { try await self.store(&work, at: LogFollower.now, isSaid: false) }
        }
    }

    /// Stores what is left, for some seconds at most, and ends.
    package func stop() {
        isStopping.set()
        bell.ring()
    }

    /// What a run goes on with.
    private struct Work: Sendable {
        var state: ShippingState
        /// Whether it was seen what is stored already.
        var isOpen = false
        var pruned: Int64 = 0
        /// The last change of the file that others touch.
        var beat: Int64 = 0
    }
}

extension LogShipper {
    /// Looks at what is stored of the stream. One that is not there, or was begun by another one, is begun again.
    private func open(_ work: inout Work) async throws {
        let names = try await names()
        let own = names.filter { $0.stream.isSame(as: work.state.stream) }
        let isNewest = names.allSatisfy { $0.stream <= work.state.stream }
        if follower.isLost || !isNewest || own.isEmpty != (work.state.next == 1) {
            begin(&work)
        } else {
            // What was kept beside the database may be older.
            work.state.next = max(work.state.next, (own.map(\.number).max() ?? 0) + 1)
            work.state.time = max(work.state.time, own.map(\.time).max() ?? 0)
        }
        work.isOpen = true
        if let pictures { try await pictures.catchUp() }
    }

    private func begin(_ work: inout Work) {
        follower.beginAgain()
        work.state = ShippingState(at: LogFollower.now)
    }

    private func names() async throws -> [ShippedName] {
        try await vault.store.objects.list(ShippedName.folder(source, database)).compactMap { ShippedName($0.name) }
    }

    /// Waits for the next moment and stores what changed until then.
    private func turn(_ work: inout Work) async throws {
        let count = bell.count
        let moment = (LogFollower.now / Self.interval + 1) * Self.interval
        if follower.mode == .soon { follower.expectCut(at: moment) }
        while !isStopping.isSet, !follower.hasWaiting {
            let left = moment - LogFollower.now
            // A clock that was set back makes it no longer.
            guard left > 0, left <= Self.interval else { break }
            await bell.wait(after: count, timeout: .milliseconds(left))
            if bell.count != count { break }
        }
        guard !isStopping.isSet, !Task.isCancelled else { return }
        if follower.isLost { begin(&work) }
        let isWaited = follower.hasWaiting
        let time = isWaited ? LogFollower.now : max(moment, work.state.time + 1)
        let stored = try await store(&work, at: time, isSaid: false, isWaited: isWaited)
        // One that came later has committed what is not in this cut.
        if isWaited { follower.answer(nil) }
        if !stored, !isWaited, await isBeaten(&work) { _ = try await store(&work, at: time, isSaid: true) }
        try await prune(&work)
    }

    /// Stores what changed; false when nothing did.
    /// - Parameters:
    ///   - isSaid: whether it is stored too that nothing did.
    ///   - isWaited: whether a writer waits for it.
    @discardableResult
    private func store(
        _ work: inout Work, at time: Int64, isSaid: Bool, isWaited: Bool = false
    ) async throws -> Bool {
        let along = isWaited ? 0..<0 : work.state.along
        let cut = try await vault.blocking.run { [follower] in
            try follower.cut(along, limit: Self.maximumPages)
        }
        guard cut != nil || isSaid else { return false }
        await touch(&work)
        // They were stored here before the rows that name them were.
        try await pictures?.ship()
        work.state.time = max(time, work.state.time + 1)
        if let cut {
            work.state.pageCount = cut.pageCount
            work.state.took(along)
        }
        let pieces =
            cut?.pieces ?? [ShippedPages(pageBytes: 4_096, pageCount: work.state.pageCount, numbers: [], bytes: [])]
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            let isState = isLast && cut?.isWhole ?? true
            if isLast, work.state.isRound { work.state.endRound() }
            let name = ShippedName(
                source: source, database: database, stream: work.state.stream, number: work.state.next,
                time: work.state.time, first: isState ? work.state.first : 0)
            let bytes = try await vault.blocking.run { [vault] in vault.wrap(piece.packed, as: name.text) }
            try await put(name, bytes, within: isWaited ? Self.storeTime : nil)
            work.state.next += 1
            work.state.bytesSince += bytes.count
            counts.withLock { $0.note(bytes.count, work.state.time) }
        }
        work.state.beginRound(pageBytes: pieces[0].pageBytes)
        try await vault.blocking.run { [follower, note = work.state.note] in follower.keep(note) }
        return true
    }

    private func put(_ name: ShippedName, _ bytes: [UInt8], within limit: Duration?) async throws {
        let objects = vault.store.objects
        guard let limit else { return try await objects.put(name.text, bytes) }
        let done = try await withTimeLimit(limit) {
            try await objects.put(name.text, bytes)
            return true
        }
        if done == nil { throw BackupError("the store at \(vault.store.place) takes longer than \(limit)") }
    }

    /// Says to the shippers of other databases that something is stored. Where that can't be said, it is stored still.
    private func touch(_ work: inout Work) async {
        guard let beat else { return }
        let touched = try? await vault.blocking.run {
            if try !DiskFile.exists(beat) { try DiskFile.create(beat, byteCount: 0) }
            try DiskFile.touch(beat)
            return try DiskFile.status(beat)?.modified ?? 0
        }
        work.beat = touched ?? work.beat
    }

    /// Whether another one has stored something since the last look.
    private func isBeaten(_ work: inout Work) async -> Bool {
        guard let beat else { return false }
        await pausing(.milliseconds(Self.patience))
        let seen = try? await vault.blocking.run { try DiskFile.status(beat)?.modified ?? 0 }
        guard let seen else { return false }
        defer { work.beat = seen }
        return seen != work.beat
    }

    private func pausing(_ time: Duration) async { await bell.wait(after: bell.count, timeout: time) }

    /// Removes what is not needed to go back as far as is kept.
    private func prune(_ work: inout Work) async throws {
        guard work.state.time - work.pruned > Self.pruneEvery else { return }
        work.pruned = work.state.time
        let names = try await names()
        guard names.allSatisfy({ $0.stream <= work.state.stream }) else {
            work.isOpen = false
            throw BackupError(
                "another Waymark of this deployment stores its log at \(vault.store.place): give each a place of its own"
            )
        }
        for name in ShippedLog(names).unneeded(before: work.state.time - Int64(keep.milliseconds)) {
            try await vault.store.objects.remove(name.text)
        }
    }
}

// MARK: How it goes

/// How a shipper is doing.
package struct ShippingCounts: Sendable {
    package fileprivate(set) var objects = 0
    package fileprivate(set) var bytes = 0
    package fileprivate(set) var failures = 0
    /// The last moment that is stored, in milliseconds since 1970; nil before the first.
    package fileprivate(set) var stored: Int64?
    /// Since when storing fails; nil when it does not.
    package fileprivate(set) var failing: Int64?
    /// Why.
    package fileprivate(set) var trouble: String?
    /// Pages that changed and are not stored.
    package fileprivate(set) var waitingPages = 0

    fileprivate mutating func note(_ count: Int, _ time: Int64) {
        objects += 1
        bytes += count
        stored = time
    }

    /// How old the oldest change is that is not stored, in milliseconds.
    package func behind(now: Int64) -> Int64 { failing.map { max(0, now - min($0, stored ?? $0)) } ?? 0 }
}

extension LogShipper {
    private func succeed() {
        let wasFailing = counts.withLock { counts in
            defer { (counts.failing, counts.trouble) = (nil, nil) }
            return counts.failing != nil
        }
        if wasFailing { report(nil) }
    }

    private func fail(_ trouble: String) {
        let isNew = counts.withLock { counts in
            counts.failures += 1
            defer { (counts.failing, counts.trouble) = (counts.failing ?? LogFollower.now, trouble) }
            return counts.failing == nil
        }
        if isNew { report(trouble) }
    }
}
