import Bytes
import PlaceContracts
import FeatureFiles
import Refusals

/// The named places of an .osm.pbf file, and what its map is drawn of.
///
/// The file holds positions of nodes only, mostly nodes before ways and ways before relations. So it is read twice:
/// first all of it, for the nodes and the relations; then the blobs with ways, whose nodes are known by then, and those
/// that have nodes of ways along houses.
struct OSMRows: RowReader, ~Copyable {
    /// What all blobs of a file may unpack to, read again ones included.
    /// - Parameter largestUpload: the largest file that may be imported, in bytes.
    static func limitBytes(largestUpload: UInt64) -> UInt64 {
        largestUpload.multipliedReportingOverflow(by: 16).partialValue
    }
    private static let knownFeatures: Set<String> = ["OsmSchema-V0.6", "DenseNodes"]

    private enum Stage {
        case firstReading
        /// The index says which blob with ways is next.
        case ways(Int)
        /// The index says which blob with nodes that have numbers of houses is next.
        case numbers(Int)
        /// The index says which relation is next.
        case relations(Int)
        /// The index says which stop is next.
        case stops(Int)
        /// Houses between those with numbers.
        case interpolations
        case lines
    }

    /// What one blob gave.
    private enum Found {
        case node(OSMNode)
        case bad(RowProblem)
    }

    private let file: FileSource
    private var reader: BlobReader
    /// What the file says of itself, once that was read.
    private(set) var header: PbfHeader?
    private var stage = Stage.firstReading
    private var block: OSMBlock?
    private var found: [Found] = []
    private var nextFound = 0
    private var nextWay = 0
    private let geometry: OSMGeometry
    private var relations: OSMRelations
    private var interpolations = OSMInterpolations()
    private var lines: OSMLines
    private var stops = OSMStops()
    private var wayBlobs: [BlobReader.Entry] = []
    /// With the ids that their nodes are between.
    private var numberBlobs: [(entry: BlobReader.Entry, ids: ClosedRange<Int64>)] = []
    /// What makes the map of what is read; nil for none.
    private let map: OSMMap?
    /// What makes the index of areas of what is read; nil for none.
    private let areas: OSMAreas?
    /// Looked at for each element, as a blob of some kilobytes can hold millions.
    private let turn: ReadingTurn

    init(
        _ file: FileSource, _ geometry: OSMGeometry, largestUpload: UInt64, relations: OSMRelations = OSMRelations(),
        map: OSMMap? = nil, areas: OSMAreas? = nil, _ turn: ReadingTurn = ReadingTurn()
    ) {
        self.file = file
        self.geometry = geometry
        lines = OSMLines(folder: geometry.folder, memory: geometry.memory)
        self.turn = turn
        self.relations = relations
        self.map = map
        self.areas = areas
        reader = BlobReader(file, limitBytes: Self.limitBytes(largestUpload: largestUpload))
        // About as much as the second reading takes of an ordinary file.
        file.repeatedBytes = file.byteCount / 2
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        while nextFound < found.count {
            try look()
            nextFound += 1
            if let event = take(found[nextFound - 1], &row) { return event }
        }
        switch stage {
        case .firstReading: try readNextBlob()
        case .ways(let next): return try takeWays(next, &row)
        case .numbers(let next): try readNumbers(next)
        case .relations(let next): return take(relation: next, &row)
        case .stops(let next): return take(stop: next, &row)
        case .interpolations:
            if let event = interpolations.next(&row, geometry) { return event }
            stage = .lines
        case .lines: return try lines.next(&row)
        }
        return .nothing
    }

    private func look() throws(PlacesError) {
        try PlacesError.reading { () throws(SourceError) in try turn.checkStopped() }
    }

    private mutating func take(_ found: Found, _ row: inout PlaceRow) -> RowEvent? {
        guard let block else { return nil }
        switch found {
        case .bad(let problem): return .bad(line: block.place.number, problem)
        case .node(let node):
            do throws(RowProblem) {
                let tags = try OSMTags(node.tags, in: block)
                guard tags.fill(&row) else { return nil }
                if tags.isStop, stops.add(row, node: node, from: block.place) { return nil }
            } catch {
                return .bad(line: block.place.number, RowProblem("node/\(node.id): \(error)"))
            }
            row.id = "node/\(node.id)"
            row.latitude = Double(node.latitude) / 1e9
            row.longitude = Double(node.longitude) / 1e9
            return .row(line: block.place.number)
        }
    }
}

// MARK: the first reading

