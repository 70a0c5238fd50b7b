import FeatureFiles
import PinContracts

/// What the first reading of a file has found so far.
struct PinFileTally {
    private static let maximumReported = 100
    private static let maximumCountedLists = 10_000

    private(set) var counts = PinImport.Counts()
    private(set) var colours: ListColours = [:]
    /// The names of lists that something of the file is in.
    private(set) var lists: Set<String> = []
    /// For tracks.
    private var room: TrackRoom
    /// Those that are there already among them.
    private var readTracks = 0
    private var firstBad: String?
    private var reportedCount = 0

    init(room: TrackRoom) { self.room = room }

    /// Counts a part of the file; gives what of it can't become a pin, as long as that is reported.
    mutating func add(_ batch: CheckedBatch) throws(SourceError) -> [BadPin] {
        var batch = batch
        readTracks += batch.tracks.count
        guard readTracks <= Track.maximumOfFile else {
            throw .bad("it has more than \(Track.maximumOfFile) tracks, which is the limit")
        }
        batch.passTracks(beyond: &room)
        counts.tracks += Int64(batch.tracks.count)
        counts.pins += Int64(batch.pins.count)
        counts.unplaced += Int64(batch.unplaced.count)
        counts.passed += Int64(batch.passed.count)
        counts.shortened += Int64(batch.shortenedCount)
        counts.bad += Int64(batch.bad.count)
        guard counts.pins + counts.unplaced <= PinImport.maximumPins else {
            throw .bad("it has more than \(PinImport.maximumPins) pins, which is the limit")
        }
        for draft in batch.allLists where lists.count < Self.maximumCountedLists { lists.insert(draft.name) }
        for list in batch.groups where colours.count < Self.maximumCountedLists { colours[list.name] = list.colour }
        if firstBad == nil, let bad = batch.bad.first {
            firstBad = bad.number > 0 ? "number \(bad.number): \(bad.reason)" : bad.reason
        }
        let reported = (batch.passed + batch.bad).prefix(Self.maximumReported - reportedCount)
        reportedCount += reported.count
        return Array(reported)
    }

    /// What the whole file has: an account has no room for so many of its lists.
    func counts(leftOutLists: Int64) throws(SourceError) -> PinImport.Counts {
        guard counts.pins + counts.unplaced + counts.tracks > 0 else { throw .bad(nothing) }
        var counts = counts
        (counts.lists, counts.leftOutLists) = (Int64(lists.count), leftOutLists)
        return counts
    }

    private var nothing: String {
        if let firstBad { return "no pin of it can be read; \(firstBad)" }
        return counts.passed > 0 ? "it has no points, only lines that are none: \(counts.passed)" : "it has no pins"
    }
}

/// The colours of lists, by their names.
typealias ListColours = [String: PinList.Colour]

/// How many more tracks an account may have, and of how many bytes.
struct TrackRoom {
    private var count: Int64
    private var bytes: Int64
    /// The digests of those that are there.
    private var known: Set<[UInt8]>

    /// Beside those that are there.
    init(beside kept: (count: Int64, bytes: Int64), _ known: Set<[UInt8]>) {
        (count, bytes) = (Track.limit - kept.count, Track.limitBytes - kept.bytes)
        self.known = known
    }

    /// Whether a track is there, or there is room for it, which it then takes.
    mutating func take(_ track: TrackDraft) -> Bool {
        if known.contains(track.digest) { return true }
        guard count > 0, bytes >= track.packed.byteCount else { return false }
        (count, bytes) = (count - 1, bytes - Int64(track.packed.byteCount))
        known.insert(track.digest)
        return true
    }
}
