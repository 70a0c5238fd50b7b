import PlaceContracts

extension PbfBlock {
    /// A block of elements of one kind.
    init(_ elements: [OSMElement]) {
        var texts = BlockTexts()
        var group = PbfGroup()
        // The format's unit is 1e-7 degrees; a file that has smaller ones keeps them.
        let isFine = elements.contains { $0.isFine }
        let unit: Int64 = isFine ? 1 : 100
        var (nodes, tags) = (NodeLists(), [Int32]())
        for element in elements {
            let keys = element.tags.map { texts.number($0.key) }
            let values = element.tags.map { texts.number($0.value) }
            switch element.shape {
            case .point(let latitude, let longitude):
                nodes.add(element.id, latitude / unit, longitude / unit)
                for (key, value) in zip(keys, values) { tags += [Int32(bitPattern: key), Int32(bitPattern: value)] }
                tags.append(0)
            case .line(let ids):
                group.ways.append(PbfWay(id: element.id, keys: keys, values: values, nodes: Self.distances(ids)))
            case .members(let members):
                group.relations.append(
                    PbfRelation(
                        id: element.id, keys: keys, values: values,
                        roles: members.map { Int32(bitPattern: texts.number($0.role)) },
                        members: Self.distances(members.map(\.id)), kinds: members.map { Int32($0.kind.rawValue) }))
            }
        }
        if !nodes.ids.isEmpty {
            group.dense = PbfDenseNodes(
                ids: Self.distances(nodes.ids), latitudes: Self.distances(nodes.latitudes),
                longitudes: Self.distances(nodes.longitudes),
                tags: tags.contains { $0 != 0 } ? tags : [])
        }
        self.init(texts: PbfTexts(texts: texts.texts), groups: [group], granularity: isFine ? 1 : nil)
    }

    /// Each number as its distance from the one before, folded by zigzag.
    private static func distances(_ numbers: [Int64]) -> [UInt64] {
        var last: Int64 = 0
        return numbers.map { number in
            let distance = number &- last
            last = number
            return UInt64(bitPattern: distance << 1 ^ distance >> 63)
        }
    }
}

extension OSMElement {
    /// Whether it is at a place that no number of 1e-7 degrees says.
    fileprivate var isFine: Bool {
        guard case .point(let latitude, let longitude) = shape else { return false }
        return latitude % 100 != 0 || longitude % 100 != 0
    }
}

/// Many nodes, field by field.
private struct NodeLists {
    private(set) var ids: [Int64] = []
    private(set) var latitudes: [Int64] = []
    private(set) var longitudes: [Int64] = []

    mutating func add(_ id: Int64, _ latitude: Int64, _ longitude: Int64) {
        ids.append(id)
        latitudes.append(latitude)
        longitudes.append(longitude)
    }
}

/// The texts of a block, by their numbers. The first is no text: 0 stands for the end of a node's tags.
private struct BlockTexts {
    private(set) var texts: [[UInt8]] = [[]]
    private var numbers: [[UInt8]: UInt32] = [:]

    mutating func number(_ text: [UInt8]) -> UInt32 {
        if let known = numbers[text] { return known }
        let number = UInt32(texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }
}
