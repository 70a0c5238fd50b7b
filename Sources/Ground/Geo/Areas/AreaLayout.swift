/// The file of an index of areas, format 1. Little endian.
///
///     header, 4096 bytes
///       0  8 bytes   magic "WMAREAS1"
///       8  UInt64    checksum of all that follows the header
///      16  UInt64    what the index belongs to
///      24  UInt32    number of records R
///      28  UInt32    number of pieces P
///      32  UInt64    number of points N
///      40  UInt64    number of boxes of steps S
///      48  UInt64    bytes of all texts T
///      56  UInt64    checksum of the header before
///      64  zero
///     pieces   P × 56: record UInt32, number of points UInt32, first point UInt64, first box UInt64, kind UInt32, zero
///              UInt32, box of its points, zero UInt64
///     tree     boxes, each around 16 pieces; then boxes, each around 16 of these; and so on up to one
///     points   N × (latitude Int32, longitude Int32), in 1e-7 degrees
///     steps    S boxes: of each piece around its steps, 16 at a time, then around 16 of these; and so on up to one
///     starts   (R + 1) × UInt64: where the text of each record begins
///     kinds    R × (kind UInt8, level UInt8)
///     texts    T bytes
///
/// A box is south, west, north, east, each an Int32. A piece is a ring, whose last point repeats its first, or a line.
/// A record has several; a point lies in it when it lies in an odd number of its rings.
struct AreaLayout: Sendable {
    static let magic: [UInt8] = Array("WMAREAS1".utf8)
    static let headerBytes = 4096
    static let checkedHeaderBytes = 56
    static let pieceBytes = 56
    static let boxBytes = 16
    static let pointBytes = 8
    /// Boxes in one of the next level.
    static let fan = 16
    /// More than this no file has.
    private static let most: UInt64 = 1 << 40

    let records: Int
    let pieces: Int
    let points: Int
    let steps: Int
    let texts: Int
    /// How many boxes the levels of the tree have, the lowest first.
    let levels: [Int]
    // Where each part begins; stored, as a search asks for them with each point.
    let piecesAt = Self.headerBytes
    let treeAt: Int
    let pointsAt: Int
    let stepsAt: Int
    let startsAt: Int
    let kindsAt: Int
    let textsAt: Int
    let fileBytes: Int

    /// Nil when the numbers are those of no file.
    init?(records: UInt64, pieces: UInt64, points: UInt64, steps: UInt64, texts: UInt64) {
        guard [records, pieces, points, steps, texts].allSatisfy({ $0 < Self.most }) else { return nil }
        self.records = Int(records)
        self.pieces = Int(pieces)
        self.points = Int(points)
        self.steps = Int(steps)
        self.texts = Int(texts)
        levels = Self.levels(over: Int(pieces))
        treeAt = piecesAt + self.pieces * Self.pieceBytes
        pointsAt = treeAt + levels.reduce(0, +) * Self.boxBytes
        stepsAt = pointsAt + self.points * Self.pointBytes
        startsAt = stepsAt + self.steps * Self.boxBytes
        kindsAt = startsAt + (self.records + 1) * 8
        textsAt = kindsAt + self.records * 2
        fileBytes = textsAt + self.texts
    }

    /// How many boxes there are on each level above so many things; none above one or none.
    static func levels(over count: Int) -> [Int] {
        var levels: [Int] = []
        var count = count
        while count > 1 {
            count = (count + fan - 1) / fan
            levels.append(count)
        }
        return levels
    }
}
