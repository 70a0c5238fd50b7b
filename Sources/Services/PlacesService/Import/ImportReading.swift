import Budgets
import EventLoops
import FeatureFiles
import Files
import Geo

/// Reads a file into a snapshot, and an .osm.pbf into a map too.
struct ImportReading: ~Copyable {
    /// Rows between two checks of the clock.
    private static let rowsPerLook: UInt64 = 512
    private static let reportInterval: Duration = .milliseconds(250)

    /// Memory of a row until its snapshot is written, whatever it contains: where its bytes are, and what sorting
    /// needs; until what the tables share is full.
    private static let bytesPerRow = 128

    let job: ImportJob
    /// In milliseconds since 1970.
    let now: Int64
    var memory: MemoryAccount
    private let tables: ImportMemory
    let observer: any ImportObserver
    private var progress = ImportState()
    var tally = ImportTally()
    private var firstBad: (line: UInt64, reason: String)?
    private var nextReport = MonotonicTime.now

    init(
        _ job: ImportJob, _ budget: MemoryBudget, _ observer: any ImportObserver,
        _ tables: ImportMemory = ImportMemory(), now: Int64 = .max
    ) {
        (self.job, self.tables, self.now) = (job, tables, now)
        // One import runs at a time, and its caller is trusted with all free memory.
        memory = MemoryAccount(budget, .unknown, .trusted, .imports)
        self.observer = observer
    }

    /// Reads `job`'s file and writes its places to a snapshot at `path`. Blocks for as long as it takes.
    mutating func build(_ path: String) throws(PlacesError) -> ImportTally {
        if observer.isStopped { throw .cancelled }
        try refuseWithoutRoom(in: DiskFile.folder(of: path))
        let source = CatalogFolder.sourcePath(ofSnapshot: path)
        if !job.changes.isEmpty { try applyChanges(to: source) }
        let origin = job.changes.isEmpty ? job.path : source
        let file = try PlacesError.reading { () throws(SourceError) in try FileSource(path: origin) }
        if let reason = file.wrapping(for: job.format) { throw .badFile(reason: reason) }
        let folder = DiskFile.folder(of: path)
        var writer = PlaceWriter(job.dataset, scratchFolder: folder, memory: tables.ofTable)
        let (map, areas) = try readAll(file, into: &writer, folder)
        guard writer.count > 0 else { throw .badFile(reason: noPlaces) }
        if let map { try write(map, file, CatalogFolder.tilesPath(ofSnapshot: path)) }
        if let areas { try write(areas, file, CatalogFolder.areasPath(ofSnapshot: path)) }
        report(.writing, file)
        do throws(GeoError) {
            tally.duplicates = UInt64(try writer.write(to: path).replacedRows.count)
        } catch {
            throw failure(error)
        }
        if observer.isStopped { throw .cancelled }
        if job.isKept, job.changes.isEmpty, job.format == .osmPBF {
            // The file itself: it is written no more, and its other name goes.
            try PlacesError.converting("keeping the file of dataset \(job.dataset)") { () throws(SystemError) in
                try DiskFile.link(job.path, as: source)
            }
        }
        return tally
    }

    /// Writes the map of the file that was read. A file can have places and no map.
    private mutating func write(_ map: OSMMap, _ file: FileSource, _ path: String) throws(PlacesError) {
        let summary = try map.write(to: path, attribution: job.facts.attribution) { () throws(PlacesError) in
            try look(file, .mapping)
        }
        tally.tiles = summary.map(TileFacts.init)
        if let problem = map.problem { try note(1, RowProblem("there is no map: \(problem)")) }
    }

    /// Writes the areas of the file that was read.
    private mutating func write(_ areas: OSMAreas, _ file: FileSource, _ path: String) throws(PlacesError) {
        tally.areas = try areas.write(to: path) { () throws(PlacesError) in try look(file, .mapping) }
        // Most extracts cut borders: that is no bad row, of which there may be too many.
        if let problem = areas.problem { observer.badRow(1, problem) }
    }

