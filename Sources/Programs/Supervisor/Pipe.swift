import EventLoops
import Files
import Glibc

/// The two ends of a pipe, which children do not inherit by default.
struct Pipe: Sendable {
    let reading: Descriptor
    let writing: Descriptor

    /// Descriptors from this number on never collide with those that a child is given.
    private static let lowest: Int32 = 10

    init() throws(SystemError) {
        let ends = try makePipe()
        let (reading, writing) = (Descriptor(owning: ends.readEnd), Descriptor(owning: ends.writeEnd))
        self.reading = try Self.moved(reading)
        self.writing = try Self.moved(writing)
    }

    private static func moved(_ descriptor: Descriptor) throws(SystemError) -> Descriptor {
        let number = descriptor.number
        return Descriptor(owning: try syscall("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, lowest) })
    }
}

/// Splits bytes into lines. A line that is longer than the limit is dropped.
struct LineBuffer: Sendable {
    static let maximumBytes = 64 << 10

    private var pending: [UInt8] = []
    private var isDropping = false

    /// The lines that are complete now, without line ends.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isDropping { lines.append(pending) }
                pending = []
                isDropping = false
            } else if pending.count < Self.maximumBytes {
                pending.append(byte)
            } else {
                isDropping = true
            }
        }
        return lines
    }
}
