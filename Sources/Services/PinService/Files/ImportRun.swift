import PhotoContracts
import PinContracts
import Daemon
import EventLoops
import FeatureFiles
import Files
import Geo
import PinFiles
import RPC
import Refusals
import Storage
import Stores

/// Reads the file of an import twice: as a whole, then to store its pins. A run that was cut off is followed by another
/// one, which passes over the pins that had their turn: how many these are is stored with them.
struct ImportRun: Sendable {
    /// Pins of one transaction: others who write wait for no more than one.
    static let batch = 500
    private static let maximumReported = 100
    private static let maximumCountedLists = 10_000
    private static let pace: Duration = .milliseconds(250)

    let store: PinStore
    let clock: WallClock
    let folder: ImportFolder
    let blocking: BlockingPool
    /// The only networks that searches of the pins may ask.
    let limit: NetworkChoice
    let responses: ResponseWriter<RunPinImportResponse>

    /// Gives the import as it is in the end; a trial stores nothing.
    func run(_ it: PinImport, isTrial: Bool) async throws -> PinImport {
        let path = folder.newPath()
        do {
            try await gather(it, path)
            var checked = it
            let colours: ListColours
            (checked.counts, colours) = try await check(it, path)
            if !isTrial {
                let begun = try await begin(checked)
                try await store(begun, path, colours)
                checked = try await end(begun)
            }
            try? await remove(path)
            return checked
        } catch {
            try? await remove(path)
            if let problem = error as? SourceError, case .bad(let reason) = problem {
                throw PinImportError.badFile(
                    name: it.fileName.isEmpty ? "the file" : it.fileName.quoted, reason: reason)
            }
            throw error
        }
    }

    /// Also when the call was cancelled.
    private func remove(_ path: String) async throws {
        try await Task { [blocking] in try await blocking.run { try DiskFile.remove(path) } }.value
    }

    /// Writes the parts to a file.
    private func gather(_ it: PinImport, _ path: String) async throws {
        let file = try await blocking.run { try Descriptor.appending(to: path) }
        var start: Int64 = 0
        while start < it.byteCount {
            let part = try await store.read { [start] transaction throws(SQLError) in
                try transaction.part(of: it.id, at: start)
            }
            guard let part, !part.isEmpty else { throw try await ending(of: it) }
            try await blocking.run { [start] in
                try DiskFile.writeAll(part, to: file.number, at: Int(start), path)
            }
            start += Int64(part.count)
        }
    }

    /// Why parts are missing that were there: another run has ended meanwhile, or they were kept for too long.
    private func ending(of it: PinImport) async throws -> PinImportError {
        let found = try await store.read { transaction throws(SQLError) in
            try transaction.pinImport(it.id, of: it.account)
        }
        return found?.state == it.state ? .closed(it.state) : .overtaken
    }

    /// The first reading: what the file has. What can't become a pin is reported.
    private func check(_ it: PinImport, _ path: String) async throws -> (PinImport.Counts, ListColours) {
        let reading = PinFileReading(path: path, name: it.fileName)
        let kept = try await store.read { transaction throws(SQLError) in try transaction.trackSize(of: it.account) }
        var room = (count: Track.limit - kept.count, bytes: Track.limitBytes - kept.bytes)
        var lists: Set<String> = []
        var colours: ListColours = [:]
        var counts = PinImport.Counts()
        var firstBad: String?
        var reported = 0
        var next = ContinuousClock.now + Self.pace
        var readTracks = 0
        while true {
            var batch = try await self.batch(of: reading, it, at: 0)
            readTracks += batch.tracks.count
            guard readTracks <= Track.maximumOfFile else {
                throw SourceError.bad("it has more than \(Track.maximumOfFile) tracks, which is the limit")
            }
            batch.passTracks(beyond: &room)
            counts.tracks += Int64(batch.tracks.count)
            counts.pins += Int64(batch.pins.count)
            counts.unplaced += Int64(batch.unplaced.count)
            counts.passed += Int64(batch.passed.count)
            counts.shortened += Int64(batch.shortenedCount)
            for draft in batch.allLists where lists.count < Self.maximumCountedLists { lists.insert(draft.name) }
            for list in batch.groups where colours.count < Self.maximumCountedLists {
                colours[list.name] = list.colour
            }
            for passed in batch.passed where reported < Self.maximumReported {
                try await responses.write(RunPinImportResponse(event: .badPin(passed)))
                reported += 1
            }
            for bad in batch.bad {
                firstBad = firstBad ?? (bad.number > 0 ? "number \(bad.number): \(bad.reason)" : bad.reason)
                if reported < Self.maximumReported {
                    try await responses.write(RunPinImportResponse(event: .badPin(bad)))
                    reported += 1
                }
                counts.bad += 1
            }
            guard counts.pins + counts.unplaced <= PinImport.maximumPins else {
                throw SourceError.bad("it has more than \(PinImport.maximumPins) pins, which is the limit")
            }
            if batch.isLast { break }
            if try await report(PinImportProgress(doneCount: UInt64(counts.pins)), &next) {
                try await checkNotUndone(it)
            }
        }
        guard counts.pins + counts.unplaced + counts.tracks > 0 else {
            throw SourceError.bad(Self.nothing(counts, firstBad))
        }
        (counts.lists, counts.leftOutLists) = (Int64(lists.count), try await leftOut(lists, of: it.account))
        return (counts, colours)
    }

