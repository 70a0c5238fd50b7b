import FeatureFiles
import Geo
import PinFiles

extension Track.Figures {
    /// What goes up less than this is as often an error of what measures heights.
    private static let climbFromCentimetres: Int32 = 300

    init(_ parts: [TrackRecord.Part]) {
        lengthMetres = parts.lazy.filter { !$0.isHole }.reduce(0) { sum, part in
            zip(part.points, part.points.dropFirst()).reduce(sum) {
                $0 + Distance.metres(from: $1.0.position, to: $1.1.position)
            }
        }
        climbMetres = Self.climb(parts)
        let times = parts.lazy.flatMap(\.points).compactMap(\.milliseconds)
        if let first = times.min(), let last = times.max() {
            time = Time(startMilliseconds: first, durationMilliseconds: last - first)
        }
    }

    /// What it goes up in all its pieces.
    private static func climb(_ parts: [TrackRecord.Part]) -> Double? {
        var (sum, isKnown): (Int64, Bool) = (0, false)
        for part in parts {
            var from: Int32?
            for case let height? in part.points.lazy.map(\.heightCentimetres) {
                isKnown = true
                let step = height - (from ?? height)
                guard from == nil || step.magnitude >= climbFromCentimetres else { continue }
                if step > 0 { sum += Int64(step) }
                from = height
            }
        }
        return isKnown ? Double(sum) / 100 : nil
    }
}
