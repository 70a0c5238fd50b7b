import Bytes
import Contracts
import Terminal

/// Photos as lines for a person.
enum PhotoTable {
    static func lines(_ photos: [Photo], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "DISTANCE", isRight: true), .init(title: "STATE", minimum: 8, rank: 0),
            .init(title: "TITLE", minimum: 14, style: .bold),
            .init(title: "AUTHOR", minimum: 8, rank: 1), .init(title: "LICENCE", minimum: 8, rank: 2),
            .init(title: "WHY", rank: 4), .init(title: "SIZE", rank: 3),
            .init(title: "ID", style: .faint),
        ])
        table.rows = photos.map { photo in
            [
                .init(PlaceTable.distance(photo.distanceM)), .init(state(photo), Look(photo.state).style),
                .init(photo.shownName),
                .init(photo.author), .init(photo.licence), .init(reason(photo)), .init(size(photo)), .init(photo.id),
            ]
        }
        return table.lines(on: sink)
    }

    /// "downloading 40 %", "failed: the file was deleted"
    private static func state(_ photo: Photo) -> String {
        let word = Look(photo.state).word
        switch photo.state {
        case .downloading where photo.totalByteCount > 0:
            let share = min(1, Double(photo.fetchedByteCount) / Double(photo.totalByteCount))
            return "\(word) \(Quantity.fixed(share * 100, 0)) %"
        case .failed where !photo.failure.isEmpty: return "\(word): \(photo.failure)"
        default: return word
        }
    }

    /// Why it is in an album.
    private static func reason(_ photo: Photo) -> String {
        switch photo.reason {
        case .near: photo.id.begins(with: "upload/") ? "yours" : "near"
        case .facing: "looks at it"
        case .named: "its own"
        default: ""
        }
    }

    private static func size(_ photo: Photo) -> String {
        photo.width > 0 && photo.height > 0 ? "\(photo.width)×\(photo.height)" : ""
    }
}
