import Crypto
import FeatureFiles
import Geo
import PinFiles

/// A track of a file, before it is one of an account.
struct TrackDraft: Sendable {
    let kind: Track.Kind
    let name: String
    /// The list that stands for all that the file says.
    let list: PinList.Draft?
    let colour: PinList.Colour?
    let box: Box
    let pointCount: Int64
    let figures: Track.Figures
    let packed: PackedTrack
    /// Of the name and all that its points are: a track is there once.
    let digest: [UInt8]
    /// Whether it is a month of where a phone was.
    let isHistory: Bool

    /// Nil for a track without points.
    init?(_ record: TrackRecord) {
        guard let box = Box(around: record.parts.lazy.flatMap(\.positions)) else { return nil }
        kind = record.kind == .area ? .area : .line
        self.box = box
        name = record.name.onOneLine.cut(to: Track.maximumName)
        list = record.lists.lazy.compactMap { PinList.Draft($0) }.first
        colour = PinList.Colour(written: record.colour)
        pointCount = Int64(record.pointCount)
        figures = Track.Figures(record.parts)
        packed = PackedTrack(record.parts)
        let isArea: [UInt8] = kind == .area ? [1] : []
        isHistory = record.kind == .line && record.lists.contains { $0.name == FeatureList.phoneHistory.name }
        digest = SHA256.digest(Array(name.utf8) + [0] + packed.shape + packed.details + isArea)
    }
}
