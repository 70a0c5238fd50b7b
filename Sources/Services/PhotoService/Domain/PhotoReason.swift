/// Why a photo is in an album, the best reason last. It is the upper part of a photo's position in the order of its
/// album: what the place's own entry names comes before what looks at it, and that before what is near.
enum PhotoReason: Int64, Sendable {
    /// It was taken near the pin or the place, or its account has added it.
    case near = 0
    /// The camera looked at the place.
    case facing = -1
    /// The place's own entry names it.
    case named = -2

    /// More photos than one album ever has.
    private static let bits: Int64 = 40

    /// The first position in the order; those of a better reason are below.
    var firstOrdinal: Int64 { rawValue << Self.bits }

    /// The first position of those of a worse reason.
    var endOrdinal: Int64 { (rawValue + 1) << Self.bits }

    init(ordinal: Int64) {
        self = PhotoReason(rawValue: ordinal >> Self.bits) ?? .near
    }
}
