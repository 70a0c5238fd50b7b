import Contracts
import Geo
import Refusals
import Requests

extension PinSearch {
    init(_ request: SearchAlbumsRequest, account: String) throws(Refusal) {
        guard let generation = Int64(exactly: request.generation), generation > 0 else {
            throw Refusal("generation", request.generation, allowed: "a number from 1 is")
        }
        let radius = try Bounds.radius.checked(request.radiusM)
        guard request.places.count <= Self.placeLimit else {
            throw Refusal(
                "places", request.places.count, "places", allowed: "at most \(Self.placeLimit) in one part are")
        }
        var places: [KnownPlace] = []
        for (index, place) in request.places.enumerated() {
            places.append(try KnownPlace(place, field: "places[\(index)]"))
        }
        self.init(
            pin: try Self.pin(request.pinId), account: account, generation: generation,
            centre: try Geo.Coordinate(request.centre, field: "centre"), radiusMetres: radius, places: places,
            isLast: request.isLast, morePlacesFollow: request.morePlacesFollow)
    }

    /// A validated pin id.
    static func pin(_ id: String) throws(Refusal) -> String {
        if AlbumSubject.isPinID(id) { return id }
        throw Refusal("pin_id", text: id, allowed: "1 to \(AlbumSubject.pinLimit) letters, digits and - are")
    }
}

extension KnownPlace {
    fileprivate init(_ message: PlacePoint, field: String) throws(Refusal) {
        guard AlbumSubject.isPlaceID(message.id) else {
            let allowed = "1 to \(AlbumSubject.placeLimit) bytes without control characters are"
            throw Refusal("\(field).id", text: message.id, allowed: allowed)
        }
        self.init(id: message.id, position: try Geo.Coordinate(message.position, field: "\(field).position"))
    }
}
