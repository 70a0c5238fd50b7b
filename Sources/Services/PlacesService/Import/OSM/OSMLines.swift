import Bytes
import PlaceContracts
import FeatureFiles
import Glibc
import Texts
import Wire

/// The lines of a file that have a name or a number, each put together of all ways that it is drawn in: those of the
/// same name that touch or lie near each other. Ways of one name in two towns are two.
///
/// Of a way are kept some of its points, so near each other that ways that touch have some in the same square or in
/// neighbouring ones.
struct OSMLines {
    /// Points that are kept, 8 bytes each, and ways, some 40; what is beyond is left out, which the import says.
    private static let maximumPoints = 64_000_000
    private static let maximumPieces = 24_000_000
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
    private var pieces: [Piece] = []
    private var points: [GridPoint] = []
    /// Packed places without a position, one after the other, and where each ends.
    private var texts: [UInt8] = []
    private var ends: [Int] = [0]
    private var known: [UInt64: Text] = [:]
    private var blobOfFirstLost: UInt64?
    private var isSorted = false
    private var nextPiece = 0
    /// Lines that are given next, each by its pieces.
    private var found: [[Piece]] = []

    init(maximumPoints: Int = OSMLines.maximumPoints) { self.maximumPoints = maximumPoints }

    /// Keeps a way.
    /// - Parameter points: where its nodes are.
    mutating func add(_ way: OSMWay, _ lines: [OSMLine], from blob: BlobPlace, _ points: [GridPoint]) {
        if lines.isEmpty { return }
        guard self.points.count + Self.maximumPointsOfWay < maximumPoints, texts.count < Self.maximumTexts,
            pieces.count + lines.count <= Self.maximumPieces
        else { return blobOfFirstLost = blobOfFirstLost ?? blob.number }
        let own = Self.samples(of: points)
        guard !own.isEmpty else { return }
        let first = UInt32(self.points.count)
        self.points += own
        for line in lines {
            let text = text(of: line)
            pieces.append(
                Piece(
                    name: text.name, way: way.id, text: text.number, blob: UInt32(clamping: blob.number),
                    firstPoint: first, pointCount: UInt32(own.count)))
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
    mutating func next(_ row: inout PlaceRow) -> RowEvent? {
        if !isSorted {
            pieces.sort { ($0.name, $0.way, $0.text) < ($1.name, $1.way, $1.text) }
            isSorted = true
            guard let blob = blobOfFirstLost else { return .nothing }
            return .bad(line: blob, RowProblem("streets from here on are not all found: there are too many"))
        }
        if let line = found.popLast() { return fill(&row, with: line) }
        guard nextPiece < pieces.count else { return nil }
        let rest = pieces[nextPiece...]
        let end = rest.firstIndex { $0.name != pieces[nextPiece].name } ?? rest.endIndex
        found = joined(pieces[nextPiece..<end]).reversed()
        nextPiece = end
        return .nothing
    }

    /// The pieces of each line among those of one name.
    private func joined(_ pieces: ArraySlice<Piece>) -> [[Piece]] {
        guard pieces.count > 1, let first = points[pieces[pieces.startIndex].points].first else {
            return [Array(pieces)]
        }
        let narrowing = max(cos(Double(first.latitude) / 1e7 * .pi / 180), 0.01)
        var groups = DisjointSets(pieces.count)
        var firsts: [Square: Int] = [:]
        for (index, piece) in pieces.enumerated() {
            for point in points[piece.points] {
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
        let own = line.flatMap { points[$0.points] }
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

/// Numbers that are put together to sets, of which each is known by its lowest.
private struct DisjointSets {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func join(_ a: Int, _ b: Int) {
        let (a, b) = (first(of: a), first(of: b))
        parents[max(a, b)] = min(a, b)
    }

    mutating func first(of number: Int) -> Int {
        var number = number
        while parents[number] != number {
            parents[number] = parents[parents[number]]
            number = parents[number]
        }
        return number
    }
}
