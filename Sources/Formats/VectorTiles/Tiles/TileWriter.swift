package import EventLoops
import Compression
import Glibc
import Scratch

/// How the tiles of a map are made.
package struct TileRules: Sendable {
    /// Zoom levels that have tiles.
    package let zooms: ClosedRange<Int>
    /// The names of the layers, in the order in which they are drawn.
    package let layers: [String]
    /// The layer that says which part of a tile has data.
    package let coverageLayer: UInt8
    /// How many pixels wide a tile is drawn: lines are as exact as that demands.
    let pixels: Double
    /// Pixels that a line may come to lie beside its place, at levels before the last.
    let tolerance: Double
    /// The same at the last level, which is drawn larger.
    let lastTolerance: Double
    /// How many units a tile is wide; at the last level twice as many.
    let extent: UInt32

    package init(
        zooms: ClosedRange<Int>, layers: [String], coverageLayer: UInt8, pixels: Double = 256,
        tolerance: Double = 0.4, lastTolerance: Double = 1 / 32, extent: UInt32 = 4096
    ) {
        self.zooms = zooms
        self.pixels = pixels
        self.tolerance = tolerance
        self.lastTolerance = lastTolerance
        self.extent = extent
        self.layers = layers
        self.coverageLayer = coverageLayer
    }
}

/// Why there can be no map.
package enum TileError: Error, CustomStringConvertible {
    /// Its features are too many.
    case tooMany(limit: Int)
    case disk(SystemError)

    package var description: String {
        switch self {
        case .tooMany(let limit): "it would have more than \(limit) features in its tiles"
        case .disk(let error): "\(error)"
        }
    }
}

