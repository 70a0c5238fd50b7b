import PlaceContracts

/// An element of OpenStreetMap, with all that an import reads of it.
struct OSMElement: Equatable {
    enum Kind: Int, CaseIterable, Comparable {
        case node, way, relation

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    struct Tag: Equatable {
        let key: [UInt8]
        let value: [UInt8]
    }

    struct Member: Equatable {
        let kind: Kind
        let id: Int64
        let role: [UInt8]
    }

    enum Shape: Equatable {
        /// Where a node is, in 1e-9 degrees.
        case point(latitude: Int64, longitude: Int64)
        /// The ids of a way's nodes.
        case line([Int64])
        /// What belongs to a relation.
        case members([Member])
    }

    let id: Int64
    let tags: [Tag]
    let shape: Shape

    var kind: Kind {
        switch shape {
        case .point: .node
        case .line: .way
        case .members: .relation
        }
    }

    /// About how many bytes of memory it takes.
    var heldBytes: Int {
        var bytes = tags.reduce(160) { $0 + 128 + $1.key.count + $1.value.count }
        switch shape {
        case .point: break
        case .line(let nodes): bytes += 8 * nodes.count
        case .members(let members): bytes += members.reduce(0) { $0 + 64 + $1.role.count }
        }
        return bytes
    }
}

extension OSMBlock {
    /// Its elements of a kind, in their order.
    func elements(_ kind: OSMElement.Kind) throws(PlacesError) -> [OSMElement] {
        var found: [OSMElement] = []
        switch kind {
        case .node:
            try forEachNode(withTags: true) { node throws(PlacesError) in
                let point = OSMElement.Shape.point(latitude: node.latitude, longitude: node.longitude)
                found.append(OSMElement(id: node.id, tags: own(node.tags), shape: point))
            }
        case .way:
            for way in ways {
                guard way.latitudes.isEmpty, way.longitudes.isEmpty else {
                    throw place.error("its ways say where they are by themselves, so that no change can move them")
                }
                let own = try self.way(way)
                found.append(OSMElement(id: own.id, tags: self.own(own.tags), shape: .line(own.nodes)))
            }
        case .relation:
            for relation in relations {
                let tags = own(try self.tags(relation.keys, relation.values))
                found.append(OSMElement(id: relation.id, tags: tags, shape: .members(try allMembers(of: relation))))
            }
        }
        return found
    }

    /// The lowest and the highest id of a kind; nil when it has none.
    func ids(_ kind: OSMElement.Kind) throws(PlacesError) -> ClosedRange<Int64>? {
        var (lowest, highest) = (Int64.max, Int64.min)
        func take(_ id: Int64) { (lowest, highest) = (min(lowest, id), max(highest, id)) }
        switch kind {
        case .node: try forEachNode(withTags: false) { node throws(PlacesError) in take(node.id) }
        case .way: for way in ways { take(way.id) }
        case .relation: for relation in relations { take(relation.id) }
        }
        return lowest <= highest ? lowest...highest : nil
    }

    private func own(_ tags: [TagPair]) -> [OSMElement.Tag] {
        tags.map { OSMElement.Tag(key: texts[Int($0.key)], value: texts[Int($0.value)]) }
    }

    private func allMembers(of relation: PbfRelation) throws(PlacesError) -> [OSMElement.Member] {
        let ids = try runningSums(relation.members)
        guard relation.roles.count == ids.count, relation.kinds.count == ids.count else {
            throw place.error("a relation has \(ids.count) members with \(relation.roles.count) roles")
        }
        var members: [OSMElement.Member] = []
        for (index, id) in ids.enumerated() {
            guard texts.indices.contains(Int(relation.roles[index])) else {
                throw place.error("a relation names text \(relation.roles[index]), there are \(texts.count)")
            }
            guard let kind = OSMElement.Kind(rawValue: Int(relation.kinds[index])) else { continue }
            members.append(OSMElement.Member(kind: kind, id: id, role: texts[Int(relation.roles[index])]))
        }
        return members
    }
}
