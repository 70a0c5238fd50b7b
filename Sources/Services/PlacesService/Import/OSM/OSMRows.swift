import PlaceContracts
import FeatureFiles
import Refusals

/// The named places of an .osm.pbf file.
///
/// The file holds positions of nodes only, mostly nodes before ways and ways before relations. So it is read up to
/// three times, each time only the blobs that are needed: all, for the places among nodes, ways and relations; then
/// those with ways, for the nodes of ways that relations are made of; then those with nodes, for their positions.
struct OSMRows: RowReader, ~Copyable {
    /// What all blobs of a file may unpack to, read again ones included.
    /// - Parameter largestUpload: the largest file that may be imported, in bytes.
    static func limitBytes(largestUpload: UInt64) -> UInt64 {
        largestUpload.multipliedReportingOverflow(by: 16).partialValue
    }
    private static let knownFeatures: Set<String> = ["OsmSchema-V0.6", "DenseNodes"]

    private enum Stage {
        case elements
        /// The index says which blob is next.
        case memberWays(Int)
        case positions(Int)
        /// The index says which shape is next.
        case shapes(Int)
        /// Houses between those with numbers.
        case interpolations
    }

    /// What one blob gave.
    private enum Found {
        case node(OSMNode)
        case bad(RowProblem)
    }

    private let file: FileSource
    private var reader: BlobReader
    private var stage = Stage.elements
    private var block: OSMBlock?
    private var found: [Found] = []
    private var nextFound = 0
    private var shapes: OSMShapes
    private var interpolations = OSMInterpolations()
    private var lacksAddresses = false
    private var nodeBlobs: [BlobReader.Entry] = []
    private var wayBlobs: [BlobReader.Entry] = []
    /// What makes the map of what is read; nil for none.
    private let map: OSMMap?
    /// Looked at for each element, as a blob of some kilobytes can hold millions.
    private let turn: ReadingTurn

    init(
        _ file: FileSource, largestUpload: UInt64, shapes: OSMShapes = OSMShapes(), map: OSMMap? = nil,
        _ turn: ReadingTurn = ReadingTurn()
    ) {
        self.file = file
        self.turn = turn
        self.shapes = shapes
        self.map = map
        reader = BlobReader(file, limitBytes: Self.limitBytes(largestUpload: largestUpload))
        // About as much as the later passes read of an ordinary file.
        file.repeatedBytes = file.byteCount
    }

    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent? {
        while nextFound < found.count {
            try look()
            nextFound += 1
            if let event = take(found[nextFound - 1], &row) { return event }
        }
        switch stage {
        case .elements: try readElements()
        case .memberWays(let next): try readMemberWays(next)
        case .positions(let next): try readPositions(next)
        case .shapes(let next): return take(shape: next, &row)
        case .interpolations: return interpolations.next(&row)
        }
        return .nothing
    }

    private func look() throws(PlacesError) {
        try PlacesError.reading { () throws(SourceError) in try turn.checkStopped() }
    }

    private func take(_ found: Found, _ row: inout PlaceRow) -> RowEvent? {
        guard let block else { return nil }
        switch found {
        case .bad(let problem): return .bad(line: block.place.number, problem)
        case .node(let node):
            do throws(RowProblem) {
                guard try OSMTags(node.tags, in: block).fill(&row) else { return nil }
            } catch {
                return .bad(line: block.place.number, RowProblem("node/\(node.id): \(error)"))
            }
            row.id = "node/\(node.id)"
            row.latitude = Double(node.latitude) / 1e9
            row.longitude = Double(node.longitude) / 1e9
            return .row(line: block.place.number)
        }
    }

    private mutating func take(shape next: Int, _ row: inout PlaceRow) -> RowEvent {
        guard next < shapes.count else {
            stage = .interpolations
            return .nothing
        }
        stage = .shapes(next + 1)
        return shapes.fill(&row, next)
    }
}

// MARK: the first reading

extension OSMRows {
    private mutating func readElements() throws(PlacesError) {
        guard let entry = try reader.next() else { return plan() }
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
        map?.note(header)
    }

