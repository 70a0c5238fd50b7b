import Bytes
import EventLoops
import Storage
import Synchronization

/// The stream that is stored: where it goes on, and what comes next.
extension LogShipper {
    /// Pages of a cut at most: 64 MiB.
    private static let maximumPages = 16_384
    /// Objects that are taken up at most.
    private static let maximumLater = 100
    /// How long pages wait for the pictures that their rows name: for no longer, where no one waits for them.
    private static let picturePatience = (soon: Duration.seconds(1), before: Duration.seconds(9))

    /// Gets the right to store it, and looks at what is stored. A stream that is not there, or has a gap, is begun
    /// again.
    func open(_ work: inout Work) async throws {
        try await claim.take { [self] reason in
            counts.withLock { $0.wait(reason) }
            follower.answer("the change is here, but its copy is not stored yet: \(reason)")
        }
        let names = try await names()
        let own = names.filter { $0.stream.isSame(as: work.state.stream) }
        let log = ShippedLog(own)
        let isNewest = names.allSatisfy { $0.stream <= work.state.stream }
        let isThere = work.state.next == 1 || log.objects.contains { $0.mark.isSame(as: work.state.last) }
        if follower.isLost || !isNewest || !isThere || !log.isWhole {
            try await begin(&work, after: names)
        } else if own.contains(where: { $0.number >= work.state.next }) {
            try await takeUp(log.objects(behind: work.state.last), own, &work, names)
        }
        work.isOpen = true
        work.followsEnd = log.objects.last?.isEnd ?? false
        note(work.state)
    }

    /// Goes on behind objects that were stored after what was kept beside the database: the process was killed right
    /// then, or its disk is as it was earlier. Their pages come again, as they are now.
    private func takeUp(
        _ later: [ShippedName], _ own: [ShippedName], _ work: inout Work, _ names: [ShippedName]
    ) async throws {
        let isLine = later.count == own.filter { $0.number >= work.state.next }.count
        guard isLine, later.count <= Self.maximumLater else { return try await begin(&work, after: names) }
        for name in later {
            guard let stored = try await vault.store.objects.get(name.text, limit: ShippedPages.longest),
                let pages = vault.unwrap(stored, as: name.text).flatMap({ ShippedPages(packed: $0) })
            else { return try await begin(&work, after: names) }
            follower.mark(pages.numbers)
            (work.state.next, work.state.last) = (name.number + 1, name.mark)
            work.state.time = max(work.state.time, name.time)
        }
    }

    /// Its name is kept before its first object is stored: a process that is killed in between goes on with it.
    func begin(_ work: inout Work, after names: [ShippedName]) async throws {
        follower.beginAgain()
        work.state = ShippingState(at: LogFollower.now, after: names)
        note(work.state)
        try await keep(work.state)
    }

    private func note(_ state: ShippingState) { counts.withLock { $0.hasState = state.first > 0 } }

    func names() async throws -> [ShippedName] {
        try await vault.store.objects.list(ShippedName.folder(source, database)).compactMap { ShippedName($0.name) }
    }

    /// What came of a cut.
    enum Stored {
        case nothing, part, state

        /// Whether the database can be brought back as it is now.
        var isState: Bool { self != .part }
    }

    /// Stores what changed.
    /// - Parameter isWaited: whether a writer waits for it.
    @discardableResult
    func store(_ work: inout Work, at time: Int64, isWaited: Bool) async throws -> Stored {
        let along = work.state.along(isWaited: isWaited)
        let cut = try await vault.blocking.run { [follower] in
            try follower.cut(along, limit: Self.maximumPages)
        }
        guard let cut else { return .nothing }
        await work.beat.touch(vault.blocking)
        var state = work.state
        work.pictureCount = pictures?.putCount ?? 0
        state.lacksPictures = try await lacksPictures(work.pictureCount, isWaited)
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

    /// Waits a little for pictures: they were stored here before the rows that name them were.
    private func lacksPictures(_ count: Int, _ isWaited: Bool) async throws -> Bool {
        guard let pictures else { return false }
        let isThere = await pictures.wait(
            for: count, patience: isWaited ? Self.picturePatience.before : Self.picturePatience.soon)
        guard isThere || !isWaited else {
            throw BackupError(pictures.trouble ?? "its pictures are still on their way")
        }
        return !pictures.isWhole(count)
    }

    /// Stores that nothing changed, and maybe that the service stops.
    func say(_ work: inout Work, at time: Int64, isEnd: Bool = false) async throws {
        var state = work.state
        state.time = max(time, state.time + 1)
        // What was put since the last cut is named by no row of it.
        state.lacksPictures = pictures.map { !$0.isWhole(work.pictureCount) } ?? false
        try await put(
            ShippedPages(pageBytes: state.pageBytes, pageCount: state.pageCount, numbers: [], bytes: []), &state,
            isState: true, isUnchanged: true, isEnd: isEnd)
        work.state = state
        try await keep(state)
    }

    private func put(
        _ piece: ShippedPages, _ state: inout ShippingState, isState: Bool, isUnchanged: Bool = false,
        isEnd: Bool = false
    ) async throws {
        let (place, first, mode) = (state, isState ? state.first : 0, follower.mode)
        let (name, bytes) = try await vault.blocking.run { [vault, source, database] in
            let packed = piece.packed
            let name = ShippedName(
                source: source, database: database, stream: place.stream, number: place.next, time: place.time,
                first: first, isAwaited: mode == .before, isUnchanged: isUnchanged,
                isEnd: isEnd, lacksPictures: place.lacksPictures,
                mark: vault.mark(of: packed, behind: "\(place.stream) \(place.last) \(place.time)"), before: place.last)
            return (name, vault.wrap(packed, as: name.text))
        }
        try await vault.store.objects.put(name.text, bytes)
        state.next += 1
        state.last = name.mark
        state.bytesSince += bytes.count
        counts.withLock { $0.note(bytes.count, name.time) }
    }

    private func keep(_ state: ShippingState) async throws {
        note(state)
        try await vault.blocking.run { [follower, note = state.note] in follower.keep(note) }
    }
}
