/// Cuts bytes into lines. A line that is longer than the limit is dropped.
struct LineBuffer: Sendable {
    static let limitBytes = 64 << 10

    private var pending: [UInt8] = []
    private var isDropping = false

    /// The lines that are complete now, without their ends.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isDropping { lines.append(pending) }
                pending = []
                isDropping = false
            } else if pending.count < Self.limitBytes {
                pending.append(byte)
            } else {
                isDropping = true
            }
        }
        return lines
    }
}
