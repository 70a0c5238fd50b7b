import Bytes
import EventLoops
import PlaceContracts
import FeatureFiles
import Glibc
import Scratch
import Texts
import Wire

/// The lines of a file that have a name or a number, each put together of all ways that it is drawn in: those of the
/// same name that touch or lie near each other. Ways of one name in two towns are two.
///
/// Of a way are kept some of its points, so near each other that ways that touch have some in the same square or in
/// neighbouring ones. Points and ways lie in files without names where memory is too small for them.
struct OSMLines: ~Copyable {
    private static let what = "the lines of the file"
    /// Points that are kept, 8 bytes each, and ways, 32; what is beyond is left out, which the import says.
    private static let maximumPoints = 2_000_000_000
    private static let maximumPieces = 1_000_000_000
    /// Ways of one name that are put together at once, in some 100 bytes of memory each.
    private static let maximumTogether = 1_000_000
    /// Bytes of all names.
    private static let maximumTexts = 512 << 20
    private static let maximumPointsOfWay = 64
    /// 1e-7 degrees north: sides of a square, some 200 m, and from one point that is kept to the next.
    private static let side = 18_000.0
    /// Half of the squares around one: of two neighbours one is such a one of the other.
    private static let neighbours: [(row: Int32, column: Int32)] = [(0, 1), (1, -1), (1, 0), (1, 1)]
    private static let step = 13_500.0

    /// One way of a line.
    private struct Piece {
        /// The same for all ways of a kind and a name, whatever its accents.
        let name: UInt64
        let way: Int64
        /// Which of `texts` it has.
        let text: UInt32
        let blob: UInt32
        /// Which of `points` it has.
        let firstPoint: UInt32
        let pointCount: UInt32

        init(_ line: Text, _ way: Int64, blob: UInt64, _ points: Range<Int>) {
            (name, text, self.way, self.blob) = (line.name, line.number, way, UInt32(clamping: blob))
            (firstPoint, pointCount) = (UInt32(clamping: points.lowerBound), UInt32(clamping: points.count))
        }

        /// As it was sorted.
        init(_ records: SortedRecords, _ index: Int) {
            name = records.word(0, of: index)
            way = Int64(bitPattern: records.word(1, of: index) ^ Self.sign)
            let (numbers, points) = (records.word(2, of: index), records.word(3, of: index))
            (text, blob) = (UInt32(numbers >> 32), UInt32(truncatingIfNeeded: numbers))
            (firstPoint, pointCount) = (UInt32(points >> 32), UInt32(truncatingIfNeeded: points))
        }

        /// Without it, negative ids come first.
        private static let sign: UInt64 = 1 << 63

        /// In the order of names, ways and texts.
        var record: [UInt64] {
            [
                name, UInt64(bitPattern: way) ^ Self.sign, UInt64(text) << 32 | UInt64(blob),
                UInt64(firstPoint) << 32 | UInt64(pointCount),
            ]
        }

        var points: Range<Int> { Int(firstPoint)..<Int(firstPoint) + Int(pointCount) }
    }

    private struct Text {
        let number: UInt32
        /// The same for all lines of a kind and a name, whatever its accents.
        let name: UInt64
    }

    private struct Square: Hashable {
        var row: Int32
        var column: Int32
    }

    private let maximumPoints: Int
    private let folder: String
    private var pieces: RecordSorter
    /// All pieces; nil until the first line is asked for.
    private var sorted: SortedRecords?
    /// Nil without points.
    private var points: ScratchFile?
    private var pointCount = 0
    /// Packed places without a position, one after the other, and where each ends.
    private var texts: [UInt8] = []
    private var ends: [Int] = [0]
    private var known: [UInt64: Text] = [:]
    private var blobOfFirstLost: UInt64?
    private var nextPiece = 0
    /// Lines that are given next, each by its pieces.
    private var found: [[Piece]] = []

    /// - Parameters:
    ///   - folder: where there is room for files.
    ///   - memory: bytes that the ways may take in memory while they come.
    init(folder: String, memory: Int, maximumPoints: Int = OSMLines.maximumPoints) {
        self.maximumPoints = maximumPoints
        self.folder = folder
        pieces = RecordSorter(width: 4, folder: folder, memory: memory)
    }

    /// Keeps a way.
    /// - Parameter points: where its nodes are.
    mutating func add(
        _ way: OSMWay, _ lines: [OSMLine], from blob: BlobPlace, _ points: [GridPoint]
    ) throws(PlacesError) {
        if lines.isEmpty { return }
        guard pointCount + Self.maximumPointsOfWay < maximumPoints, texts.count < Self.maximumTexts,
            pieces.count + lines.count <= Self.maximumPieces
        else { return blobOfFirstLost = blobOfFirstLost ?? blob.number }
        let own = Self.samples(of: points)
        guard !own.isEmpty else { return }
        let range = pointCount..<pointCount + own.count
        pointCount += own.count
        do throws(SystemError) {
            if self.points == nil { self.points = try ScratchFile(in: folder) }
            try self.points?.append(words: own.map(\.word)[...])
            for line in lines {
                try pieces.append(Piece(text(of: line), way.id, blob: blob.number, range).record)
            }
        } catch {
            throw PlacesError(error, Self.what)
        }
    }

