/// The form of a place in a snapshot: first what searches by name read, then what answers are made from.
///
///     length of the text (2 bytes, little-endian) | search text | Place message, packed
///
/// The search text is the name and its variants, folded, with single spaces between the words; storing it saves
/// decoding and folding every candidate of a search. The message is appended to answers unchanged.
enum StoredPlace {
    /// Longest search text in bytes: the ten thousand characters of other names that GeoNames has at most fit in any
    /// script. Longer text is cut, and not found by its end.
    static let longestText = 32 << 10
    /// The most bytes before the message.
    static let longestHead = headBytes + longestText
    private static let headBytes = 2

    /// Puts what is kept together in `record`.
    static func write(text: some Collection<UInt8>, to record: inout [UInt8]) {
        let text = text.prefix(longestText)
        record.removeAll(keepingCapacity: true)
        record.append(UInt8(truncatingIfNeeded: text.count))
        record.append(UInt8(truncatingIfNeeded: text.count >> 8))
        record.append(contentsOf: text)
    }

    /// The search text in a record; nil when the record is damaged.
    static func text(of record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = unsafe textEnd(record) else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: record[headBytes..<end])
    }

    /// The packed message in a record; nil when the record is damaged.
    static func message(of record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = unsafe textEnd(record) else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: record[end...])
    }

    private static func textEnd(_ record: UnsafeRawBufferPointer) -> Int? {
        guard record.count >= headBytes else { return nil }
        let end = unsafe headBytes + (Int(record[0]) | Int(record[1]) << 8)
        return end <= record.count ? end : nil
    }
}
