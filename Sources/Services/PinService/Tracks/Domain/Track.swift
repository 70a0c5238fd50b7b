import Geo

/// A track, a route, a line or an area that a file has brought.
struct Track: Sendable {
    /// The numbers are stored in the database: one that was used never changes its meaning.
    enum Kind: Int64, Sendable {
        case line = 1
        case area = 2
    }

    /// How many an account may have, and of how many bytes together.
    static let limit: Int64 = 1_000
    /// Tracks that a file may have, those that are there already among them.
    static let maximumOfFile = 10_000
    static let limitBytes: Int64 = 32 << 20
    static let maximumName = 200

    let id: PinID
    let account: String
    let kind: Kind
    let name: String
    var list: ListID?
    /// Its own; nil when it has that of its list, or none.
    let colour: PinList.Colour?
    let box: Box
    let pointCount: Int64
    let figures: Figures
    let createdMilliseconds: Int64

    /// How far, how high and how long.
    struct Figures: Equatable, Sendable {
        /// Of an area its outline.
        var lengthMetres: Double
        /// Nil where no height is known.
        var climbMetres: Double?
        /// Nil where no time is known.
        var time: Time?

        struct Time: Equatable, Sendable {
            let startMilliseconds: Int64
            let durationMilliseconds: Int64
        }
    }
}