    /// The text of a line, packed once for all ways that have the same.
    private mutating func text(of line: OSMLine) -> Text {
        var hash = StableHash()
        hash.add(list: [Array(line.category.utf8), Array(line.name.utf8)])
        for (key, value) in line.attributes { hash.add(list: [Array(key.utf8), Array(value.utf8)]) }
        if let known = known[hash.value] { return known }
        var name = StableHash()
        name.add(line.kind.rawValue.utf8)
        name.add(FoldedText(line.name).bytes)
        let text = Text(number: UInt32(known.count), name: name.value)
        known[hash.value] = text
        texts += Place(
            id: line.kind.rawValue, name: line.name, categories: [line.category],
            attributes: line.attributes.map { Attribute(key: $0.key, value: $0.value) }
        ).packedBytes()
        ends.append(texts.count)
        return text
    }

    /// Points along a line: both ends, and some between them.
    private static func samples(of line: [GridPoint]) -> [GridPoint] {
        guard let first = line.first, let last = line.last, line.count > 1 else { return line }
        let narrowing = cos(Double(first.latitude) / 1e7 * .pi / 180)
        let lengths = zip(line, line.dropFirst()).map { from, to in
            hypot(
                Double(Int64(to.latitude) - Int64(from.latitude)),
                Double(Int64(to.longitude) - Int64(from.longitude)) * narrowing)
        }
        let step = max(step, lengths.reduce(0, +) / Double(maximumPointsOfWay - 2))
        var samples = [first]
        var rest = step
        for (index, length) in lengths.enumerated() {
            var along = rest
            while along < length {
                samples.append(Self.point(along / length, from: line[index], to: line[index + 1]))
                along += step
            }
            rest = along - length
        }
        return Array(samples.prefix(maximumPointsOfWay - 1)) + [last]
    }

    private static func point(_ share: Double, from a: GridPoint, to b: GridPoint) -> GridPoint {
        func between(_ a: Int32, _ b: Int32) -> Int32 { a + Int32(Double(Int64(b) - Int64(a)) * share) }
        // What crosses the antimeridian stays at its end.
        if (Int64(a.longitude) - Int64(b.longitude)).magnitude > 1_800_000_000 { return a }
        return GridPoint(
            latitude: between(a.latitude, b.latitude), longitude: between(a.longitude, b.longitude))
    }
}

// MARK: the lines

extension OSMLines {
    /// Writes the next line to a row; nil when there is none any more. Puts the ways of one name together at a time.
    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        guard let sorted else {
            do throws(SystemError) {
                try points?.seal()
                self.sorted = try pieces.sorted()
            } catch {
                throw PlacesError(error, Self.what)
            }
            guard let blob = blobOfFirstLost else { return .nothing }
            return .bad(line: blob, RowProblem("streets from here on are not all found: there are too many"))
        }
        if let line = found.popLast() { return fill(&row, with: line) }
        guard nextPiece < sorted.count else { return nil }
        var group = [Piece(sorted, nextPiece)]
        while nextPiece + group.count < sorted.count, group.count < Self.maximumTogether {
            let piece = Piece(sorted, nextPiece + group.count)
            if piece.name != group[0].name { break }
            group.append(piece)
        }
        nextPiece += group.count
        found = joined(group).reversed()
        return .nothing
    }

    private func points(of piece: Piece) -> [GridPoint] {
        guard let points else { return [] }
        return piece.points.map { GridPoint(word: points.word(at: 8 * $0)) }
    }

    /// The pieces of each line among those of one name.
    private func joined(_ pieces: [Piece]) -> [[Piece]] {
        guard pieces.count > 1, let first = points(of: pieces[0]).first else { return [pieces] }
        let narrowing = max(cos(Double(first.latitude) / 1e7 * .pi / 180), 0.01)
        var groups = DisjointSets(pieces.count)
        var firsts: [Square: Int] = [:]
        for (index, piece) in pieces.enumerated() {
            for point in points(of: piece) {
                let square = Square(
                    row: Int32(Double(point.latitude) / Self.side),
                    column: Int32(Double(point.longitude) * narrowing / Self.side))
                if let other = firsts[square] { groups.join(index, other) } else { firsts[square] = index }
            }
        }
        for (square, index) in firsts {
            for (row, column) in Self.neighbours {
                let next = Square(row: square.row + row, column: square.column + column)
                if let other = firsts[next] { groups.join(index, other) }
            }
        }
        let lines = Dictionary(grouping: pieces.enumerated()) { groups.first(of: $0.offset) }
        return lines.sorted { $0.key < $1.key }.map { $0.value.map(\.element) }
    }

    /// A line lies at the one of its points that is nearest to the middle of its box.
    private func fill(_ row: inout PlaceRow, with line: [Piece]) -> RowEvent {
        let longest = line.max { length(of: $0.text) < length(of: $1.text) }
        guard let first = line.first, let text = longest?.text,
            let place = try? Place(packed: texts[ends[Int(text)]..<ends[Int(text) + 1]])
        else { return .nothing }
        let own = line.flatMap { points(of: $0) }
        guard let box = LineBox(own), let middle = box.nearestToMiddle(own) else { return .nothing }
        // A way may have several numbers.
        let number = place.id == OSMLine.Kind.road.rawValue ? "/\(place.name)" : ""
        row.id = "\(place.id)/\(first.way)\(number)"
        row.name = place.name
        row.categories = place.categories.first ?? ""
        row.latitude = Double(middle.latitude) / 1e7
        row.longitude = Double(middle.longitude) / 1e7
        row.attributes = place.attributes.map { (key: $0.key, value: $0.value) }
        row.attributes.append((LineBox.attribute, box.text))
        return .row(line: UInt64(first.blob))
    }

    private func length(of text: UInt32) -> Int { ends[Int(text) + 1] - ends[Int(text)] }
}
