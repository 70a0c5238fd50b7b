/// Numbers as `PackedTrack` has them, as they are written.
struct PackedNumbers {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(step: Int64) { add(UInt64(bitPattern: step << 1 ^ step >> 63)) }

    /// Each by how much more it is than the last that is known.
    mutating func add(values: [Int64?]) {
        var last: Int64 = 0
        for value in values {
            guard let value else {
                add(0)
                continue
            }
            let step = value - last
            add(UInt64(bitPattern: step << 1 ^ step >> 63) + 1)
            last = value
        }
    }
}

/// The same as they are read.
struct PackedReading {
    private var rest: ArraySlice<UInt8>
    private var last: Int64 = 0

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }
    var count: Int { rest.count }

    mutating func number() -> UInt64? {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst(), shift < 64 {
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    mutating func step() -> Int64? { number().map(Self.step) }

    mutating func beginValues() { last = 0 }

    /// Nil at the end; the inner one is nil for a value that is not known.
    mutating func value() -> Int64?? {
        guard let number = number() else { return nil }
        guard number > 0 else { return .some(nil) }
        last &+= Self.step(number - 1)
        return last
    }

    private static func step(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
