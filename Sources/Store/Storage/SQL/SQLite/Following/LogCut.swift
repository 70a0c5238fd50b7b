internal import Synchronization

/// Pages of a database as they were at one moment.
package struct LogCut: Sendable {
    package let pageBytes: Int
    /// Pages that the database has.
    package let pageCount: UInt32
    /// In order.
    package let numbers: [UInt32]
    /// Their bytes, one behind the other.
    package let bytes: [UInt8]
    /// Whether these are all that changed since the last cut: with those before them they are the database.
    package let isWhole: Bool
}

extension LogFollower {
    /// Sets the moment of the next cut: what begins to be committed later is not in it. Milliseconds since 1970.
    package func expectCut(at time: Int64) {
        state.withLock { $0.boundary = Boundary(time: time) }
    }

    /// The next cut is of all that is there by then.
    package func expectNoCut() { state.withLock { $0.boundary = nil } }

    /// Reads what changed. Blocks for as long as that takes; writers wait for nothing.
    ///
    /// A read transaction keeps the frames that are read from being overwritten: either it holds a place in the log,
    /// which then can't start over, or all of the log was in the file when it began, and then nothing is copied into
    /// the file before its end. A page is in the log, or else in the file, where nothing newer is copied before the
    /// end of this.
    /// - Parameters:
    ///   - more: pages that are read too, changed or not.
    ///   - limit: how many changed ones at most; the others stay for the next cut.
    /// - Returns: nil when nothing changed and nothing more was asked for. What was cut has to be answered by `keep` or
    ///   `giveBack`.
    package func cut(_ more: Range<UInt32> = 0..<0, limit: Int) throws(SQLError) -> LogCut? {
        try reader.withLock { (reader) throws(SQLError) in
            let open = try opened(&reader)
            if more.isEmpty, try !hasChanged(open) {
                state.withLock { $0.boundary = nil }
                return nil
            }
            try open.run("BEGIN")
            defer {
                _ = try? open.run("ROLLBACK")
                state.withLock { $0.isCutting = false }
            }
            // The transaction begins with what it reads first.
            try open.run("SELECT count(*) FROM sqlite_schema")
            return try read(more, limit, open.files)
        }
    }

    /// The pages of the last cut are copied. What is noted is there at the next start.
    package func keep(_ note: [UInt8]) {
        state.withLock { state in
            state.log?.taken = PageSet()
            state.note = note
        }
        keep()
    }

    /// The pages of the last cut are not copied: they are in the next one again.
    package func giveBack() {
        state.withLock { state in
            guard let taken = state.log?.taken else { return }
            state.log?.changed.formUnion(taken)
            state.log?.taken = PageSet()
        }
    }

    /// Pages that are in the next cut, changed or not.
    package func mark(_ pages: [UInt32]) {
        state.withLock { state in for page in pages { state.log?.changed.insert(page) } }
    }

    /// All is copied from the beginning: what changes from now on is followed.
    package func beginAgain() {
        state.withLock { state in
            state.log?.isLost = false
            state.log?.changed = PageSet()
            state.log?.taken = PageSet()
            state.note = []
        }
    }

    /// Calls `wake` whenever a writer waits for its change to be copied.
    package func onWait(_ wake: @escaping @Sendable () -> Void) { turns.take(wake) }

    /// Whether a writer waits.
    package var hasWaiting: Bool { turns.isWaiting }

    /// Answers a writer that has waited for so long: its change is not stored yet.
    package func answer(after patience: Duration, _ failure: String) {
        turns.answer(after: patience, SQLError(.away, failure))
    }

    /// Answers the writer that waits: its change is copied, or not.
    package func answer(_ failure: String?) { turns.answer(failure.map { SQLError(.away, $0) }) }

    /// No one copies any more: writers that would wait are refused.
    package func end() { turns.close() }

    private func opened(_ reader: inout PlainSQLite?) throws(SQLError) -> PlainSQLite {
        if let reader { return reader }
        let made = try PlainSQLite(path)
        reader = made
        return made
    }

    private func hasChanged(_ reader: PlainSQLite) throws(SQLError) -> Bool {
        // It knows the log from the first time on that it reads.
        try reader.run("PRAGMA schema_version")
        let index = try reader.files.index()
        return state.withLock { state in
            guard let log = state.log else { return false }
            return !log.changed.isEmpty || index.frames > (index.salt == log.salt ? log.frames : 0)
        }
    }

    private func read(
        _ more: Range<UInt32>, _ limit: Int, _ files: LogFiles
    ) throws(SQLError) -> LogCut? {
        let taken = try state.withLock { (state) throws(SQLError) in
            state.isCutting = true
            let boundary = state.boundary?.log
            state.boundary = nil
            let index = try files.index()
            // A log that started over after the boundary has nothing of before it.
            let end = boundary.map { $0.salt == index.salt ? $0.frames : 0 } ?? index.frames
            guard var log = state.log else { throw SQLError(.closed, "the database is not followed") }
            try log.look(upTo: end, of: index, files)
            let pages = log.changed.first(limit)
            for page in pages {
                log.changed.remove(page)
                log.taken.insert(page)
            }
            state.log = log
            // All is in the file, and the log may start over.
            let places = index.copied < index.frames ? log.places : [:]
            return Taken(
                index: index, places: places, pages: pages, pageCount: log.pageCount, isWhole: log.changed.isEmpty)
        }
        do throws(SQLError) {
            return try taken.cut(more, files)
        } catch {
            giveBack()
            throw error
        }
    }

    /// What is read.
    private struct Taken {
        let index: LogIndex
        let places: [UInt32: UInt32]
        let pages: [UInt32]
        let pageCount: UInt32
        let isWhole: Bool

        func cut(_ more: Range<UInt32>, _ files: LogFiles) throws(SQLError) -> LogCut {
            // Pages behind the end of the database are gone.
            var numbers = pages.filter { $0 <= pageCount }
            let known = Set(numbers)
            numbers = (numbers + more.filter { $0 >= 1 && $0 <= pageCount && !known.contains($0) }).sorted()
            var bytes = [UInt8](repeating: 0, count: numbers.count * index.pageBytes)
            for (position, number) in numbers.enumerated() {
                let place = position * index.pageBytes..<(position + 1) * index.pageBytes
                try files.read(
                    places[number].map { .frame($0) } ?? .page(number), of: index, into: &bytes, at: place)
            }
            return LogCut(
                pageBytes: index.pageBytes, pageCount: pageCount, numbers: numbers, bytes: bytes, isWhole: isWhole)
        }
    }
}