    private mutating func readData(_ entry: BlobReader.Entry) throws(PlacesError) {
        let block = try OSMBlock(try reader.content(of: entry), entry.place)
        self.block = block
        if block.hasNodes { nodeBlobs.append(entry) }
        if !block.ways.isEmpty { wayBlobs.append(entry) }
        guard nodeBlobs.count + wayBlobs.count <= Self.mostBlobs else {
            throw entry.place.error("it has more than \(Self.mostBlobs) blobs, which is the limit")
        }
        try map?.note(block, entry)
        var nodes: [Found] = []
        try block.forEachNode(withTags: true) { node throws(PlacesError) in
            try look()
            try map?.note(node, in: block)
            if block.canBePlace(node.tags) { nodes.append(.node(node)) }
        }
        found = nodes
        for way in block.ways {
            try look()
            try keep(way, block)
        }
        for relation in block.relations {
            try look()
            try keep(relation, block)
        }
    }

    /// An extract of the whole planet has about 50,000.
    private static var mostBlobs: Int { 10_000_000 }

    private mutating func keep(_ way: PbfWay, _ block: OSMBlock) throws(PlacesError) {
        let tags = try block.tags(way.keys, way.values)
        if block.areOfInterpolation(tags), let read = try? OSMTags(tags, in: block) {
            try interpolations.add(way, read, in: block)
        }
        guard let row = row("way/\(way.id)", tags, block)?.row else { return }
        if row.categories == AddressCategory.path, !shapes.hasRoomForAddresses { return noteMissingAddresses() }
        try shapes.add(row, way, in: block)
    }

    private mutating func keep(_ relation: PbfRelation, _ block: OSMBlock) throws(PlacesError) {
        let tags = try block.tags(relation.keys, relation.values)
        guard let (row, type) = row("relation/\(relation.id)", tags, block) else { return }
        let isArea = OSMKeys.areaTypes.contains(type)
        guard isArea || OSMKeys.groupTypes.contains(type) else { return }
        try shapes.add(row, from: block.place, members: try block.members(of: relation), isArea: isArea)
    }

    /// Says once that houses are left out.
    private mutating func noteMissingAddresses() {
        guard !lacksAddresses else { return }
        lacksAddresses = true
        found.append(.bad(RowProblem("houses without a name are left out from here on; import a smaller area")))
    }

    /// The row of a way or relation, still without a position; nil when it is no place or can't be read.
    private mutating func row(_ id: String, _ tags: [TagPair], _ block: OSMBlock) -> (row: PlaceRow, type: String)? {
        guard block.canBePlace(tags) else { return nil }
        do throws(RowProblem) {
            let tags = try OSMTags(tags, in: block)
            var row = PlaceRow()
            row.id = id
            return tags.fill(&row) ? (row, tags.type) : nil
        } catch {
            found.append(.bad(RowProblem("\(id): \(error)")))
            return nil
        }
    }
}

// MARK: the second and third reading

extension OSMRows {
    private mutating func plan() {
        found = []
        shapes.findMemberWays()
        if !shapes.needsWays { wayBlobs = [] }
        if shapes.count == 0, interpolations.isEmpty { nodeBlobs = [] }
        file.repeatedBytes = (wayBlobs + nodeBlobs).reduce(map?.repeatedBytes ?? 0) { $0 + UInt64($1.byteCount) }
        stage = .memberWays(0)
    }

    private mutating func readMemberWays(_ next: Int) throws(PlacesError) {
        guard next < wayBlobs.count else {
            shapes.findNodes()
            interpolations.findNodes()
            return stage = .positions(0)
        }
        let block = try OSMBlock(try reader.content(of: wayBlobs[next]), wayBlobs[next].place)
        for way in block.ways {
            try look()
            try shapes.note(way, in: block)
        }
        stage = .memberWays(next + 1)
    }

    private mutating func readPositions(_ next: Int) throws(PlacesError) {
        guard next < nodeBlobs.count else { return stage = .shapes(0) }
        let block = try OSMBlock(try reader.content(of: nodeBlobs[next]), nodeBlobs[next].place)
        // Moved aside: a closure can't change what self holds.
        var shapes = OSMShapes()
        swap(&shapes, &self.shapes)
        var interpolations = OSMInterpolations()
        swap(&interpolations, &self.interpolations)
        try block.forEachNode(withTags: !interpolations.isEmpty) { node throws(PlacesError) in
            try look()
            shapes.note(node)
            interpolations.note(node, in: block)
        }
        self.shapes = shapes
        self.interpolations = interpolations
        stage = .positions(next + 1)
    }
}