extension OSMRows {
    private mutating func readNextBlob() throws(PlacesError) {
        guard let entry = try reader.next() else { return try beginSecondReading() }
        found.removeAll(keepingCapacity: true)
        nextFound = 0
        switch entry.type {
        case "OSMHeader": try checkHeader(entry)
        case _ where entry.place.number == 1:
            throw entry.place.error("its type is \(entry.type.quoted); an .osm.pbf begins with OSMHeader")
        case "OSMData": try readData(entry)
        default: reader.pass(over: entry)
        }
    }

    private mutating func checkHeader(_ entry: BlobReader.Entry) throws(PlacesError) {
        let header: PbfHeader = try entry.place.unpack(
            try reader.content(of: entry), budget: 2 * BlobReader.longestBlob)
        if let unknown = header.requiredFeatures.first(where: { !Self.knownFeatures.contains($0) }) {
            throw entry.place.error("the file needs a reader that knows \(unknown.quoted), which this one does not")
        }
        self.header = header
        map?.note(header)
    }

    private mutating func readData(_ entry: BlobReader.Entry) throws(PlacesError) {
        let block = try OSMBlock(try reader.content(of: entry), entry.place)
        self.block = block
        map?.begin(block)
        if !block.ways.isEmpty { wayBlobs.append(entry) }
        for way in block.ways {
            try look()
            for node in try block.positionedNodes(of: way) {
                if let point = GridPoint(node) { try geometry.add(node.id, point) }
            }
        }
        try readNodes(block, entry)
        guard numberBlobs.count + wayBlobs.count <= Self.maximumBlobs else {
            throw entry.place.error("it has more than \(Self.maximumBlobs) blobs, which is the limit")
        }
        for relation in block.relations {
            try look()
            let tags = try block.tags(relation.keys, relation.values)
            try map?.note(relation, tags, in: block)
            if let areas, block.canBeBoundary(tags) || block.canBePlace(tags), let own = try? OSMTags(tags, in: block) {
                areas.note(relation.id, own, try block.members(of: relation))
            }
            try keep(relation, tags, block)
        }
    }

    /// An extract of the whole planet has about 50,000.
    private static var maximumBlobs: Int { 10_000_000 }

    private mutating func readNodes(_ block: OSMBlock, _ entry: BlobReader.Entry) throws(PlacesError) {
        var places: [Found] = []
        var (lowest, highest) = (Int64.max, Int64.min)
        try block.forEachNode(withTags: true) { node throws(PlacesError) in
            try look()
            (lowest, highest) = (min(lowest, node.id), max(highest, node.id))
            if let point = GridPoint(node) {
                try geometry.add(node.id, point)
                try map?.note(node, at: point, in: block)
            }
            if block.canBePlace(node.tags) { places.append(.node(node)) }
        }
        found = places
        if lowest <= highest, block.hasKey(.number) { numberBlobs.append((entry, lowest...highest)) }
    }

    /// Keeps a relation that is a place.
    private mutating func keep(_ relation: PbfRelation, _ tags: [TagPair], _ block: OSMBlock) throws(PlacesError) {
        if block.canBeLine(tags) || block.canBePlace(tags) { try keepStops(relation, tags, block) }
        guard block.canBePlace(tags) else { return }
        var row = PlaceRow()
        row.id = "relation/\(relation.id)"
        let type: String
        do throws(RowProblem) {
            let tags = try OSMTags(tags, in: block)
            guard tags.fill(&row) || tags.fillLine(&row) else { return }
            type = tags.type
        } catch {
            return found.append(.bad(RowProblem("relation/\(relation.id): \(error)")))
        }
        let isArea = OSMKeys.areaTypes.contains(type)
        let isLine = row.categories.begins(with: LineCategory.path)
        guard isArea || !isLine && OSMKeys.groupTypes.contains(type) else { return }
        try relations.add(row, from: block.place, try block.members(of: relation), isArea: isArea)
    }
}

extension OSMRows {
    /// Keeps where a line stops, and what is one stop.
    private mutating func keepStops(
        _ relation: PbfRelation, _ tags: [TagPair], _ block: OSMBlock
    ) throws(PlacesError) {
        guard let tags = try? OSMTags(tags, in: block) else { return }
        if let line = tags.routeLine { stops.add(line: line, try block.members(of: relation)) }
        if tags.isStopArea { stops.add(area: try block.members(of: relation)) }
    }
}

// MARK: the second reading

extension OSMRows {
    private mutating func beginSecondReading() throws(PlacesError) {
        found = []
        block = nil
        try geometry.seal()
        stops.seal()
        geometry.keepWays(
            needed: relations.ways, optional: (map?.memberWays ?? []) + (areas?.memberWays ?? []))
        try relations.refuseTooMuch(waysBytes: geometry.memberWays.heldBytes)
        try map?.beginDrawing { () throws(PlacesError) in try look() }
        file.repeatedBytes = Self.byteCount(wayBlobs)
        stage = .ways(0)
    }

