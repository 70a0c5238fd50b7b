import Crypto
import Geo
import PinFiles

/// A track of a file, before it is one of an account.
struct TrackDraft: Sendable {
    let name: String
    /// The list that stands for all that the file says.
    let list: PinList.Draft?
    let colour: PinList.Colour?
    let box: Box
    let pointCount: Int64
    let lengthMetres: Double
    /// As `PackedTrack` has it.
    let shape: [UInt8]
    /// Of the name and the shape: a track is there once.
    let digest: [UInt8]

    /// Nil for a track without points.
    init?(_ record: TrackRecord) {
        guard let box = Box(around: record.parts.lazy.flatMap { $0 }) else { return nil }
        self.box = box
        name = record.name.onOneLine.cut(to: Track.maximumName)
        list = record.lists.lazy.compactMap { PinList.Draft($0) }.first
        colour = PinList.Colour(written: record.colour)
        pointCount = Int64(record.pointCount)
        lengthMetres = record.parts.reduce(0) { sum, part in
            zip(part, part.dropFirst()).reduce(sum) { $0 + Distance.metres(from: $1.0, to: $1.1) }
        }
        shape = PackedTrack.bytes(record.parts)
        digest = SHA256.digest(Array(name.utf8) + [0] + shape)
    }
}
