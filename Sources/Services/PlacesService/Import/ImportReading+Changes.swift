import Budgets
import EventLoops
import FeatureFiles
import Glibc
import PlaceContracts

extension ImportReading {
    /// The longest time in which nothing changes in a part of the world: a longer gap says that files are missing.
    private static let longestPause: Int64 = 26 * 3_600_000

    /// Applies the changes of the job's files to the file that the dataset was made of, and writes the result to
    /// `path`. Blocks.
    mutating func applyChanges(to path: String) throws(PlacesError) {
        let collector = ChangeCollector(now: now)
        for path in job.changes { try read(path, into: collector) }
        let changes = collector.changes
        try refuseOld(changes)
        let file = try openOrigin()
        let latest = [changes.latestTime, job.facts.source?.dataTime].compactMap(\.self).max()
        let reached = (time: job.reached?.time ?? latest, sequence: job.reached?.sequence)
        var changed = ChangedFile(
            file, changes, limitBytes: OSMRows.limitBytes(largestUpload: job.maximumBytes)
        ) { header in
            if let time = reached.time { header.replicationTimestamp = time / 1000 }
            if let sequence = reached.sequence { header.replicationSequenceNumber = sequence }
        }
        _ = try changed.write(to: path) { () throws(PlacesError) in try look(file, .changing) }
        _ = memory.hold(0)
        tally.rows = 0
    }

    /// The file that the dataset was made of. An earlier version removes it, and says nothing of it.
    private func openOrigin() throws(PlacesError) -> FileSource {
        do throws(SourceError) {
            return try FileSource(path: job.path)
        } catch {
            if case .system(let error) = error, error.code == ENOENT { throw .noSource(job.dataset) }
            throw PlacesError(error)
        }
    }

    private mutating func read(_ path: String, into collector: ChangeCollector) throws(PlacesError) {
        let file = try PlacesError.reading { () throws(SourceError) in try FileSource(path: path) }
        let turn = ReadingTurn(isStopped: { [observer] in observer.isStopped })
        let stored = TurnSource(file, turn)
        let source = file.isGzip ? TurnSource(GzipSource(stored, limitBytes: job.maximumBytes), turn) : stored
        var reader = try ChangeReader(source, into: collector)
        while try reader.readOn() {
            for (line, problem) in collector.takeProblems() { try note(line, problem) }
            tally.rows = collector.count
            try look(source, .changing)
            guard memory.hold(collector.changes.heldBytes) else {
                throw .badFile(
                    reason: "its first \(collector.count) changes take all memory that is left to imports; --memory"
                        + " gives the service more, and fewer files at once take less")
            }
        }
    }

    /// Changes that end before those that the dataset has were applied before; where they begin long after, some are
    /// missing.
    private mutating func refuseOld(_ changes: OSMChanges) throws(PlacesError) {
        guard job.reached == nil, let known = job.facts.source?.dataTime else { return }
        if let latest = changes.latestTime, latest <= known {
            throw .badFile(
                reason: "its changes end at \(FileTime.text(latest)), and dataset \(job.dataset) has all until"
                    + " \(FileTime.text(known)) already")
        }
        guard let first = changes.firstTime, first - known > Self.longestPause else { return }
        observer.badRow(
            1,
            "its changes begin at \(FileTime.text(first)), and dataset \(job.dataset) has all until"
                + " \(FileTime.text(known)): are files between them missing?")
    }
}
