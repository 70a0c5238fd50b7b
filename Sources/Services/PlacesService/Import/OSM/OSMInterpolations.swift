import PlaceContracts
import FeatureFiles

/// Ways along houses of which only some nodes have numbers: the houses between two of these have the numbers between
/// them (https://wiki.openstreetmap.org/wiki/Key:addr:interpolation).
struct OSMInterpolations {
    /// Nodes of all such ways that are kept, and ways; more are left out.
    private static let maximumNodes = 5_000_000
    /// Nodes of one; OpenStreetMap takes no way that has more.
    private static let maximumOfOne = 2_000
    /// Numbers between two nodes; where there seem to be more, one of them is wrong.
    private static let maximumBetween = 1_000

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
    private var addresses: [Int64: AddressFields] = [:]
    /// Houses that are given next, last first.
    private var found: [(id: String, blob: UInt64, address: AddressFields, point: GridPoint)] = []
    private var nextWay = 0
    /// The nodes with numbers of the way whose houses are found, from the next ones on.
    private var numbered: ArraySlice<Int> = []

    /// Keeps a way, unless its tags don't say how its houses are numbered.
    mutating func add(_ way: OSMWay, _ tags: OSMTags, from blob: BlobPlace) {
        guard let step = Self.step(tags.interpolation), way.nodes.count <= Self.maximumOfOne,
            nodes.count + way.nodes.count <= Self.maximumNodes, ways.count < Self.maximumNodes
        else { return }
        nodes += way.nodes
        let range = nodes.count - way.nodes.count..<nodes.count
        ways.append(Way(id: way.id, blob: blob.number, step: step, address: tags.address, nodes: range))
    }

    private static func step(_ text: String) -> Int? {
        switch text {
        case "odd", "even": 2
        case "all": 1
        default: Int(text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
    }

    /// All ways were seen: determines which nodes are needed.
    mutating func findNodes() { wanted = SortedIDs(nodes) }

    /// Whether nodes that are needed may have ids in a range.
    func needs(_ ids: ClosedRange<Int64>) -> Bool { wanted.meets(ids) }

    /// Keeps a node's address when it is needed.
    mutating func note(_ node: OSMNode, in block: OSMBlock) {
        guard !node.tags.isEmpty, wanted.index(of: node.id, near: &cursor) != nil else { return }
        guard let address = (try? OSMTags(node.tags, in: block))?.address, !address.number.isEmpty else { return }
        addresses[node.id] = address
    }

    /// Writes the next house to a row; nil when there is none any more. Goes from one number along a way to the next at
    /// a time.
    mutating func next(_ row: inout PlaceRow, _ geometry: OSMGeometry) -> RowEvent? {
        guard let house = found.popLast() else { return findMore(geometry) }
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

    private mutating func findMore(_ geometry: OSMGeometry) -> RowEvent? {
        if let from = numbered.popFirst(), let to = numbered.first {
            found = houses(along: ways[nextWay - 1], from, to, geometry).reversed()
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
        along way: Way, _ from: Int, _ to: Int, _ geometry: OSMGeometry
    ) -> [(id: String, blob: UInt64, address: AddressFields, point: GridPoint)] {
        guard let first = addresses[nodes[from]], let start = Int(first.number),
            let end = Int(addresses[nodes[to]]?.number ?? "")
        else { return [] }
        let numbers = Self.numbers(start, end, way.step)
        let line = geometry.points(nodes[from...to])
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
        guard !isTooMuch, apart.magnitude <= UInt(maximumBetween * step) else { return [] }
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
