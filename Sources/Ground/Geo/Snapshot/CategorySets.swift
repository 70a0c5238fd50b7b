/// The category names and sets of a snapshot, read whole when it is opened.
struct CategorySets: Sendable {
    let names: [[UInt8]]
    let sets: [[UInt32]]

    init(
        names nameBytes: UnsafeRawBufferPointer, sets setBytes: UnsafeRawBufferPointer, count: Int, path: String
    ) throws(GeoError) {
        guard let names = unsafe Self.readNames(nameBytes) else {
            throw .corrupt(path: path, reason: "the category names run over their section")
        }
        guard let sets = unsafe Self.readSets(setBytes, count: count, names: names.count) else {
            throw .corrupt(path: path, reason: "a category set is out of its bounds")
        }
        self.names = names
        self.sets = sets
    }

    private static func readNames(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]]? {
        guard bytes.count >= 4 else { return nil }
        let count = unsafe bytes.number(at: 0, as: UInt32.self)
        var names: [[UInt8]] = []
        var at = 4
        for _ in 0..<count {
            guard at < bytes.count, case let end = unsafe at + 1 + Int(bytes[at]), end <= bytes.count else {
                return nil
            }
            unsafe names.append(Array(bytes[(at + 1)..<end]))
            at = end
        }
        return at == bytes.count ? names : nil
    }

    private static func readSets(_ bytes: UnsafeRawBufferPointer, count: Int, names: Int) -> [[UInt32]]? {
        let heads = (count + 1) * 4
        guard bytes.count >= heads, bytes.count % 4 == 0 else { return nil }
        let members = (heads / 4..<bytes.count / 4).map { unsafe bytes.number(at: $0 * 4, as: UInt32.self) }
        guard members.allSatisfy({ $0 < names }) else { return nil }
        let starts = (0...count).map { unsafe Int(bytes.number(at: $0 * 4, as: UInt32.self)) }
        guard starts[0] == 0, starts[count] == members.count else { return nil }
        guard zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
        return zip(starts, starts.dropFirst()).map { Array(members[$0..<$1]) }
    }
}

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
