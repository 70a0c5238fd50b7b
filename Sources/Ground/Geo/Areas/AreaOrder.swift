/// The order of the boxes of an index, so that those of a tree over them, 16 in one and 16 of these in one, overlap as
/// little as they can: all are cut into 16 columns and rows by their middles, each part again, and so on
/// (overlap-minimising top-down packing, Lee and Lee 2003).
///
/// What is large stands at the end: among small ones it would make the box around them as large as itself.
struct AreaOrder {
    /// A box is large when it is longer than this part of the box around all.
    private static let large: Int64 = 12

    private let boxes: [AreaBox]
    private var order: [Int]

    /// The numbers of the boxes in their order.
    static func of(_ boxes: [AreaBox]) -> [Int] {
        var order = AreaOrder(boxes)
        return order.packed()
    }

    private init(_ boxes: [AreaBox]) {
        self.boxes = boxes
        order = Array(boxes.indices)
    }

    private mutating func packed() -> [Int] {
        var all = AreaBox()
        for box in boxes { all.add(box) }
        let limit = max(1, Self.side(all) / Self.large)
        let end = order.partition { Self.side(boxes[$0]) > limit }
        pack(0..<end)
        pack(end..<order.count)
        return order
    }

    private static func side(_ box: AreaBox) -> Int64 {
        max(Int64(box.north) - Int64(box.south), Int64(box.east) - Int64(box.west), 0)
    }

    private mutating func pack(_ range: Range<Int>) {
        var part = AreaLayout.fan
        while part * AreaLayout.fan < range.count { part *= AreaLayout.fan }
        guard range.count > AreaLayout.fan else { return sort(range) { Int64($0.south) + Int64($0.north) } }
        let parts = (range.count + part - 1) / part
        let columns = Int(Double(parts).squareRoot().rounded(.up))
        sort(range) { Int64($0.west) + Int64($0.east) }
        for first in stride(from: range.lowerBound, to: range.upperBound, by: part * columns) {
            let column = first..<min(first + part * columns, range.upperBound)
            sort(column) { Int64($0.south) + Int64($0.north) }
            for start in stride(from: first, to: column.upperBound, by: part) {
                pack(start..<min(start + part, column.upperBound))
            }
        }
    }

    private mutating func sort(_ range: Range<Int>, by key: (AreaBox) -> Int64) {
        let boxes = boxes
        order[range].sort { one, other in
            let (first, second) = (key(boxes[one]), key(boxes[other]))
            return first != second ? first < second : one < other
        }
    }
}
