import Contracts
import Geo
import RPC
import Requests

extension PinSearch {
    init(_ request: SearchAlbumsRequest, account: String) throws(RPCError) {
        guard let generation = Int64(exactly: request.generation), generation > 0 else {
            throw .invalid("generation", "\(request.generation) is given, a number from 1 is needed")
        }
        guard Self.radiusRange.contains(request.radiusM) else {
            throw .invalid("radius_m", "\(request.radiusM) is given, 0 to 100,000 metres are allowed")
        }
        guard request.places.count <= Self.placeLimit else {
            throw .invalid("places", "\(request.places.count) are given, at most 1,000 in one part are allowed")
        }
        var places: [KnownPlace] = []
        for (index, place) in request.places.enumerated() {
            places.append(try KnownPlace(place, field: "places[\(index)]"))
        }
        self.init(
            pin: try Self.pin(request.pinId), account: account, generation: generation,
            centre: try Geo.Coordinate(request.centre, field: "centre"), radiusMetres: request.radiusM, places: places,
            isLast: request.isLast)
    }

    /// A pin's id, known to be one.
    static func pin(_ id: String) throws(RPCError) -> String {
        if AlbumSubject.isPinID(id) { return id }
        throw .invalid(
            "pin_id", "\"\(id.prefix(80))\" is given, 1 to \(AlbumSubject.pinLimit) letters, digits and - are allowed")
    }
}

extension KnownPlace {
    fileprivate init(_ message: PlacePoint, field: String) throws(RPCError) {
        guard AlbumSubject.isPlaceID(message.id) else {
            throw .invalid(
                "\(field).id",
                "\"\(message.id.prefix(80))\" is given, 1 to \(AlbumSubject.placeLimit) bytes without control "
                    + "characters are allowed")
        }
        self.init(id: message.id, position: try Geo.Coordinate(message.position, field: "\(field).position"))
    }
}

extension WatchSummariesRequest {
    /// From where on to tell: from the start when what was told is of other data.
    func cursor(epoch stored: Int64) throws(RPCError) -> Int64 {
        guard let version = Int64(exactly: fromVersion) else {
            throw .invalid("from_version", "\(fromVersion) is given, `version` of an answer is needed")
        }
        return UInt64(stored) == epoch ? version : 0
    }
}
