import PlaceContracts

/// A tag of an element, as places in the block's list of texts.
struct TagPair {
    let key: UInt32
    let value: UInt32
}

/// A node of a block.
struct OSMNode {
    let id: Int64
    /// In 1e-9 degrees; not yet known to be on Earth.
    let latitude: Int64
    let longitude: Int64
    /// Empty when they were not asked for.
    let tags: [TagPair]
}

/// A way of a block.
struct OSMWay {
    let id: Int64
    /// The ids of its nodes.
    let nodes: [Int64]
    let tags: [TagPair]
}

/// A node or a way in a relation.
struct OSMMember {
    enum Part { case node, outer, inner, other }
    let id: Int64
    let part: Part
}

/// One block of elements. Any contradiction in it is an error of the file.
struct OSMBlock {
    /// Bytes of memory that unpacking a block may take; ordinary ones of 8,000 elements take a few million.
    static let budgetBytes = 256 << 20

    let place: BlobPlace
    let texts: [[UInt8]]
    let ways: [PbfWay]
    let relations: [PbfRelation]
    private let groups: [PbfGroup]
    private let granularity: Int64
    private let latitudeOffset: Int64
    private let longitudeOffset: Int64
    /// What each text means as a key.
    private let meanings: [OSMKeys.Meaning]

    init(_ content: [UInt8], _ place: BlobPlace) throws(PlacesError) {
        let block: PbfBlock = try place.unpack(content, budget: Self.budgetBytes)
        self.place = place
        texts = block.texts?.texts ?? []
        groups = block.groups
        ways = groups.flatMap(\.ways)
        relations = groups.flatMap(\.relations)
        granularity = Int64(block.granularity ?? 100)
        latitudeOffset = block.latitudeOffset
        longitudeOffset = block.longitudeOffset
        meanings = texts.map { OSMKeys.meaning(of: $0) }
    }

    /// Calls `body` with each node.
    func forEachNode(
        withTags: Bool, _ body: (OSMNode) throws(PlacesError) -> Void
    ) throws(PlacesError) {
        for group in groups {
            for node in group.nodes {
                let tags = try withTags ? tags(node.keys, node.values) : []
                let (latitude, longitude) = (Self.unfolded(node.latitude), Self.unfolded(node.longitude))
                try body(try self.node(Self.unfolded(node.id), latitude, longitude, tags))
            }
            if let dense = group.dense { try forEach(dense, withTags: withTags, body) }
        }
    }

    private func forEach(
        _ dense: PbfDenseNodes, withTags: Bool, _ body: (OSMNode) throws(PlacesError) -> Void
    ) throws(PlacesError) {
        guard dense.latitudes.count == dense.ids.count, dense.longitudes.count == dense.ids.count else {
            let counts =
                "\(dense.ids.count) ids, \(dense.latitudes.count) latitudes, \(dense.longitudes.count) longitudes"
            throw place.error("its nodes have \(counts)")
        }
        var (id, latitude, longitude, tagsRead) = (Int64(0), Int64(0), Int64(0), 0)
        for index in dense.ids.indices {
            id = try sum(id, dense.ids[index])
            latitude = try sum(latitude, dense.latitudes[index])
            longitude = try sum(longitude, dense.longitudes[index])
            let hasTags = withTags && !dense.tags.isEmpty
            try body(try node(id, latitude, longitude, hasTags ? try tags(dense.tags, &tagsRead) : []))
        }
        if withTags, tagsRead != dense.tags.count {
            throw place.error("its nodes have tags of more nodes than there are")
        }
    }

    /// The tags of the next node of a dense list, up to their closing 0.
    private func tags(_ list: [Int32], _ at: inout Int) throws(PlacesError) -> [TagPair] {
        var tags: [TagPair] = []
        while at < list.count, list[at] != 0 {
            guard at + 1 < list.count else { break }
            tags.append(TagPair(key: UInt32(bitPattern: list[at]), value: UInt32(bitPattern: list[at + 1])))
            at += 2
        }
        guard at < list.count, list[at] == 0 else { throw place.error("the tags of its nodes end too early") }
        at += 1
        return try checked(tags)
    }

    /// The tags of an element other than a dense node.
    func tags(_ keys: [UInt32], _ values: [UInt32]) throws(PlacesError) -> [TagPair] {
        guard keys.count == values.count else {
            throw place.error("an element has \(keys.count) keys and \(values.count) values")
        }
        return try checked(zip(keys, values).map { TagPair(key: $0, value: $1) })
    }

    private func checked(_ tags: [TagPair]) throws(PlacesError) -> [TagPair] {
        for tag in tags where max(tag.key, tag.value) >= texts.count {
            throw place.error("an element names text \(max(tag.key, tag.value)), there are \(texts.count)")
        }
        return tags
    }

    /// Whether a text of it is a key with this meaning.
    func hasKey(_ meaning: OSMKeys.Meaning) -> Bool { meanings.contains(meaning) }

