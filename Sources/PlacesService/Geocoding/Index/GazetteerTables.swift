/// Reads the bundled tables into a gazetteer.
struct GazetteerTables {
    /// People of regions and towns whose own name is also found with a typing mistake; of those whose other names are.
    private static let known: UInt32 = 100_000
    private static let famous: UInt32 = 1_000_000
    /// Letters of names that are found with a typing mistake. Too many common words are one letter away from shorter
    /// ones; only the best known names may be that short.
    private static let commonLetters = 7
    private static let fewLetters = 5
    private static let between = UInt8(ascii: "|")

    private let folder: String
    private var writer = GazetteerWriter()
    private var countries: [String: UInt16] = [:]
    private var regions: [String: UInt16] = [:]
    private var towns: [UInt32: UInt32] = [:]

    private init(_ folder: String) { self.folder = folder }

    /// The tables in the folder of bundled data.
    static func paths(in folder: String) -> [String] {
        ["names/countries", "names/regions", "names/towns", "towns/towns"].map { "\(folder)/\($0).tsv.gz" }
    }

    /// The bytes of a gazetteer's file. Blocks for a second or two.
    static func read(_ folder: String, edition: UInt64) throws(PlacesError) -> [UInt8] {
        var tables = GazetteerTables(folder)
        try tables.readCountries()
        try tables.readRegions()
        try tables.readTowns()
        try tables.readTownNames()
        return tables.writer.bytes(edition: edition)
    }

    private mutating func readCountries() throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/names/countries.tsv.gz")
        let columns = try ExtentColumns(table)
        let (code, name) = (try table.column("code"), try table.column("name"))
        let (codes, names) = (try table.column("codes"), try table.column("names"))
        while try table.next() {
            let number = try number("countries")
            let letters = try table.text(code)
            countries[letters] = number
            var row = try columns.row(.country, try table.text(name), table)
            (row.country, row.region) = (number, GazetteerRecord.noRegion)
            row.code = letters.utf8.reversed().reduce(0) { $0 << 8 | UInt16($1) }
            writer.add(row)
            addNames(of: UInt32(number), row, try table.text(names), codes: try table.text(codes))
        }
    }

    private mutating func readRegions() throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/names/regions.tsv.gz")
        let columns = try ExtentColumns(table)
        let (country, admin1) = (try table.column("country"), try table.column("admin1"))
        let (name, codes, names) = (try table.column("name"), try table.column("codes"), try table.column("names"))
        while try table.next() {
            let number = try number("regions")
            guard let nation = countries[try table.text(country)] else { continue }
            regions[try table.text(country) + "." + (try table.text(admin1))] = number
            var row = try columns.row(.region, try table.text(name), table)
            (row.country, row.region) = (nation, number)
            writer.add(row)
            addNames(of: UInt32(number), row, try table.text(names), codes: try table.text(codes))
        }
    }

    private mutating func addNames(of record: UInt32, _ row: GazetteerRow, _ others: String, codes: String) {
        let shortest = Self.shortestSpelling(of: row)
        writer.name(row.name, GazetteerTarget(record: record, quality: .main), spelledFrom: shortest)
        for other in Self.parts(others) {
            let target = GazetteerTarget(record: record, quality: .other)
            writer.name(other, target, spelledFrom: shortest.map { _ in Self.commonLetters })
        }
        for code in Self.parts(codes) {
            writer.name(code, GazetteerTarget(record: record, quality: .code))
        }
    }

    /// The names in a field. Cut as bytes: a name may begin with a mark, which makes one character with the `|`.
    private static func parts(_ field: String) -> [String] {
        field.utf8.split(separator: between).map { String(Substring($0)) }
    }

    private mutating func readTowns() throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/towns/towns.tsv.gz")
        let (id, name, country) = (try table.column("id"), try table.column("name"), try table.column("country"))
        let (admin1, population) = (try table.column("admin1"), try table.column("population"))
        let (latitude, longitude) = (try table.column("lat"), try table.column("lon"))
        while try table.next() {
            let nation = try table.text(country)
            guard let number = countries[nation], writer.count < GazetteerTarget.mostRecords else { continue }
            let row = GazetteerRow(
                kind: .town, name: try table.text(name), latitudeE7: try table.degreesE7(latitude),
                longitudeE7: try table.degreesE7(longitude), population: try table.count(population),
                sourceID: try table.count(id), country: number,
                region: regions[nation + "." + (try table.text(admin1))] ?? GazetteerRecord.noRegion)
            let record = writer.count
            towns[row.sourceID] = record
            writer.add(row)
            writer.name(
                row.name, GazetteerTarget(record: record, quality: .main), spelledFrom: Self.shortestSpelling(of: row))
        }
    }

    private mutating func readTownNames() throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/names/towns.tsv.gz")
        let (id, names) = (try table.column("id"), try table.column("names"))
        while try table.next() {
            guard let record = towns[try table.count(id)] else { continue }
            let shortest = writer.population(of: record) >= Self.famous ? Self.commonLetters : nil
            for name in Self.parts(try table.text(names)) {
                writer.name(name, GazetteerTarget(record: record, quality: .other), spelledFrom: shortest)
            }
        }
    }

    /// From how many letters on a record's own name is found with a typing mistake; nil when it never is.
    private static func shortestSpelling(of row: GazetteerRow) -> Int? {
        if row.kind == .country || row.kind == .town && row.population >= famous { return fewLetters }
        return row.population >= known ? commonLetters : nil
    }

    /// The number of the next record, which fits in the 16 bits that others name it by.
    private func number(_ what: String) throws(PlacesError) -> UInt16 {
        guard writer.count < UInt32(GazetteerRecord.noRegion) else {
            throw .damaged(what: "\(folder): too many \(what)")
        }
        return UInt16(writer.count)
    }
}

/// The columns that countries and regions have in common.
private struct ExtentColumns {
    private let latitude: Int
    private let longitude: Int
    private let edges: [Int]
    private let population: Int

    init(_ table: borrowing BundledTable) throws(PlacesError) {
        (latitude, longitude) = (try table.column("lat"), try table.column("lon"))
        population = try table.column("population")
        var edges: [Int] = []
        for name in ["south", "west", "north", "east"] { edges.append(try table.column(name)) }
        self.edges = edges
    }

    /// A row without country and region.
    func row(
        _ kind: GazetteerRecord.Kind, _ name: String, _ table: borrowing BundledTable
    ) throws(PlacesError) -> GazetteerRow {
        var extent: [Int32] = []
        for edge in edges { extent.append(try table.degreesE7(edge)) }
        return GazetteerRow(
            kind: kind, name: name, latitudeE7: try table.degreesE7(latitude),
            longitudeE7: try table.degreesE7(longitude), population: try table.count(population),
            country: 0, region: 0, extentE7: extent)
    }
}
