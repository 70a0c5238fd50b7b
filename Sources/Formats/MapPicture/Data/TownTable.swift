import Compression
import Files

/// All towns of the bundled table, in little memory: a name's bytes and 20 more for each of 234,908.
struct TownTable: Sendable {
    private struct Town {
        /// Degrees times 1e5.
        let latitude: Int32
        let longitude: Int32
        let population: Int32
        let nameStart: Int32
        let nameCount: Int32
    }

    private static let maximumFileBytes = 64 << 20
    private static let maximumUnpackedBytes = 256 << 20
    private static let scale = 1e5

    private var names: [UInt8] = []
    /// By squares of one degree, those with most people first in each.
    private var squares: [Int32: [Town]] = [:]

    /// Reads `towns.tsv.gz`, as Data/README.md describes it.
    init(file: String) throws(MapProblem) {
        let bytes: [UInt8]
        do throws(SmallFile.Problem) {
            bytes = try SmallFile.read(file, limit: Self.maximumFileBytes)
        } catch {
            throw .unreadable("\(error)")
        }
        guard case .bytes(let text) = Gzip.unpack(bytes, limit: Self.maximumUnpackedBytes) else {
            throw .unreadable("\(file) is no gzip")
        }
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard let columns = lines.first.flatMap(Columns.init) else {
            throw .unreadable("\(file) has no columns name, lat, lon and population")
        }
        for line in lines.dropFirst() { add(line, columns) }
        for square in squares.keys {
            squares[square]?.sort { ($0.population, $1.nameStart) > ($1.population, $0.nameStart) }
        }
    }

    /// The towns in a box with most people, at most `limit`.
    func largest(in box: MapBox, limit: Int) -> [MapLabel] {
        var found: [Town] = []
        for square in Self.squares(of: box) {
            let inside = (squares[square] ?? []).lazy.filter { box.contains(Self.point($0)) }
            found += inside.prefix(limit)
        }
        found.sort { ($0.population, $1.nameStart) > ($1.population, $0.nameStart) }
        return found.prefix(limit).map(label)
    }

    private func label(_ town: Town) -> MapLabel {
        let bytes = names[Int(town.nameStart)..<Int(town.nameStart) + Int(town.nameCount)]
        let rank = Int(town.population)
        return MapLabel(name: String(decoding: bytes, as: UTF8.self), point: Self.point(town), rank: rank)
    }

    private static func point(_ town: Town) -> MapPoint {
        MapPoint(longitude: Double(town.longitude) / scale, latitude: Double(town.latitude) / scale)
    }
}

extension TownTable {
    /// Where the columns are that are read.
    private struct Columns {
        let name: Int
        let latitude: Int
        let longitude: Int
        let population: Int

        init?(_ line: ArraySlice<UInt8>) {
            let titles = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard let name = titles.firstIndex(of: "name"), let latitude = titles.firstIndex(of: "lat"),
                let longitude = titles.firstIndex(of: "lon"), let population = titles.firstIndex(of: "population")
            else { return nil }
            (self.name, self.latitude, self.longitude, self.population) = (name, latitude, longitude, population)
        }

        var last: Int { max(name, latitude, longitude, population) }
    }

    /// A row that has no position is left out.
    private mutating func add(_ line: ArraySlice<UInt8>, _ columns: Columns) {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard fields.count > columns.last, let latitude = Self.degrees(fields[columns.latitude], 90),
            let longitude = Self.degrees(fields[columns.longitude], 180)
        else { return }
        let population = Int32(String(decoding: fields[columns.population], as: UTF8.self)) ?? 0
        let name = fields[columns.name]
        guard let start = Int32(exactly: names.count), let count = Int32(exactly: name.count) else { return }
        names += name
        let town = Town(
            latitude: latitude, longitude: longitude, population: population, nameStart: start, nameCount: count)
        let point = Self.point(town)
        let square = Self.square(Int(point.longitude.rounded(.down)), Int(point.latitude.rounded(.down)))
        squares[square, default: []].append(town)
    }

    private static func degrees(_ text: ArraySlice<UInt8>, _ limit: Double) -> Int32? {
        guard let degrees = Double(String(decoding: text, as: UTF8.self)), abs(degrees) <= limit else { return nil }
        return Int32((degrees * scale).rounded())
    }

    /// The squares that a box meets, in a fixed order.
    private static func squares(of box: MapBox) -> [Int32] {
        let (west, east) = (Int(box.west.rounded(.down)), Int(box.east.rounded(.down)))
        let (south, north) = (Int(box.south.rounded(.down)), Int(box.north.rounded(.down)))
        var squares: Set<Int32> = []
        for latitude in south...max(south, north) {
            for longitude in west...max(west, east) { squares.insert(square(longitude, latitude)) }
        }
        return squares.sorted()
    }

    /// The number of a square by its west and south; the same after a turn around the globe.
    private static func square(_ west: Int, _ south: Int) -> Int32 {
        let column = (west + 180) % 360
        return Int32(clamping: (south + 90) * 360 + (column < 0 ? column + 360 : column))
    }
}