    /// Whether tags can be those of a place: a name, and a key that categories are made of; or a street and a number.
    func canBePlace(_ tags: [TagPair]) -> Bool {
        var (hasName, hasCategory, hasStreet, hasNumber) = (false, false, false, false)
        for tag in tags {
            switch meanings[Int(tag.key)] {
            case .name: hasName = true
            case .category, .lineOrCategory: hasCategory = true
            case .street: hasStreet = true
            case .number: hasNumber = true
            case .interpolation, .line, .lineNumber, .lineName, .boundary, .other: break
            }
        }
        return hasName && hasCategory || hasStreet && hasNumber
    }

    /// Whether tags can be those of a line with a name or a number.
    func canBeLine(_ tags: [TagPair]) -> Bool {
        var (hasName, hasLine) = (false, false)
        for tag in tags {
            switch meanings[Int(tag.key)] {
            case .name, .lineNumber: hasName = true
            case .line, .lineOrCategory: hasLine = true
            case .lineName: return true
            case .category, .street, .number, .interpolation, .boundary, .other: break
            }
        }
        return hasName && hasLine
    }

    /// Whether tags can be those of a boundary with a name.
    func canBeBoundary(_ tags: [TagPair]) -> Bool {
        tags.contains { meanings[Int($0.key)] == .boundary } && tags.contains { meanings[Int($0.key)] == .name }
    }

    /// Whether tags say that houses between those with numbers have the numbers between them.
    func areOfInterpolation(_ tags: [TagPair]) -> Bool { tags.contains { meanings[Int($0.key)] == .interpolation } }

    /// A way of this block.
    func way(_ way: PbfWay) throws(PlacesError) -> OSMWay {
        OSMWay(id: way.id, nodes: try runningSums(way.nodes), tags: try tags(way.keys, way.values))
    }

    /// The nodes of a way, if it holds their positions itself.
    func positionedNodes(of way: PbfWay) throws(PlacesError) -> [OSMNode] {
        if way.latitudes.isEmpty, way.longitudes.isEmpty { return [] }
        let ids = try runningSums(way.nodes)
        let (latitudes, longitudes) = (try runningSums(way.latitudes), try runningSums(way.longitudes))
        guard latitudes.count == ids.count, longitudes.count == ids.count else {
            let counts = "\(ids.count) nodes, \(latitudes.count) latitudes, \(longitudes.count) longitudes"
            throw place.error("a way has \(counts)")
        }
        var nodes: [OSMNode] = []
        for (index, id) in ids.enumerated() { nodes.append(try node(id, latitudes[index], longitudes[index], [])) }
        return nodes
    }

    /// The nodes and ways of a relation, and what they are in it.
    func members(of relation: PbfRelation) throws(PlacesError) -> [OSMMember] {
        let ids = try runningSums(relation.members)
        guard relation.roles.count == ids.count, relation.kinds.count == ids.count else {
            throw place.error("a relation has \(ids.count) members with \(relation.roles.count) roles")
        }
        var members: [OSMMember] = []
        for (index, id) in ids.enumerated() {
            guard texts.indices.contains(Int(relation.roles[index])) else {
                throw place.error("a relation names text \(relation.roles[index]), there are \(texts.count)")
            }
            switch relation.kinds[index] {
            case 0: members.append(OSMMember(id: id, part: .node))
            case 1: members.append(OSMMember(id: id, part: part(role: texts[Int(relation.roles[index])])))
            default: break
            }
        }
        return members
    }

    /// Ways without a role are outer edges: older multipolygons are written so.
    private func part(role: [UInt8]) -> OSMMember.Part {
        if role.isEmpty || role == Array("outer".utf8) { return .outer }
        return role == Array("inner".utf8) ? .inner : .other
    }

    /// Numbers, each stored as its zigzag-encoded difference from the one before.
    func runningSums(_ distances: [UInt64]) throws(PlacesError) -> [Int64] {
        var sums: [Int64] = []
        sums.reserveCapacity(distances.count)
        for distance in distances { sums.append(try sum(sums.last ?? 0, distance)) }
        return sums
    }

    private func node(
        _ id: Int64, _ latitude: Int64, _ longitude: Int64, _ tags: [TagPair]
    ) throws(PlacesError) -> OSMNode {
        OSMNode(
            id: id, latitude: try degrees(latitude, latitudeOffset), longitude: try degrees(longitude, longitudeOffset),
            tags: tags)
    }

    private func degrees(_ units: Int64, _ offset: Int64) throws(PlacesError) -> Int64 {
        let (scaled, isTooMuch) = units.multipliedReportingOverflow(by: granularity)
        let (degrees, isOverflow) = scaled.addingReportingOverflow(offset)
        if isTooMuch || isOverflow { throw place.error("a coordinate does not fit in 64 bits") }
        return degrees
    }

    private func sum(_ number: Int64, _ distance: UInt64) throws(PlacesError) -> Int64 {
        let (sum, isOverflow) = number.addingReportingOverflow(Self.unfolded(distance))
        if isOverflow { throw place.error("a delta-coded number does not fit in 64 bits") }
        return sum
    }

    /// Undoes zigzag: 0, 1, 2, 3 … are 0, -1, 1, -2 …
    static func unfolded(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
