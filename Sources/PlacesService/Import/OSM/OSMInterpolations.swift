import Contracts
import FeatureFiles

/// Ways along houses of which only some nodes have numbers: the houses between two of these have the numbers between
/// them (https://wiki.openstreetmap.org/wiki/Key:addr:interpolation).
struct OSMInterpolations {
    /// Nodes of all such ways that are kept; more are left out.
    private static let mostNodes = 5_000_000
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

    var isEmpty: Bool { ways.isEmpty }

    /// Keeps a way, unless its tags don't say how its houses are numbered.
    mutating func add(_ way: PbfWay, _ tags: OSMTags, in block: OSMBlock) throws(PlacesError) {
        guard let step = Self.step(tags.interpolation) else { return }
        let ids = try block.runningSums(way.nodes)
        guard nodes.count + ids.count <= Self.mostNodes else { return }
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

    /// Writes the next house to a row; nil when there is none any more.
    mutating func next(_ row: inout PlaceRow) -> RowEvent? {
        while found.isEmpty {
            guard nextWay < ways.count else { return nil }
            found = houses(along: ways[nextWay]).reversed()
            nextWay += 1
        }
        let house = found.removeLast()
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

    private func houses(
        along way: Way
    ) -> [(id: String, blob: UInt64, address: AddressFields, point: GridPoint)] {
        let ids = Array(nodes[way.nodes])
        let numbered = ids.indices.filter { Int(addresses[ids[$0]]?.number ?? "") != nil }
        var houses: [(id: String, blob: UInt64, address: AddressFields, point: GridPoint)] = []
        for (from, to) in zip(numbered, numbered.dropFirst()) {
            guard let first = addresses[ids[from]], let start = Int(first.number),
                let end = Int(addresses[ids[to]]?.number ?? "")
            else { continue }
            let numbers = Self.numbers(start, end, way.step)
            let line = positions.points(ids[from...to])
            for (index, number) in numbers.enumerated() {
                let share = Double(index + 1) / Double(numbers.count + 1)
                guard let point = OSMCentre.point(share, along: line) else { continue }
                let address = first.completed(by: way.address, number: "\(number)")
                if address.street.isEmpty { continue }
                houses.append((id: "way/\(way.id)/\(number)", blob: way.blob, address: address, point: point))
            }
        }
        return houses
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
