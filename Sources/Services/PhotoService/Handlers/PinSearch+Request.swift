import PhotoContracts
import FieldRules
import Geo
import Refusals
import Requests

extension PinSearch {
    init(_ request: SearchAlbumsRequest, account: String) throws(Refusal) {
        guard let generation = Int64(exactly: request.generation), generation > 0 else {
            throw Refusal("generation", request.generation, allowed: "a number from 1 is")
        }
        guard request.places.count <= Self.maximumPlaces else {
            throw Refusal(
                "places", request.places.count, "places", allowed: "at most \(Self.maximumPlaces) in one part are")
        }
        var places: [PlaceNote] = []
        for (index, place) in request.places.enumerated() {
            places.append(try PlaceNote(place, field: "places[\(index)]"))
        }
        self.init(
            pin: try Self.pin(request.pinId), account: account, generation: generation,
            centre: try Geo.Coordinate(request.centre, field: "centre"), radiusMetres: request.radiusM, places: places,
            isLast: request.isLast, morePlacesFollow: request.morePlacesFollow,
            chosen: try request.networkChoice.map { choice throws(Refusal) in
                try NetworksChosen(choice, field: "network_choice")
            },
            limit: try request.networkLimit.map { limit throws(Refusal) in
                try NetworksChosen(limit, field: "network_limit").networks
            } ?? .all)
    }

    /// A validated pin id.
    static func pin(_ id: String) throws(Refusal) -> String {
        if AlbumSubject.isPinID(id) { return id }
        throw Refusal("pin_id", text: id, allowed: "1 to \(AlbumSubject.maximumPinBytes) letters, digits and - are")
    }
}

extension NetworksChosen {
    private static let maximum = 100

    init(_ message: NetworkChoice, field: String) throws(Refusal) {
        guard message.networks.count <= Self.maximum else {
            throw Refusal(
                "\(field).networks", message.networks.count, "networks", allowed: "at most \(Self.maximum) are")
        }
        for (index, name) in message.networks.enumerated() where !FieldForm.network.takes(name) {
            throw Refusal("\(field).networks[\(index)]", text: name, allowed: "the name of a network is")
        }
        self.init(
            networks: EnabledNetworks(names: message.all ? nil : Set(message.networks)),
            version: Int64(clamping: message.version))
    }
}

extension PlaceNote {
    /// In one request.
    private static let maximumTags = 8
    private static let maximumTagBytes = 1_000

    fileprivate init(_ message: PlacePoint, field: String) throws(Refusal) {
        guard AlbumSubject.isPlaceID(message.id) else {
            let allowed = "1 to \(AlbumSubject.maximumPlaceBytes) bytes without control characters are"
            throw Refusal("\(field).id", text: message.id, allowed: allowed)
        }
        let position = try Geo.Coordinate(message.position, field: "\(field).position")
        if let tags = message.pictureTags?.tags { try Self.check(tags, field: "\(field).picture_tags.tags") }
        self.init(
            place: KnownPlace(id: message.id, position: position), pictureTags: message.pictureTags?.tags,
            isMinor: message.minor)
    }

    private static func check(_ tags: [String], field: String) throws(Refusal) {
        guard tags.count <= maximumTags else {
            throw Refusal(field, tags.count, "tags", allowed: "at most \(maximumTags) are")
        }
        for (index, tag) in tags.enumerated() {
            guard tag.utf8.count <= maximumTagBytes,
                !tag.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                throw Refusal(
                    "\(field)[\(index)]", text: tag,
                    allowed: "at most \(maximumTagBytes) bytes without control characters are")
            }
        }
    }
}
