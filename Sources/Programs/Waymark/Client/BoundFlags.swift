import Arguments
import Contracts

// Flags for numbers whose bounds the .proto files say.

extension Flag {
    /// How many results are asked for.
    static func limit(_ what: String, _ range: ClosedRange<UInt32>, default number: UInt32) -> Flag {
        Flag("limit", "N", "\(what) at most, \(range.lowerBound) to \(range.upperBound); \(number) when not given")
    }

    /// How far around a point is searched.
    static let searchRadius = Flag(
        "radius", "LENGTH", "how far to look: 500, 500m, 1.5km; \(length(NearbyRequest.radiusMDefault)) when not given")

    /// Where places have to be.
    static let area = Flag("area", "ID", "only in this area: an id of waymark reverse, country/FI, region/FI/Uusimaa")

    /// A radius, with what it is when it is not given.
    static func radius(_ what: String, _ range: ClosedRange<Double>, notGiven: String) -> Flag {
        Flag(
            "radius", "LENGTH",
            "\(what), \(length(range.lowerBound)) to \(length(range.upperBound)); \(notGiven) when not given")
    }

    /// In metres, with all digits: "300", "1234.5"
    static func exactLength(_ metres: Double) -> String { Int(exactly: metres).map { "\($0)" } ?? "\(metres)" }

    /// "50m", "20km"
    static func length(_ metres: Double) -> String {
        metres >= 1_000 ? "\(Int(metres) / 1_000)km" : "\(Int(metres))m"
    }
}
