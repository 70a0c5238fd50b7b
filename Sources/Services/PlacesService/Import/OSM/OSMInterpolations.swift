import PlaceContracts
import FeatureFiles

/// Ways along houses of which only some nodes have numbers: the houses between two of these have the numbers between
/// them (https://wiki.openstreetmap.org/wiki/Key:addr:interpolation).
struct OSMInterpolations {
    /// Nodes of all such ways that are kept, and ways; more are left out.
    private static let mostNodes = 5_000_000
    /// Nodes of one; OpenStreetMap takes no way that has more.
    private static let mostOfOne = 2_000
    /// Numbers between two nodes; where there seem to be more, one of them is wrong.
    private static let mostBetween = 1_000

    private struct Way {
        let id: Int64
        let blob: UInt64
        let step: Int
        /// What the way itself says.
        let address: AddressFields
        /// Which of `nodes` it has.
        let nodes: Range<Int>
    }

    private var ways: [Way] = []
    private var nodes: [Int64] = []
    private var wanted = SortedIDs([])
    private var cursor = 0
    private var positions = NodePositions([])
    private var addresses: [Int64: AddressFields] = [:]
    /// Houses that are given next, last first.
    private var found: [(id: String, blob: UInt64, address: AddressFields, point: GridPoint)] = []
    private var nextWay = 0
    /// The nodes with numbers of the way whose houses are found, from the next ones on.
    private var numbered: ArraySlice<Int> = []

    var isEmpty: Bool { ways.isEmpty }

    /// Keeps a way, unless its tags don't say how its houses are numbered.
    mutating func add(_ way: PbfWay, _ tags: OSMTags, in block: OSMBlock) throws(PlacesError) {
        guard let step = Self.step(tags.interpolation) else { return }
        let ids = try block.runningSums(way.nodes)
        guard ids.count <= Self.mostOfOne, nodes.count + ids.count <= Self.mostNodes, ways.count < Self.mostNodes else {
            return
        }
        nodes += ids
        let range = nodes.count - ids.count..<nodes.count
        ways.append(Way(id: way.id, blob: block.place.number, step: step, address: tags.address, nodes: range))
    }

    private static func step(_ text: String) -> Int? {
        switch text {
        case "odd", "even": 2
        case "all": 1
        default: Int(text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
    }

    /// All ways were seen: determines which nodes are needed.
    mutating func findNodes() {
        wanted = SortedIDs(nodes)
        positions = NodePositions(nodes)
    }

    /// Keeps a node's position and address when they are needed.
    mutating func note(_ node: OSMNode, in block: OSMBlock) {
        guard wanted.index(of: node.id, near: &cursor) != nil else { return }
        positions.note(node)
        guard !node.tags.isEmpty, let address = (try? OSMTags(node.tags, in: block))?.address, !address.number.isEmpty
        else { return }
        addresses[node.id] = address
    }

    /// Writes the next house to a row; nil when there is none any more. Goes from one number along a way to the next at
    /// a time.
    mutating func next(_ row: inout PlaceRow) -> RowEvent? {
        guard let house = found.popLast() else { return findMore() }
        row.id = house.id
        row.latitude = Double(house.point.latitude) / 1e7
        row.longitude = Double(house.point.longitude) / 1e7
        do throws(RowProblem) {
            try house.address.fill(&row)
            return .row(line: house.blob)
        } catch {
            return .bad(line: house.blob, RowProblem("\(house.id): \(error)"))
        }
    }

    private mutating func findMore() -> RowEvent? {
        if let from = numbered.popFirst(), let to = numbered.first {
            found = houses(along: ways[nextWay - 1], from, to).reversed()
            return .nothing
        }
        guard nextWay < ways.count else { return nil }
        let range = ways[nextWay].nodes
        numbered = range.filter { Int(addresses[nodes[$0]]?.number ?? "") != nil }[...]
        nextWay += 1
        return .nothing
    }

    /// The houses between two nodes, which have numbers.
    private func houses(
        along way: Way, _ from: Int, _ to: Int
    ) -> [(id: String, blob: UInt64, address: AddressFields, point: GridPoint)] {
        guard let first = addresses[nodes[from]], let start = Int(first.number),
            let end = Int(addresses[nodes[to]]?.number ?? "")
        else { return [] }
        let numbers = Self.numbers(start, end, way.step)
        let line = positions.points(nodes[from...to])
        return numbers.enumerated().compactMap { index, number in
            let share = Double(index + 1) / Double(numbers.count + 1)
            guard let point = OSMCentre.point(share, along: line) else { return nil }
            let address = first.completed(by: way.address, number: "\(number)")
            if address.street.isEmpty { return nil }
            return (id: "way/\(way.id)/\(number)", blob: way.blob, address: address, point: point)
        }
    }

    /// The numbers between two, without these.
    private static func numbers(_ start: Int, _ end: Int, _ step: Int) -> [Int] {
        let (apart, isTooMuch) = end.subtractingReportingOverflow(start)
        guard !isTooMuch, apart.magnitude <= UInt(mostBetween * step) else { return [] }
        return Array(stride(from: start, to: end, by: apart < 0 ? -step : step).dropFirst())
    }
}

extension AddressFields {
    /// With another number, and what it lacks from another address.
    fileprivate func completed(by other: AddressFields, number: String) -> AddressFields {
        var address = self
        address.number = number
        if street.isEmpty { address.street = other.street }
        if city.isEmpty { address.city = other.city }
        if postcode.isEmpty { address.postcode = other.postcode }
        return address
    }
}
