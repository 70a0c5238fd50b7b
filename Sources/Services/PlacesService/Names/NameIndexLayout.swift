/// The file of a name index, format 2. Little endian.
///
///     header, 512 bytes
///       0  8 bytes   magic "WMNAMES2"
///       8  UInt64    checksum of all that follows it
///      16  UInt64    what the index was made of
///      24  UInt32    number of terms T
///      28  UInt32    number of names N
///      32  UInt32    bytes of all terms
///      36  UInt32    bytes of all lists
///      40  UInt32    1 in the last file of several, else 0
///      44  zero
///     term starts   (T + 1) × UInt32: where each term begins; terms are in the order of their bytes
///     list starts   (T + 1) × UInt32: where each term's list of names begins
///     items         N × UInt32: what each name leads to, ascending
///     sizes         N × UInt8: words of each name, at most 63, and in the highest two bits what it names
///     weights       N × UInt8: points in sixteenths
///     terms         their bytes, one after the other
///     lists         numbers of names, ascending: each as the difference to the one before, in groups of 7 bits, lowest
///                   first, with the highest bit set in all but the last (LEB128)
struct NameIndexLayout {
    static let magic: [UInt8] = Array("WMNAMES2".utf8)
    static let headerBytes = 512
    static let checkedFrom = 16
    /// Names of one file. What has more goes into several, so that making one takes little memory.
    static let maximumNames = 1 << 20
    static let maximumSize = 63

    let terms: Int
    let names: Int
    let termBytes: Int
    let listBytes: Int

    var termStartsAt: Int { Self.headerBytes }
    var listStartsAt: Int { termStartsAt + (terms + 1) * 4 }
    var itemsAt: Int { listStartsAt + (terms + 1) * 4 }
    var sizesAt: Int { itemsAt + names * 4 }
    var weightsAt: Int { sizesAt + names }
    var termsAt: Int { weightsAt + names }
    var listsAt: Int { termsAt + termBytes }
    var fileBytes: Int { listsAt + listBytes }
}

/// What a name names of the item that it leads to.
enum NameSubject: UInt8 {
    /// The item itself.
    case thing
    /// The street that its address is in, and its postcode and town.
    case street, postcode
    /// The item itself, by another of its names: in another language, an older one, letters for it.
    case otherName

    private static let shift: UInt8 = 6

    /// What is found by it.
    var found: NameSubject { self == .otherName ? .thing : self }

    /// With a size, in one byte.
    func packed(size: Int) -> UInt8 { rawValue << Self.shift | UInt8(min(max(size, 0), NameIndexLayout.maximumSize)) }

    static func unpacked(_ byte: UInt8) -> (subject: NameSubject, size: Int) {
        (NameSubject(rawValue: byte >> shift) ?? .thing, Int(byte) & NameIndexLayout.maximumSize)
    }
}

/// Points of names as an index keeps them.
enum NameWeight {
    private static let steps: Float = 16

    /// Nothing for what is no number.
    static func packed(_ points: Double) -> UInt8 { points > 0 ? UInt8(min(Float(points) * steps, 255)) : 0 }

    static func points(_ packed: UInt8) -> Float { Float(packed) / steps }
}
