/// The areas of an index by their ids, and the boxes around them; streets and houses are not among them. Made in one
/// pass over the index, so that a search doesn't have to look through all of it.
struct AreaTable: Sendable {
    private(set) var numbers: [String: UInt32] = [:]
    private(set) var boxes: [UInt32: AreaBox] = [:]
    /// The codes of countries.
    private(set) var countries: Set<String> = []

    static func has(_ kind: AreaKind?) -> Bool { kind != nil && kind != .street && kind != .house }

    mutating func add(_ number: UInt32, _ record: AreaRecord) {
        if !record.id.isEmpty { numbers[record.id] = number }
        if record.kind == .country, !record.code.isEmpty { countries.insert(record.code) }
    }

    mutating func add(_ box: AreaBox, of number: UInt32) { boxes[number, default: AreaBox()].add(box) }
}
