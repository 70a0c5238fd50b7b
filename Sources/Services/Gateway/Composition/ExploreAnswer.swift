import Contracts
import Wire

/// What is found around a point, as `Explore` answers it: rows of all branches, still packed.
struct ExploreAnswer {
    var places = AnswerRows()
    private var pins = AnswerRows()
    private var photos = AnswerRows()
    private var posts = AnswerRows()

    /// Takes a branch's rows, behind those that are there.
    mutating func add(_ rows: AnswerRows, of branch: ExploreBranch) {
        switch branch {
        case .places, .network: places.append(rows)
        case .pins: pins.append(rows)
        case .photos: photos.append(rows)
        case .posts: posts.append(rows)
        }
    }

    /// The packed waymark.gateway.v1.ExploreResponse with these other fields.
    func packed(_ parts: ExploreParts) -> [UInt8] {
        let tail = parts.packedBytes()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            places.byteCount + pins.byteCount + photos.byteCount + posts.byteCount + tail.count)
        places.append(to: &bytes, as: 1)
        pins.append(to: &bytes, as: 2)
        photos.append(to: &bytes, as: 3)
        posts.append(to: &bytes, as: 6)
        return bytes + tail
    }
}
