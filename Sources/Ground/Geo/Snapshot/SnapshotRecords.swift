/// Ids and records in the mapping. Every offset read from the file is compared with its section before use; nil says
/// that the file is damaged there.
///
/// Plain bytes without references: copying it costs no reference counting.
@safe
struct SnapshotRecords: BitwiseCopyable {
    private let places: Int
    private let starts: UnsafeRawBufferPointer
    private let records: UnsafeRawBufferPointer

    init(places: Int, starts: UnsafeRawBufferPointer, records: UnsafeRawBufferPointer) {
        self.places = places
        unsafe self.starts = starts
        unsafe self.records = records
    }

    private static let cacheLine = 64

    /// Where a place's id and record lie, known to be inside of the section.
    struct Span: BitwiseCopyable {
        fileprivate let start: Int
        fileprivate let end: Int
    }

    /// The span of a place; the ordinal is known to be in range.
    @inline(__always)
    func span(_ ordinal: Int) -> Span? {
        let start = start(of: ordinal)
        let isLastOfBlock = (ordinal + 1) % SnapshotLayout.blockPlaces == 0 || ordinal + 1 == places
        let end = isLastOfBlock ? blockStart(ordinal / SnapshotLayout.blockPlaces + 1) : self.start(of: ordinal + 1)
        guard start < end, unsafe end <= UInt64(records.count) else { return nil }
        return Span(start: Int(start), end: Int(end))
    }

    /// Reads a byte of each of a span's cache lines, which brings them; gives something that depends on all of them.
    @inline(__always)
    func touch(_ span: Span) -> UInt8 {
        var touched = unsafe records[span.end - 1]
        for offset in stride(from: span.start, to: span.end, by: Self.cacheLine) { touched ^= unsafe records[offset] }
        return touched
    }

    /// Id and record of a span.
    @inline(__always)
    func place(at span: Span) -> (id: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer)? {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: records[span.start..<span.end])
        let idEnd = unsafe 1 + Int(bytes[0])
        guard idEnd <= bytes.count else { return nil }
        return unsafe (
            UnsafeRawBufferPointer(rebasing: bytes[1..<idEnd]), UnsafeRawBufferPointer(rebasing: bytes[idEnd...])
        )
    }

    @inline(__always)
    private func blockStart(_ block: Int) -> UInt64 { unsafe starts.number(at: block * 8, as: UInt64.self) }

    @inline(__always)
    private func start(of ordinal: Int) -> UInt64 {
        let relatives = (SnapshotLayout.blocks(of: places) + 1) * 8
        let relative = unsafe starts.number(at: relatives + ordinal * 4, as: UInt32.self)
        return blockStart(ordinal / SnapshotLayout.blockPlaces) &+ UInt64(relative)
    }
}
