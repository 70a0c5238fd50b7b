/// Writes values as bytes: numbers lowest byte first, bytes after their count.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ number: Double) { add(number.bitPattern) }

    mutating func add(_ block: [UInt8]) {
        add(block.count)
        bytes += block
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }
}

/// Reads what `ByteWriter` wrote; bytes from a process that may have been taken over, so nothing in them is believed.
struct ByteReader {
    /// They are not what was expected.
    struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func number() throws(Malformed) -> UInt64 {
        guard rest.count >= 8 else { throw Malformed() }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number within a range.
    mutating func integer(in range: ClosedRange<Int>) throws(Malformed) -> Int {
        let number = Int(Int64(bitPattern: try number()))
        guard range.contains(number) else { throw Malformed() }
        return number
    }

    mutating func decimal() throws(Malformed) -> Double { Double(bitPattern: try number()) }

    /// One after a mark that says whether it is there.
    mutating func optionalDecimal() throws(Malformed) -> Double? {
        let isThere = try integer(in: 0...1) == 1
        let number = try decimal()
        return isThere ? number : nil
    }

    mutating func block(limit: Int) throws(Malformed) -> [UInt8] {
        let count = try integer(in: 0...limit)
        guard rest.count >= count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text(limit: Int) throws(Malformed) -> String {
        String(decoding: try block(limit: limit), as: UTF8.self)
    }

    /// Nothing may follow.
    func end() throws(Malformed) { guard rest.isEmpty else { throw Malformed() } }
}
