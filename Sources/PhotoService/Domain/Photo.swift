import Geo

/// The record of one picture: where it was taken, who made it, under which terms it may be shown.
struct Photo: Equatable, Sendable {
    let id: PhotoID
    /// Caption; may be empty.
    let title: String
    let position: Coordinate
    let credit: Credit
    /// Where its bytes are, by https; may be empty.
    let originalURL: String
    /// Width in pixels; 0 when not known.
    let width: UInt32
    /// Height in pixels; 0 when not known.
    let height: UInt32
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known.
    let takenMilliseconds: Int64?
    /// Where its picture stands; a record that was put in has none.
    var picture = PictureStatus()
}
