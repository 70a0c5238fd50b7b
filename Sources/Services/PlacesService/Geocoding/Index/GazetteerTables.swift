import Texts

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
    /// Takes all names for an index of their words; nil when none is made.
    private var names: NameIndexWriter?
    private var folded = FoldedText()
    private var countries: [String: UInt16] = [:]
    private var regions: [String: UInt16] = [:]
    private var towns: [UInt32: UInt32] = [:]

    private init(_ folder: String, _ names: NameIndexWriter? = nil) {
        self.folder = folder
        self.names = names
    }

    /// The tables in the folder of bundled data.
    static func paths(in folder: String) -> [String] {
        ["names/countries", "names/regions", "names/towns", "towns/towns"].map { "\(folder)/\($0).tsv.gz" }
    }

    /// The bytes of a gazetteer's file. Blocks for a second or two.
    static func read(_ folder: String, edition: UInt64) throws -> [UInt8] {
        var tables = GazetteerTables(folder)
        try tables.readAll()
        return tables.writer.bytes(edition: edition)
    }

    /// Indexes of the words of all names, beside the gazetteer's file. Blocks for some seconds.
    static func readNames(_ folder: String, to names: NameIndexWriter) throws -> [NameIndex] {
        var tables = GazetteerTables(folder, names)
        try tables.readAll()
        return try tables.names?.finish() ?? []
    }

    private mutating func readAll() throws {
        try readCountries()
        try readRegions()
        try readTowns()
        try readTownNames()
    }

    /// Lets a text lead to a record of a kind.
    private mutating func name(
        _ text: String, _ record: UInt32, _ quality: GazetteerTarget.Quality, _ kind: GazetteerRecord.Kind,
        spelledFrom shortest: Int? = nil
    ) throws {
        writer.name(text, GazetteerTarget(record: record, quality: quality), spelledFrom: shortest)
        // Letters for something name it only as a whole.
        guard names != nil, quality != .code else { return }
        folded.removeAll()
        folded.add(text)
        let points = Ranking.people(writer.population(of: record)) + Ranking.beginning(quality, kind)
        try names?.add(
            folded.bytes, item: record, points: points, of: quality == .main ? .thing : .otherName)
    }

    private mutating func readCountries() throws {
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
            try addNames(of: UInt32(number), row, try table.text(names), codes: try table.text(codes))
        }
    }

    private mutating func readRegions() throws {
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
            try addNames(of: UInt32(number), row, try table.text(names), codes: try table.text(codes))
        }
    }

    private mutating func addNames(of record: UInt32, _ row: GazetteerRow, _ others: String, codes: String) throws {
        let shortest = Self.shortestSpelling(of: row)
        try name(row.name, record, .main, row.kind, spelledFrom: shortest)
        for other in Self.parts(others) {
            try name(other, record, .other, row.kind, spelledFrom: shortest.map { _ in Self.commonLetters })
        }
        for code in Self.parts(codes) { try name(code, record, .code, row.kind) }
    }

    /// The names in a field. Cut as bytes: a name may begin with a mark, which makes one character with the `|`.
    private static func parts(_ field: String) -> [String] {
        field.utf8.split(separator: between).map { String(Substring($0)) }
    }

    private mutating func readTowns() throws {
        var table = try BundledTable(path: "\(folder)/towns/towns.tsv.gz")
        let (id, name, country) = (try table.column("id"), try table.column("name"), try table.column("country"))
        let (admin1, population) = (try table.column("admin1"), try table.column("population"))
        let (latitude, longitude) = (try table.column("lat"), try table.column("lon"))
        while try table.next() {
            let nation = try table.text(country)
            guard let number = countries[nation], writer.count < GazetteerTarget.maximumRecords else { continue }
            let row = GazetteerRow(
                kind: .town, name: try table.text(name), latitudeE7: try table.degreesE7(latitude),
                longitudeE7: try table.degreesE7(longitude), population: try table.count(population),
                sourceID: try table.count(id), country: number,
                region: regions[nation + "." + (try table.text(admin1))] ?? GazetteerRecord.noRegion)
            let record = writer.count
            towns[row.sourceID] = record
            writer.add(row)
            try self.name(row.name, record, .main, .town, spelledFrom: Self.shortestSpelling(of: row))
        }
    }

    private mutating func readTownNames() throws {
        var table = try BundledTable(path: "\(folder)/names/towns.tsv.gz")
        let (id, names) = (try table.column("id"), try table.column("names"))
        while try table.next() {
            guard let record = towns[try table.count(id)] else { continue }
            let shortest = writer.population(of: record) >= Self.famous ? Self.commonLetters : nil
            for other in Self.parts(try table.text(names)) {
                try name(other, record, .other, .town, spelledFrom: shortest)
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
