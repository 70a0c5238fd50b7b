import Bytes
import PlaceContracts
import FeatureFiles
import Geo
import Refusals
import Texts
import Wire

/// Checks rows and collects them as places of a dataset.
struct PlaceWriter: ~Copyable {
    static let longestID = 180
    static let longestName = 1024
    static let longestCategory = 255
    /// Bytes of a packed place, without its search text.
    static let longestPlace = 64 << 10
    /// Texts of categories that are remembered at once.
    private static let maximumRemembered = 50_000

    private struct Categories {
        let names: [String]
        let set: CategorySet
    }

    private let prefix: String
    private var builder: SnapshotBuilder
    private var remembered: [String: Categories] = [:]
    private var searchText = FoldedText()
    private var record: [UInt8] = []

    /// What has come so far is kept in files without names in `scratchFolder`.
    /// - Parameter memory: bytes that each table of rows may take in memory; nil: as many as is usual.
    init(_ dataset: DatasetName, scratchFolder: String, memory: Int? = nil) {
        prefix = "catalog/\(dataset)/"
        builder = SnapshotBuilder(scratchFolder: scratchFolder, memory: memory)
    }

    /// Rows taken, those with a repeated id included.
    var count: Int { builder.count }

    /// Makes room for the next row, on the disk if need be.
    mutating func makeRoom() throws(GeoError) {
        try builder.makeRoom(idBytes: 255, recordBytes: StoredPlace.longestHead + Self.longestPlace)
    }

    /// Takes a row. Refused rows leave nothing behind.
    mutating func add(_ row: PlaceRow) throws(RowProblem) {
        guard !row.name.isEmpty else { throw RowProblem("it has no name") }
        guard row.name.utf8.count <= Self.longestName else {
            throw RowProblem("its name has \(row.name.utf8.count) bytes, at most \(Self.longestName) are allowed")
        }
        let point = try Self.point(row)
        let id = prefix + (try Self.id(row, point))
        let categories = try categories(row.categories)
        let place = Place(
            id: id, name: row.name, categories: categories.names,
            position: BaseContracts.Coordinate(latitude: point.latitude, longitude: point.longitude),
            attributes: row.attributes.map { Attribute(key: $0.key, value: $0.value) })
        try write(place, row, at: point, categories.set)
    }

    /// Writes the snapshot. Blocks.
    consuming func write(to path: String) throws(GeoError) -> BuildReport { try builder.write(to: path) }

    private mutating func write(
        _ place: Place, _ row: PlaceRow, at point: Geo.Coordinate, _ categories: CategorySet
    ) throws(RowProblem) {
        let packed = place.packedBytes()
        guard packed.count <= Self.longestPlace else {
            throw RowProblem("it takes \(packed.count) bytes, at most \(Self.longestPlace) are allowed")
        }
        collectSearchText(row)
        StoredPlace.write(text: searchText.bytes, to: &record)
        record.append(contentsOf: packed)
        do throws(GeoError) {
            try builder.add(id: Array(place.id.utf8), at: point, categories: categories, record: record)
        } catch {
            throw RowProblem(error.description)
        }
    }

    private mutating func collectSearchText(_ row: PlaceRow) {
        searchText.removeAll()
        searchText.add(row.name)
        for (key, value) in row.attributes where NameKeys.contains(key) { searchText.add(value) }
    }

    private mutating func categories(_ text: String) throws(RowProblem) -> Categories {
        if let known = remembered[text] { return known }
        let names = text.split(at: ";").map { String($0).withoutBlanks }.filter { !$0.isEmpty }
        guard names.count <= PlaceRow.maximumCategories else {
            throw RowProblem("it has \(names.count) categories, at most \(PlaceRow.maximumCategories) are allowed")
        }
        if let long = names.first(where: { $0.utf8.count > Self.longestCategory }) {
            throw RowProblem("category \(long.quoted) has more than \(Self.longestCategory) bytes")
        }
        do throws(GeoError) {
            let categories = Categories(names: names, set: try builder.categorySet(names.map { Array($0.utf8) }))
            if remembered.count >= Self.maximumRemembered { remembered.removeAll() }
            remembered[text] = categories
            return categories
        } catch {
            throw RowProblem(error.description)
        }
    }

    private static func point(_ row: PlaceRow) throws(RowProblem) -> Geo.Coordinate {
        do throws(GeoError) {
            return try Geo.Coordinate(latitude: row.latitude, longitude: row.longitude)
        } catch {
            throw RowProblem(error.description)
        }
    }

    /// The id in the file. Without one it is derived from name and position: the same place gets the same id in the
    /// next edition of the file, in whichever row it is.
    private static func id(_ row: PlaceRow, _ point: Geo.Coordinate) throws(RowProblem) -> String {
        guard let id = row.id else {
            var hash = StableHash()
            hash.add(UInt64(bitPattern: Int64(point.latitudeE7)))
            hash.add(UInt64(bitPattern: Int64(point.longitudeE7)))
            hash.add(row.name.utf8)
            return "h" + String(hash.value, radix: 16)
        }
        guard !id.isEmpty else { throw RowProblem("it has no id") }
        guard id.utf8.count <= longestID else {
            throw RowProblem("its id has \(id.utf8.count) bytes, at most \(longestID) are allowed")
        }
        return id
    }
}

/// Which attributes hold other names of a place, for searches by name.
enum NameKeys {
    private static let names: Set<String> = [
        "alt_names", "alt_name", "alternate_names", "alternatenames", "old_name", "short_name", "official_name",
        "loc_name",
        "int_name", "asciiname",
    ]

    /// Also takes "name_fi" and "name:fi".
    static func contains(_ key: String) -> Bool {
        key.begins(with: "name_") || key.begins(with: "name:") || names.contains(key)
    }
}
