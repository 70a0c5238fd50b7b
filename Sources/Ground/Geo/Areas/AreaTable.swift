/// The areas of an index by their ids, and the boxes around them; streets and houses are not among them. Made in one
/// pass over the index, so that a search doesn't have to look through all of it.
struct AreaTable: Sendable {
    private(set) var numbers: [String: UInt32] = [:]
    private(set) var boxes: [UInt32: AreaBox] = [:]

    static func has(_ kind: AreaKind?) -> Bool { kind != nil && kind != .street && kind != .house }

    mutating func add(_ number: UInt32, id: String) {
        if !id.isEmpty { numbers[id] = number }
    }

    mutating func add(_ box: AreaBox, of number: UInt32) { boxes[number, default: AreaBox()].add(box) }
}