    /// No client needs to know what is in a file that was taken back.
    private func checkNotUndone(_ it: PinImport) async throws {
        let found = try await store.read { transaction throws(SQLError) in
            try transaction.pinImport(it.id, of: it.account)
        }
        guard let found, found.state != .undone else { throw PinImportError.closed(.undone) }
    }

    /// How many of these lists an account has no room for.
    private func leftOut(_ names: Set<String>, of account: String) async throws -> Int64 {
        let known = try await store.read { transaction throws(SQLError) in try transaction.lists(of: account) }
        let new = names.subtracting(known.map(\.name)).count
        return Int64(max(0, new - max(0, PinList.limit - known.count)))
    }

    private static func nothing(_ counts: PinImport.Counts, _ firstBad: String?) -> String {
        if let firstBad { return "no pin of it can be read; \(firstBad)" }
        return counts.passed > 0 ? "it has no points, only areas: \(counts.passed)" : "it has no pins"
    }

    private func begin(_ it: PinImport) async throws -> PinImport {
        try await change(it) { found in
            guard found.state == .sent || found.state == .running else { return false }
            (found.state, found.counts) = (.running, it.counts)
            return true
        }
    }

    private func end(_ it: PinImport) async throws -> PinImport {
        let now = clock.unixMilliseconds
        let ended = try await write(it.account) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(it.id, of: it.account), found.state != .undone else {
                return Result<PinImport, PinImportError>.failure(.overtaken)
            }
            found.state = .done
            try transaction.update(found, at: now)
            try transaction.deleteParts(of: it.id)
            return .success(found)
        }
        return try ended.get()
    }

    /// The second reading. The next pins are read while others are stored.
    private func store(_ it: PinImport, _ path: String, _ colours: ListColours) async throws {
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

    private func batch(of reading: PinFileReading, _ it: PinImport, at now: Int64) async throws -> CheckedBatch {
        try await withTaskCancellationHandler {
            try await blocking.run { [limit] in try CheckedBatch(reading, it, limit, at: now) }
        } onCancel: {
            reading.stop()
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
            guard try transaction.pinImport(it.id, of: it.account)?.state == .running else { return false }
            try transaction.insert(tracks, of: it, at: now)
            return true
        }
        guard isStored else { throw PinImportError.overtaken }
    }

    private func change(
        _ it: PinImport, _ body: @escaping @Sendable (inout PinImport) -> Bool
    ) async throws -> PinImport {
        let now = clock.unixMilliseconds
        let changed = try await write(it.account) { transaction throws(SQLError) in
            guard var found = try transaction.pinImport(it.id, of: it.account), body(&found) else {
                return Result<PinImport, PinImportError>.failure(.overtaken)
            }
            try transaction.update(found, at: now)
            return .success(found)
        }
        return try changed.get()
    }

    private func write<Value: Sendable>(
        _ account: String, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws -> Value {
        try await StoreError.converting("imports") { () async throws(SQLError) in
            try await store.database.write(.subject(account), body)
        }
    }

    /// Whether it was time to.
    private func report(_ progress: PinImportProgress, _ next: inout ContinuousClock.Instant) async throws -> Bool {
        guard ContinuousClock.now >= next else { return false }
        next = .now + Self.pace
        try await responses.write(RunPinImportResponse(event: .progress(progress)))
        return true
    }
}

/// The colours of lists, by their names.
private typealias ListColours = [String: PinList.Colour]

/// Some items of a file: the pins that they make, and what can't become one.
private struct CheckedBatch: Sendable {
    var pins: [Pin] = []
    /// The ids under which the file says these were before.
    var known: [PinID?] = []
    /// The lists that these are in.
    var lists: [[PinList.Draft]] = []
    var unplaced: [UnplacedRecord] = []
    var bad: [BadPin] = []
    /// What is said of lists by itself.
    var groups: [PinList.Draft] = []
    /// Areas, and tracks for which there is no room.
    var passed: [BadPin] = []
    var tracks: [TrackDraft] = []
    var shortenedCount = 0
    var isLast = false

    /// Reads them. Blocks.
    init(_ reading: PinFileReading, _ it: PinImport, _ limit: NetworkChoice, at now: Int64) throws(SourceError) {
        let part = try reading.next(ImportRun.batch)
        let ids = PinID.ascending(part.items.count, unixMilliseconds: now)
        isLast = part.isLast
        for (item, id) in zip(part.items, ids) {
            switch item.content {
            case .list(let list): groups += [PinList.Draft(list)].compactMap(\.self)
            case .track(let record): tracks += [TrackDraft(record)].compactMap(\.self)
            case .line(let what):
                let reason = "the \(what) is passed over: a pin is a point"
                passed.append(BadPin(fileName: item.fileName, number: item.number, reason: reason))
            case .unplaced(let record):
                do throws(Refusal) {
                    try Unplaced(record, number: 0, of: it).check(limit)
                    unplaced.append(record)
                } catch {
                    report(item, error.description)
                }
            case .bad(let reason): report(item, reason)
            case .pin(let record):
                do throws(Refusal) {
                    pins.append(
                        try Pin(
                            record, id: id, account: it.account, importedBy: it.id, limit: limit,
                            unixMilliseconds: it.createdMilliseconds))
                    known.append(PinID(record.id))
                    lists.append(record.lists.compactMap { PinList.Draft($0) })
                    if record.isShortened { shortenedCount += 1 }
                } catch {
                    report(item, error.description)
                }
            }
        }
    }

    var allLists: [PinList.Draft] {
        lists.flatMap { $0 } + unplaced.flatMap { $0.lists.compactMap { PinList.Draft($0) } }
            + tracks.compactMap(\.list)
    }

    /// With the colours of lists of which a pin does not say one.
    func coloured(by colours: ListColours) -> CheckedBatch {
        guard !colours.isEmpty else { return self }
        var batch = self
        batch.lists = lists.map { drafts in
            drafts.map { PinList.Draft(name: $0.name, colour: $0.colour ?? colours[$0.name]) }
        }
        return batch
    }

    /// Passes over tracks for which an account has no room, and takes that of the others.
    mutating func passTracks(beyond room: inout (count: Int64, bytes: Int64)) {
        tracks = tracks.filter { track in
            guard room.count > 0, room.bytes >= track.shape.count else {
                let name = track.name.isEmpty ? "a track" : "the track \(track.name.quoted)"
                let reason =
                    "\(name) is passed over: an account may have \(Track.limit) tracks, of \(Track.limitBytes >> 20) MiB"
                passed.append(BadPin(reason: reason))
                return false
            }
            room = (room.count - 1, room.bytes - Int64(track.shape.count))
            return true
        }
    }

    func dropping(_ count: Int) -> CheckedBatch {
        var batch = self
        batch.pins.removeFirst(count)
        batch.known.removeFirst(count)
        batch.lists.removeFirst(count)
        return batch
    }

    private mutating func report(_ item: PinFileItem, _ reason: String) {
        bad.append(BadPin(fileName: item.fileName, number: item.number, reason: reason))
    }
}
