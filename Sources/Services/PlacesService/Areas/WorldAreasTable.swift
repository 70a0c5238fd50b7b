import Geo

/// The table of outlines in the folder of bundled data; `Data/README.md` says what it has.
enum WorldAreasTable {
    /// 1e-7 degrees in one of the table's.
    private static let unit: Int64 = 1000
    /// How far a step may go, in units of the table: an ocean's is as wide as the Earth, and would be taken the shorter
    /// way around it.
    private static let farthest: Int64 = 900_000

    /// An index of what the table has, to be written.
    static func read(_ path: String, scratchFolder: String) throws(PlacesError) -> AreaIndexWriter {
        var table = try BundledTable(path: path)
        let (kind, code, country) = (try table.column("kind"), try table.column("code"), try table.column("country"))
        let (region, outline) = (try table.column("region"), try table.column("outline"))
        var writer = AreaIndexWriter(scratchFolder: scratchFolder)
        var last: (record: AreaRecord, number: UInt32)?
        while try table.next() {
            guard let own = Self.kinds[try table.text(kind)] else { throw .damaged(what: path) }
            let record = AreaRecord(
                kind: own, id: "", name: try table.text(region), code: try table.text(code),
                place: try table.text(country))
            let number = last?.record == record ? last?.number : writer.add(record)
            guard let number, let ring = ring(try table.text(outline)) else { throw .damaged(what: path) }
            last = (record, number)
            do throws(GeoError) { try writer.add(rings: [ring], to: number, record.kind) } catch {
                throw PlacesError(error, "the outlines of the world")
            }
        }
        return writer
    }

    private static let kinds: [String: AreaKind] = [
        "land": .region, "country": .country, "lake": .lake, "island": .island, "sea": .sea,
    ]

    /// "601700,249400 12,-5": steps from one point to the next, the first from zero. Nil for anything else.
    private static func ring(_ text: String) -> [AreaPoint]? {
        var points: [AreaPoint] = []
        var (latitude, longitude): (Int64, Int64) = (0, 0)
        var last: (latitude: Int64, longitude: Int64)?
        var (number, sign, isFirst): (Int64, Int64, Bool) = (0, 1, true)
        for byte in Array(text.utf8) + [UInt8(ascii: " ")] {
            switch byte {
            case UInt8(ascii: "-"): sign = -1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
                guard number < 10_000_000 else { return nil }
            case UInt8(ascii: ",") where isFirst:
                latitude += sign * number
                (number, sign, isFirst) = (0, 1, false)
            case UInt8(ascii: " ") where !isFirst:
                longitude += sign * number
                (number, sign, isFirst) = (0, 1, true)
                let from = last ?? (latitude, longitude)
                let (north, east) = (latitude - from.latitude, longitude - from.longitude)
                let parts = max(1, (abs(east) + farthest - 1) / farthest)
                for part in 1...parts {
                    points.append(
                        AreaPoint(
                            latitude: Int32(clamping: (from.latitude + north * part / parts) * unit),
                            longitude: Int32(clamping: (from.longitude + east * part / parts) * unit)))
                }
                last = (latitude, longitude)
            default: return nil
            }
        }
        return points
    }
}
