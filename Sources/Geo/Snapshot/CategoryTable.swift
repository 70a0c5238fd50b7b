/// A set of categories interned by one builder; reuse it for every row with the same categories.
package struct CategorySet: Hashable, Sendable {
    let number: UInt32
}

/// Interns category names and sets of them while a snapshot is built.
struct CategoryTable {
    private(set) var names: [[UInt8]] = []
    private(set) var sets: [[UInt32]] = []
    private var numberOfName: [[UInt8]: UInt32] = [:]
    private var numberOfSet: [[UInt32]: UInt32] = [:]

    mutating func set(of names: [[UInt8]]) throws(GeoError) -> CategorySet {
        var members: [UInt32] = []
        for name in names { members.append(try number(of: name)) }
        members.sort()
        let distinct = members.enumerated().filter { $0.offset == 0 || members[$0.offset - 1] != $0.element }
        return CategorySet(number: setNumber(of: distinct.map(\.element)))
    }

    private mutating func number(of name: [UInt8]) throws(GeoError) -> UInt32 {
        if let known = numberOfName[name] { return known }
        guard (1...SnapshotLayout.maximumCategoryBytes).contains(name.count) else {
            let allowed = "1 to \(SnapshotLayout.maximumCategoryBytes) bytes are"
            throw .outOfRange(field: "category name", value: "\(name.count) bytes", allowed: allowed)
        }
        let number = UInt32(names.count)
        names.append(name)
        numberOfName[name] = number
        return number
    }

    private mutating func setNumber(of members: [UInt32]) -> UInt32 {
        if let known = numberOfSet[members] { return known }
        let number = UInt32(sets.count)
        sets.append(members)
        numberOfSet[members] = number
        return number
    }
}
