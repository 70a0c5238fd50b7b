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
    /// Milliseconds between two cuts: with the time that storing takes it is about a second.
    package static let interval: Int64 = 800
    /// How much later it is looked whether others store something, in milliseconds.
    private static let patience: Int64 = 80
    /// Pages of a cut at most: 64 MiB.
    private static let maximumPages = 16_384
    /// How long the last cut may take when the service stops.
    private static let lastTime = Duration.seconds(5)
    /// What is called a clock that was set back, in milliseconds.
    private static let leap: Int64 = 5_000

    let follower: LogFollower
    let database: String
    let source: String
    let vault: BackupVault
    let keep: Duration
    private let pictures: ShippingPictures?
    private let beat: String?
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
        counts.withLock { $0 }.with(waitingPages: follower.waitingPages)
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
                if !work.isOpen { try await open(&work) }
                try await turn(&work)
                succeed()
                backoff.reset()
            } catch {
                follower.answer("the change is here, but its copy is not stored yet: \(error)")
                follower.giveBack()
                fail("\(error)")
                let pause = backoff.next(using: &random)
                // A writer that came meanwhile waits for no longer than it has to.
                if !isStopping.isSet { await pausing(follower.hasWaiting ? .milliseconds(50) : pause) }
            }
        }
        guard work.isOpen, !Task.isCancelled else { return }
        _ = try? await withTimeLimit(Self.lastTime) { [work] in
            var work = work
            try await self.store(&work, at: LogFollower.now, isWaited: false)
        }
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
        /// Whether it was, at any time: from then on no other one may have begun a stream.
        var wasOpen = false
        /// When it was last looked what is not needed any more, and what of that is still there.
        var pruned: Int64 = 0
        var unneeded: [ShippedName] = []
        /// Since when pictures that are stored are not here any more.
        var absent: [String: Int64] = [:]
        /// The last change of the file that others touch.
        var beat: Int64 = 0
    }
}

extension LogShipper {
    /// Looks at what is stored of the stream, and stores pictures that are not there. A stream that is not there, or
    /// has a gap, is begun again.
    private func open(_ work: inout Work) async throws {
        let names = try await names()
        try requireNewest(work, names)
        let own = names.filter { $0.stream.isSame(as: work.state.stream) }
        let isNewest = names.allSatisfy { $0.stream <= work.state.stream }
        if follower.isLost || !isNewest || own.isEmpty != (work.state.next == 1) || !ShippedLog(own).isWhole {
            begin(&work, after: names)
        } else if let last = own.map(\.number).max(), last >= work.state.next {
            try await takeUp(own.filter { $0.number >= work.state.next }, &work, names)
        }
        try await pictures?.catchUp()
        (work.isOpen, work.wasOpen) = (true, true)
    }

    /// Goes on behind objects that were stored after what was kept beside the database: the process was killed right
    /// then, or its disk is as it was earlier. Their pages come again, as they are now.
    private func takeUp(_ later: [ShippedName], _ work: inout Work, _ names: [ShippedName]) async throws {
        guard later.count <= 100 else { return begin(&work, after: names) }
        for name in later {
            guard let stored = try await vault.store.objects.get(name.text, limit: ShippedPages.longest),
                let pages = vault.unwrap(stored, as: name.text).flatMap({ ShippedPages(packed: $0) })
            else { return begin(&work, after: names) }
            follower.mark(pages.numbers)
            work.state.next = max(work.state.next, name.number + 1)
            work.state.time = max(work.state.time, name.time)
        }
    }

    private func begin(_ work: inout Work, after names: [ShippedName]) {
        follower.beginAgain()
        work.state = ShippingState(at: LogFollower.now, after: names)
    }

    private func requireNewest(_ work: Work, _ names: [ShippedName]) throws {
        guard work.wasOpen, names.contains(where: { $0.stream > work.state.stream }) else { return }
        throw BackupError(
            "another Waymark of this deployment stores its log at \(vault.store.place): give each a place of its own, and"
                + " start this one again")
    }

    private func names() async throws -> [ShippedName] {
        try await vault.store.objects.list(ShippedName.folder(source, database)).compactMap { ShippedName($0.name) }
    }