    private static func byteCount(_ blobs: [BlobReader.Entry]) -> UInt64 {
        blobs.reduce(0) { $0 + UInt64($1.byteCount) }
    }

    /// Takes ways of a blob up to one that is a place.
    private mutating func takeWays(_ next: Int, _ row: inout PlaceRow) throws(PlacesError) -> RowEvent {
        guard let block else {
            try readWays(next)
            return .nothing
        }
        while nextWay < block.ways.count {
            try look()
            nextWay += 1
            if let event = try take(block.way(block.ways[nextWay - 1]), block, &row) { return event }
        }
        self.block = nil
        stage = .ways(next + 1)
        return .nothing
    }

    private mutating func readWays(_ next: Int) throws(PlacesError) {
        guard next < wayBlobs.count else { return try beginNumbers() }
        let block = try OSMBlock(try reader.content(of: wayBlobs[next]), wayBlobs[next].place)
        self.block = block
        nextWay = 0
        map?.begin(block)
    }

    private mutating func take(
        _ way: OSMWay, _ block: OSMBlock, _ row: inout PlaceRow
    ) throws(PlacesError) -> RowEvent? {
        try geometry.note(way)
        try map?.draw(way, in: block)
        if block.areOfInterpolation(way.tags), let tags = try? OSMTags(way.tags, in: block) {
            interpolations.add(way, tags, from: block.place)
        }
        let mayBeLine = block.canBeLine(way.tags)
        guard mayBeLine || block.canBePlace(way.tags) || block.canBeBoundary(way.tags) else { return nil }
        row.id = "way/\(way.id)"
        let tags: OSMTags
        do throws(RowProblem) {
            tags = try OSMTags(way.tags, in: block)
        } catch {
            return .bad(line: block.place.number, RowProblem("way/\(way.id): \(error)"))
        }
        return try take(way, tags, mayBeLine: mayBeLine, block, &row)
    }

    private mutating func take(
        _ way: OSMWay, _ tags: OSMTags, mayBeLine: Bool, _ block: OSMBlock, _ row: inout PlaceRow
    ) throws(PlacesError) -> RowEvent? {
        try areas?.note(way, tags)
        let isPlace = tags.fill(&row)
        guard mayBeLine || isPlace else { return nil }
        let points = geometry.points(way.nodes)
        if mayBeLine {
            // A square that is a street too is a square.
            let own = tags.lines.filter { !isPlace || $0.name != row.name }
            try lines.add(way, own, from: block.place, points)
            if let street = own.first(where: { $0.kind == .street }) {
                try areas?.note(street: street.name, tags, points)
            }
        }
        guard isPlace else { return nil }
        if tags.isStop { stops.addLines(to: &row, way: way.id) }
        let centre: OSMCentre.Centre?
        do throws(RowProblem) {
            centre = try geometry.centre(ofWay: way.nodes, points)
        } catch {
            return .bad(line: block.place.number, RowProblem("way/\(way.id): \(error)"))
        }
        guard let centre else { return nil }
        (row.latitude, row.longitude) = centre
        if row.hasAddress { try areas?.note(house: tags.address, id: "way/\(way.id)", points, centre: centre) }
        return .row(line: block.place.number)
    }

    private mutating func beginNumbers() throws(PlacesError) {
        try geometry.sealWays()
        interpolations.findNodes()
        numberBlobs.removeAll { !interpolations.needs($0.ids) }
        file.repeatedBytes += Self.byteCount(numberBlobs.map(\.entry))
        stage = .numbers(0)
    }

    private mutating func readNumbers(_ next: Int) throws(PlacesError) {
        guard next < numberBlobs.count else { return stage = .relations(0) }
        let entry = numberBlobs[next].entry
        let block = try OSMBlock(try reader.content(of: entry), entry.place)
        // Moved aside: a closure can't change what self holds.
        var interpolations = OSMInterpolations()
        swap(&interpolations, &self.interpolations)
        try block.forEachNode(withTags: true) { node throws(PlacesError) in
            try look()
            interpolations.note(node, in: block)
        }
        swap(&interpolations, &self.interpolations)
        stage = .numbers(next + 1)
    }

    private mutating func take(relation next: Int, _ row: inout PlaceRow) -> RowEvent {
        guard next < relations.count else {
            stage = .stops(0)
            return .nothing
        }
        stage = .relations(next + 1)
        return relations.fill(&row, next, geometry)
    }

    private mutating func take(stop next: Int, _ row: inout PlaceRow) -> RowEvent {
        guard next < stops.count else {
            stage = .interpolations
            return .nothing
        }
        stage = .stops(next + 1)
        return stops.fill(&row, next)
    }
}
