import Daemon
import EventLoops
import FeatureFiles
import PinFiles
import PinContracts
import RPC
import Storage
import Stores

extension ImportRun {
    /// The second reading. The next pins are read while others are stored.
    func store(_ it: PinImport, _ path: String, _ colours: ListColours) async throws {
        let reading = PinFileReading(path: path, name: it.fileName)
        var (done, unplaced): (Int64, Int64) = (0, 0)
        // After the first whole batch, and whenever the pins have doubled: a small file leaves the table as it was.
        var nextAnalysis = it.doneCount + Int64(Self.batch)
        var next = ContinuousClock.now + Self.pace
        var batch = try await self.batch(of: reading, it, at: clock.unixMilliseconds)
        while true {
            let isLast = batch.isLast
            async let following = isLast ? nil : self.batch(of: reading, it, at: clock.unixMilliseconds)
            let skipped = Int(min(Int64(batch.pins.count), max(0, it.doneCount - done)))
            done += Int64(batch.pins.count)
            try await store(batch.tracks, of: it, at: clock.unixMilliseconds)
            try await store(batch.unplaced, of: it, after: unplaced)
            unplaced += Int64(batch.unplaced.count)
            if skipped < batch.pins.count {
                try await store(
                    batch.dropping(skipped).coloured(by: colours), of: it,
                    after: done - Int64(batch.pins.count - skipped),
                    at: clock.unixMilliseconds)
                if done >= nextAnalysis {
                    nextAnalysis = done * 2
                    try await analyze()
                }
            }
            guard let read = try await following else { return }
            batch = read
            let progress = PinImportProgress(doneCount: UInt64(done), pinCount: UInt64(clamping: it.counts.pins))
            if try await report(progress, &next) { try await checkNotUndone(it) }
        }
    }

    private func analyze() async throws {
        try await StoreError.converting("imports") { () async throws(SQLError) in
            try await store.database.analyze("ANALYZE pins")
        }
    }

    /// Stores pins and, with them, that they had their turn.
    private func store(_ batch: CheckedBatch, of it: PinImport, after done: Int64, at now: Int64) async throws {
        let isStored = try await write(it.account) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(it.id, of: it.account), found.state == .running,
                found.doneCount == done
            else { return false }
            let added = try transaction.insert(batch.pins, known: batch.known, of: it.account)
            let listed = zip(batch.pins, batch.lists).map { ($0.id, $1) }
            try transaction.putImportedLists(listed.filter { added.contains($0.0) }, of: it, at: now)
            let places = zip(batch.pins, batch.lists).filter { pin, lists in
                !added.contains(pin.id) && lists.contains { $0.name == FeatureList.phoneHistory.name }
            }
            try transaction.addDays(places.map { $0.0 })
            found.addedCount += Int64(added.count)
            found.doneCount += Int64(batch.pins.count)
            try transaction.update(found, at: now)
            return true
        }
        guard isStored else { throw PinImportError.overtaken }
    }

    /// Stores entries without a position, unless a run before has: each has its number in the file.
    private func store(_ unplaced: [UnplacedRecord], of it: PinImport, after count: Int64) async throws {
        guard !unplaced.isEmpty else { return }
        let isStored = try await write(it.account) { transaction throws(SQLError) in
            guard try transaction.pinImport(it.id, of: it.account)?.state == .running else { return false }
            for (index, record) in unplaced.enumerated() {
                try transaction.insert(Unplaced(record, number: count + Int64(index), of: it))
            }
            return true
        }
        guard isStored else { throw PinImportError.overtaken }
    }

    /// Stores tracks. Those that a run before has stored are there.
    private func store(_ tracks: [TrackDraft], of it: PinImport, at now: Int64) async throws {
        guard !tracks.isEmpty else { return }
        let isStored = try await write(it.account) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(it.id, of: it.account), found.state == .running else {
                return false
            }
            found.addedTracks += try transaction.insert(tracks, of: it, at: now)
            try transaction.update(found, at: now)
            return true
        }
        guard isStored else { throw PinImportError.overtaken }
    }
}