    /// Gives the map and the areas that were made meanwhile, if the file is one of those that give them.
    private mutating func readAll(
        _ file: FileSource, into writer: inout PlaceWriter, _ folder: String
    ) throws(PlacesError) -> (map: OSMMap?, areas: OSMAreas?) {
        let turn = ReadingTurn(isStopped: { [observer] in observer.isStopped })
        let stored = TurnSource(file, turn)
        // What is packed is looked at by itself: there may be nothing in it.
        let source = file.isGzip ? TurnSource(GzipSource(stored, limitBytes: job.maximumBytes), turn) : stored
        switch job.format {
        case .csv, .tsv, .addresses:
            var rows = try DelimitedRows(source, job.format, job.columns)
            try read(&rows, from: source, into: &writer)
        case .geoJSON:
            var features = FeatureRows(GeoJSONFeatures(source), job.columns)
            try read(&features, from: source, into: &writer)
        case .osmPBF:
            let geometry = try OSMGeometry(folder: folder, memory: tables.ofTable)
            let map = OSMMap(geometry, folder: folder)
            let areas = OSMAreas(geometry, folder: folder)
            var elements = OSMRows(file, geometry, largestUpload: job.maximumBytes, map: map, areas: areas, turn)
            try read(&elements, from: file, into: &writer)
            if job.isKept {
                tally.source = SourceFacts(elements.header, byteCount: file.byteCount, job.facts.source)
                tally.source?.maximumBadRows = job.maximumBadRows
                if let problem = tally.source?.problem { observer.badRow(1, problem) }
            }
            return (map, areas)
        case .osmChanges: throw .badFile(reason: "it has changes, which need a dataset to be applied to")
        case .geoNames:
            var rows = try GeoNamesRows(source)
            try read(&rows, from: source, into: &writer)
        case .gpx, .kml:
            let isGPX = job.format == .gpx
            var placemarks = FeatureRows(
                try PlacesError.reading { () throws(SourceError) in
                    isGPX ? try MarkupFeatures(gpx: source) : try MarkupFeatures(kml: source)
                })
            try read(&placemarks, from: source, into: &writer)
        }
        return (nil, nil)
    }

    private mutating func read<Rows: RowReader & ~Copyable>(
        _ rows: inout Rows, from source: any ByteSource, into writer: inout PlaceWriter
    ) throws(PlacesError) {
        var row = PlaceRow()
        report(.reading, source)
        while let event = try rows.next(&row) {
            switch event {
            case .nothing:
                try look(source)
                continue
            case .notice(let notice):
                try note(notice.line, RowProblem(notice.inLine))
                continue
            case .bad(let line, let problem): try note(line, problem)
            case .row(let line):
                try holdRows(writer.count)
                do throws(GeoError) { try writer.makeRoom() } catch { throw failure(error) }
                do throws(RowProblem) {
                    try writer.add(row)
                    if row.hasAddress { tally.addresses += 1 }
                } catch {
                    try note(line, named(error, row))
                }
            }
            tally.rows += 1
            if tally.rows % Self.rowsPerLook == 0 { try look(source) }
        }
    }

    private mutating func holdRows(_ count: Int) throws(PlacesError) {
        guard count % Int(Self.rowsPerLook) == 0 else { return }
        guard !memory.hold(min(count * Self.bytesPerRow, tables.bytes)) else { return }
        throw .badFile(
            reason: "its first \(count) rows take all memory that is left to imports; --memory gives the service more")
    }

    private func failure(_ error: GeoError) -> PlacesError {
        PlacesError(error, "the places of dataset \(job.dataset)")
    }

    /// Of a file without lines, a problem with the element that has it.
    private func named(_ problem: RowProblem, _ row: PlaceRow) -> RowProblem {
        guard job.format == .osmPBF, let id = row.id else { return problem }
        return RowProblem("\(id): \(problem)")
    }

    mutating func note(_ line: UInt64, _ problem: RowProblem) throws(PlacesError) {
        tally.badRows += 1
        let first = firstBad ?? (line, problem.description)
        firstBad = first
        observer.badRow(line, problem.description)
        guard tally.badRows <= job.maximumBadRows else {
            throw .tooManyBadRows(limit: job.maximumBadRows, firstLine: first.line, firstReason: first.reason)
        }
    }

    mutating func look(
        _ source: any ByteSource, _ phase: ImportState.Phase = .reading
    ) throws(PlacesError) {
        if observer.isStopped { throw .cancelled }
        let now = MonotonicTime.now
        guard now >= nextReport else { return }
        nextReport = now + Self.reportInterval
        report(phase, source)
    }

    private mutating func report(_ phase: ImportState.Phase, _ source: any ByteSource) {
        progress.phase = phase
        progress.readBytes = source.takenBytes
        progress.totalBytes = source.totalBytes
        progress.rows = tally.rows
        observer.progress(progress)
    }

    private var noPlaces: String {
        guard let firstBad else { return "it contains no place" }
        return "it contains no valid row; line \(firstBad.line): \(firstBad.reason)"
    }
}