/// Makes tiles of features. What a feature shows in each tile is put into a file; when all are there, they are sorted
/// by their tiles, in files too where memory is too small for them.
package struct TileWriter: ~Copyable {
    /// Features in all tiles together, each of which takes 8 bytes while they are sorted.
    package static let maximumRecords = 32_000_000
    /// How far beyond its edge a tile has what is drawn there: lines are as wide as a few pixels of 256.
    private static let margin = 12.0 / 256
    /// The same of the area with data: it fades out over some more.
    private static let coverageMargin = 0.25
    /// Bytes of a tile's records, what is beyond is left out, so that an answer holds a tile.
    private static let maximumTileBytes = 4 << 20
    /// Pixels of area that can be seen.
    private static let leastArea = 4.0
    /// Bits of an entry for where its record begins.
    private static let offsetBits: UInt64 = 33

    private let rules: TileRules
    private let coverage: TileCoverage
    private let maximum: Int
    private let scratch: ScratchFile
    /// The number of a tile, and where the record of a feature begins; 0 for none.
    private var entries: RecordSorter

    /// - Parameters:
    ///   - folder: where there is room for its files.
    ///   - memory: bytes that features may take in memory while they come.
    ///   - maximum: features in all tiles together; what covers more tiles than that has no map.
    package init(
        _ rules: TileRules, coverage: TileCoverage, folder: String, memory: Int = RecordSorter.ordinaryMemory,
        maximum: Int = Self.maximumRecords
    ) throws(TileError) {
        entries = RecordSorter(width: 1, folder: folder, memory: memory)
        self.rules = rules
        self.coverage = coverage
        self.maximum = min(maximum, Self.maximumRecords)
        var room = self.maximum
        for zoom in rules.zooms {
            try coverage.forEachTile(zoom: zoom) { _ throws(TileError) in
                guard room > 0 else { throw .tooMany(limit: maximum) }
                room -= 1
            }
        }
        scratch = try Self.converting { () throws(SystemError) in
            let scratch = try ScratchFile(in: folder)
            try scratch.append([0])
            return scratch
        }
    }

    /// Adds a feature to all tiles that it is seen in.
    /// - Parameters:
    ///   - first: the first zoom level that shows it. What begins beyond the last one is a detail: it is in tiles of
    ///     that level alone, of which the archive's header says nothing.
    ///   - feature: what it is; may differ by zoom level.
    package mutating func add(
        _ shape: TileShape, from first: Int, feature: (_ zoom: Int) -> TileFeature
    ) throws(TileError) {
        if first > rules.zooms.upperBound {
            return try add(shape, at: first, TileRecord.head(feature(first), shape.kind))
        }
        var shape = shape
        for zoom in rules.zooms.reversed() where zoom >= first {
            let pixel = 1 / (rules.pixels * Double(1 << zoom))
            let isLast = zoom == rules.zooms.upperBound
            shape = shape.simplified(
                tolerance: pixel * (isLast ? rules.lastTolerance : rules.tolerance),
                leastArea: isLast ? 0 : pixel * pixel * Self.leastArea)
            if shape.isEmpty { return }
            try add(shape, at: zoom, TileRecord.head(feature(zoom), shape.kind))
        }
    }

    private mutating func add(_ shape: TileShape, at zoom: Int, _ head: [UInt8]) throws(TileError) {
        var found: [(TileID, [UInt8])] = []
        let room = maximum - entries.count
        var isTooMuch = false
        shape.split(zoom: zoom, margin: Self.margin, isWanted: { !isTooMuch && coverage.meets($0) }) { tile, part in
            isTooMuch = isTooMuch || found.count >= room
            let parts = TileGrid(tile, rules).parts(of: part)
            if !isTooMuch, !parts.isEmpty { found.append((tile, TileRecord.bytes(head, parts))) }
        }
        if isTooMuch { throw .tooMany(limit: maximum) }
        for (tile, record) in found {
            let offset = scratch.byteCount
            guard offset < 1 << Self.offsetBits else { throw .tooMany(limit: maximum) }
            var length: [UInt8] = []
            length.append(number: UInt32(clamping: record.count))
            do throws(SystemError) {
                try entries.append([tile.number << Self.offsetBits | UInt64(offset)])
                try scratch.append(length + record)
            } catch {
                throw .disk(error)
            }
        }
    }

    /// Writes the archive. All features were added.
    /// - Parameter proceed: asked before each tile, with the share that is done; false ends it.
    package consuming func write(
        to path: String, metadata: PMTilesMetadata, proceed: (Double) -> Bool
    ) throws(TileError) -> PMTilesSummary? {
        let entries = try sortedEntries()
        do throws(SystemError) {
            try scratch.seal()
            var archive = try PMTilesWriter(path)
            var next = 0
            while next < entries.count {
                guard proceed(Double(next) / Double(entries.count)) else { return nil }
                let number = entries.word(0, of: next) >> Self.offsetBits
                let start = next
                while next < entries.count, entries.word(0, of: next) >> Self.offsetBits == number { next += 1 }
                let own = (start..<next).lazy.map { Int(entries.word(0, of: $0) & (1 << Self.offsetBits - 1)) }
                if let tile = TileID(number: number) { try archive.add(number, bytes(of: tile, own)) }
            }
            return try archive.finish(zooms: rules.zooms, box: coverage.box, metadata: metadata)
        } catch {
            throw .disk(error)
        }
    }

    /// The entries of all features, and one for each tile that has data.
    private mutating func sortedEntries() throws(TileError) -> SortedRecords {
        for zoom in rules.zooms {
            try coverage.forEachTile(zoom: zoom) { tile throws(TileError) in
                do throws(SystemError) {
                    try entries.append([tile.number << Self.offsetBits])
                } catch {
                    throw .disk(error)
                }
            }
        }
        do throws(SystemError) { return try entries.sorted() } catch { throw .disk(error) }
    }

    /// - Parameter offsets: where the records of its features begin; 0 for none.
    private borrowing func bytes(of tile: TileID, _ offsets: some Sequence<Int>) -> [UInt8] {
        let grid = TileGrid(tile, rules)
        var builder = TileBuilder(extent: grid.extent)
        var byteCount = 0
        for offset in offsets where offset > 0 {
            let length = Int(scratch.number(UInt32.self, at: offset))
            byteCount += length
            if byteCount > Self.maximumTileBytes { break }
            if let record = TileRecord(scratch.bytes(offset + 4..<offset + 4 + length)) { builder.add(record) }
        }
        let head = TileRecord.head(TileFeature(layer: rules.coverageLayer), .areas)
        for area in coverage.areas(in: tile, margin: Self.coverageMargin) {
            if let record = TileRecord(TileRecord.bytes(head, grid.parts(of: area))) { builder.add(record) }
        }
        return Gzip.pack(builder.bytes(layers: rules.layers), level: 6)
    }

    private static func converting<R>(_ body: () throws(SystemError) -> R) throws(TileError) -> R {
        do throws(SystemError) { return try body() } catch { throw .disk(error) }
    }
}