    /// Waits for the next moment, or for a writer that waits, and stores what changed until then.
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
        if follower.isLost || moment + Self.leap < work.state.time { begin(&work, after: try await names()) }
        let isWaited = follower.hasWaiting
        if isWaited {
            // Until what is stored makes a state with it.
            var stored = try await store(&work, at: LogFollower.now, isWaited: true)
            while !stored.isState, !isStopping.isSet {
                stored = try await store(&work, at: LogFollower.now, isWaited: true)
            }
            // One that came later has committed what is not in this cut.
            follower.answer(
                stored.isState ? nil : "the change is here, and its copy not whole: the service is stopping")
        } else if try await store(&work, at: moment, isWaited: false) == .nothing, await isBeaten(&work) {
            try await say(&work, at: moment)
        }
        try await prune(&work)
    }

    /// What came of a cut.
    private enum Stored {
        case nothing, part, state

        /// Whether the database can be brought back as it is now.
        var isState: Bool { self != .part }
    }

    /// Stores what changed.
    /// - Parameter isWaited: whether a writer waits for it.
    @discardableResult
    private func store(_ work: inout Work, at time: Int64, isWaited: Bool) async throws -> Stored {
        let along = work.state.along(isWaited: isWaited)
        let cut = try await vault.blocking.run { [follower] in
            try follower.cut(along, limit: Self.maximumPages)
        }
        guard let cut else { return .nothing }
        await touch(&work)
        // They were stored here before the rows that name them were.
        try await pictures?.ship()
        var state = work.state
        state.time = max(time, state.time + 1)
        (state.pageCount, state.pageBytes) = (cut.pageCount, cut.pageBytes)
        state.took(along)
        if state.isRound { state.endRound() }
        let pieces = cut.pieces
        for (index, piece) in pieces.enumerated() {
            try await put(piece, &state, isState: index == pieces.count - 1 && cut.isWhole)
        }
        state.beginRound()
        // Only now: after a failure all of it comes again.
        work.state = state
        try await keep(state)
        return cut.isWhole && state.first > 0 ? .state : .part
    }

    /// Stores that nothing changed.
    private func say(_ work: inout Work, at time: Int64) async throws {
        var state = work.state
        state.time = max(time, state.time + 1)
        try await put(
            ShippedPages(pageBytes: state.pageBytes, pageCount: state.pageCount, numbers: [], bytes: []), &state,
            isState: true)
        work.state = state
        try await keep(state)
    }

    private func put(_ piece: ShippedPages, _ state: inout ShippingState, isState: Bool) async throws {
        let name = ShippedName(
            source: source, database: database, stream: state.stream, number: state.next, time: state.time,
            first: isState ? state.first : 0, isAwaited: follower.mode == .before)
        let bytes = try await vault.blocking.run { [vault] in vault.wrap(piece.packed, as: name.text) }
        try await vault.store.objects.put(name.text, bytes)
        state.next += 1
        state.bytesSince += bytes.count
        counts.withLock { $0.note(bytes.count, state.time) }
    }

    private func keep(_ state: ShippingState) async throws {
        try await vault.blocking.run { [follower, note = state.note] in follower.keep(note) }
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
}

// MARK: What is not needed any more

extension LogShipper {
    private static let pruneEvery: Int64 = 3_600_000
    /// Objects that a turn removes at most: the next one is soon.
    private static let removals = 16

    /// Looks every hour at what is there, and removes some of what is not needed to go back as far as is kept.
    private func prune(_ work: inout Work) async throws {
        for name in work.unneeded.suffix(Self.removals) { try await vault.store.objects.remove(name.text) }
        work.unneeded.removeLast(min(Self.removals, work.unneeded.count))
        guard work.unneeded.isEmpty, work.state.time - work.pruned > Self.pruneEvery else { return }
        work.pruned = work.state.time
        let names = try await names()
        try requireNewest(work, names)
        let limit = work.state.time - Int64(keep.milliseconds)
        work.unneeded = ShippedLog(names).unneeded(before: limit).reversed()
        if !ShippedLog(names.filter { $0.stream.isSame(as: work.state.stream) }).isWhole {
            begin(&work, after: names)
        }
        try await pictures?.sweep(&work.absent, before: limit, now: work.state.time)
    }
}

// MARK: How it goes

extension LogShipper {
    private func succeed() {
        if counts.withLock({ $0.succeed() }) { report(nil) }
    }

    private func fail(_ trouble: String) {
        if counts.withLock({ $0.fail(trouble) }) { report(trouble) }
    }
}
