/// Bytes of many rows in pieces of a fixed size, so that growing never copies what is there.
struct ByteArena {
    private static let pieceBytes = 32 << 20
    private var pieces: [[UInt8]] = []

    /// Where one row's bytes lie.
    struct Place {
        var piece: UInt32
        var offset: UInt32
    }

    mutating func append(idBytes id: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer) -> Place {
        let needed = 1 + id.count + record.count
        if pieces.last.map({ $0.capacity - $0.count < needed }) ?? true { startPiece(atLeast: needed) }
        let last = pieces.count - 1
        let place = Place(piece: UInt32(last), offset: UInt32(pieces[last].count))
        pieces[last].append(UInt8(truncatingIfNeeded: id.count))
        unsafe pieces[last].append(contentsOf: id)
        unsafe pieces[last].append(contentsOf: record)
        return place
    }

    private mutating func startPiece(atLeast bytes: Int) {
        var piece: [UInt8] = []
        piece.reserveCapacity(max(bytes, Self.pieceBytes))
        pieces.append(piece)
    }

    /// The bytes from a row's start on.
    func withBytes<R>(at place: Place, count: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe pieces[Int(place.piece)].withUnsafeBytes { piece in
            let start = Int(place.offset)
            return unsafe body(UnsafeRawBufferPointer(rebasing: piece[start..<(start + count)]))
        }
    }

    func firstByte(at place: Place) -> UInt8 { pieces[Int(place.piece)][Int(place.offset)] }
}
