import Geo

/// A track, a route or a line that a file has brought.
struct Track: Sendable {
    /// How many an account may have, and of how many bytes together.
    static let limit: Int64 = 1_000
    /// Tracks that a file may have, those that are there already among them.
    static let maximumOfFile = 10_000
    static let limitBytes: Int64 = 32 << 20
    static let maximumName = 200

    let id: PinID
    let account: String
    let name: String
    var list: ListID?
    /// Its own; nil when it has that of its list, or none.
    let colour: PinList.Colour?
    let box: Box
    let pointCount: Int64
    let lengthMetres: Double
    let createdMilliseconds: Int64
}
