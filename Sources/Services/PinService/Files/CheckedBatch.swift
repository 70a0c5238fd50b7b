import FeatureFiles
import PinContracts
import PinFiles
import Refusals

/// Some items of a file: the pins that they make, and what can't become one.
struct CheckedBatch: Sendable {
    var pins: [Pin] = []
    /// The ids under which the file says these were before.
    var known: [PinID?] = []
    /// The lists that these are in.
    var lists: [[PinList.Draft]] = []
    var unplaced: [UnplacedRecord] = []
    var bad: [BadPin] = []
    /// What is said of lists by itself.
    var groups: [PinList.Draft] = []
    /// Lines of which nothing is left, and tracks for which there is no room.
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
                let reason = "the \(what) is passed over: it has too few points"
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

    /// Passes over tracks for which there is no room.
    mutating func passTracks(beyond room: inout TrackRoom) {
        tracks = tracks.filter { track in
            if room.take(track) { return true }
            let name = track.name.isEmpty ? "a track" : "the track \(track.name.quoted)"
            let most = "an account may have \(Track.limit) tracks, of \(Track.limitBytes >> 20) MiB"
            passed.append(BadPin(reason: "\(name) is passed over: \(most)"))
            return false
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
