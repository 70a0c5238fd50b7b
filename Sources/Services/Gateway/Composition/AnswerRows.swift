import Wire

/// Rows of an answer, packed one after the other as a field that comes first in its message, to be copied whole into
/// another answer:
///
///     0x0a | length (varint) | row | 0x0a | length (varint) | row …
///     ↑ field 1, with length
struct AnswerRows: Sendable {
    private static let tag = UInt8(PackedFields.bytesTag(1))

    /// Of an answer also what follows the rows.
    private var bytes: [UInt8] = []
    /// Where each row's tag is.
    private var starts: [Int] = []
    private var end = 0

    /// No rows.
    init() {}

    /// Takes the rows at the beginning of an answer.
    /// - Returns: what follows them: a packed message by itself.
    static func take(from answer: [UInt8]) -> (rows: AnswerRows, rest: [UInt8]) {
        var rows = AnswerRows()
        rows.starts.reserveCapacity(64)
        while rows.end < answer.count, answer[rows.end] == tag,
            let row = PackedFields.range(after: rows.end + 1, in: answer)
        {
            rows.starts.append(rows.end)
            rows.end = row.upperBound
        }
        rows.bytes = answer
        return (rows, Array(answer[rows.end...]))
    }

    var count: Int { starts.count }
    var byteCount: Int { end }

    /// The rows without their heads.
    var rows: [[UInt8]] { slices.map { Array($0) } }
    var slices: some Collection<ArraySlice<UInt8>> { starts.lazy.map { bytes[row(at: $0)] } }

    /// Where a row is in the bytes, behind its tag.
    private func row(at start: Int) -> Range<Int> { PackedFields.range(after: start + 1, in: bytes) ?? start..<start }
}

extension AnswerRows {
    /// - Parameter rows: without their heads.
    init(_ rows: [[UInt8]]) {
        bytes.reserveCapacity(rows.reduce(0) { $0 + $1.count + 8 })
        for row in rows {
            starts.append(bytes.count)
            BytesField(1).appendHead(row.count, to: &bytes)
            bytes += row
        }
        end = bytes.count
    }

    /// Leaves out all rows but so many first ones.
    mutating func keep(_ count: Int) {
        guard starts.count > count else { return }
        end = starts[count]
        starts.removeLast(starts.count - count)
    }

    mutating func append(_ other: AnswerRows) {
        if starts.isEmpty { return self = other }
        bytes.removeLast(bytes.count - end)
        starts += other.starts.map { $0 + end }
        bytes += other.bytes[..<other.end]
        end = bytes.count
    }

    /// Appends the rows as another field.
    /// - Parameter number: below 16.
    func append(to answer: inout [UInt8], as number: UInt32) {
        let (begin, tag) = (answer.count, UInt8(truncatingIfNeeded: PackedFields.bytesTag(number)))
        answer += bytes[..<end]
        if tag == Self.tag { return }
        for start in starts { answer[begin + start] = tag }
    }
}
