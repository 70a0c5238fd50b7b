import Bytes
import Contracts
import Refusals
import Requests

extension PinListing {
    private static let pageSize = Bounds.pageSize(
        ListPinsRequest.pageSizeRange, default: ListPinsRequest.pageSizeDefault)
    private static let tokens = PageToken(of: "pins")

    init(_ request: ListPinsRequest) throws(Refusal) {
        let size = try Self.pageSize.checkedCount(request.pageSize)
        let end = try Self.tokens.end(in: request.pageToken) { Cursor($0) }
        self.init(after: end ?? .start, limit: size)
    }

    /// The token for the page after a pin.
    static func token(after pin: Pin) -> String {
        let time = BigEndian.bytes(UInt64(bitPattern: pin.createdMilliseconds))
        return tokens.text(after: time + pin.id.bytes)
    }
}

extension PinListing.Cursor {
    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == 24, let id = PinID(bytes: Array(bytes[8...])) else { return nil }
        self.init(createdMilliseconds: Int64(bitPattern: BigEndian.number(bytes[..<8])), id: id)
    }
}

extension PlaceListing {
    private static let pageSize = Bounds.pageSize(
        ListPinPlacesRequest.pageSizeRange, default: ListPinPlacesRequest.pageSizeDefault)
    private static let longestNetwork = 50

    init(_ request: ListPinPlacesRequest) throws(Refusal) {
        let pin = try PinID(request: request.id)
        if request.grouped { throw Refusal("grouped", "only the gateway groups places") }
        let size = try Self.pageSize.checkedCount(request.pageSize)
        for (index, network) in request.networks.enumerated() {
            // The length first: comparing a long name that is not ASCII can take minutes, if it is made for that.
            let isLong = network.utf8.count > Self.longestNetwork
            if !isLong, PlaceNetwork.names.contains(network) { continue }
            throw Refusal(
                "networks[\(index)]", text: network, allowed: "\(PlaceNetwork.names.joined(separator: ", ")) are")
        }
        let networks = Set(request.networks).sorted()
        let end = try Self.tokens(pin, networks, request.withPhotos).end(in: request.pageToken) { Cursor($0) }
        self.init(pin: pin, networks: networks, withPhotos: request.withPhotos, after: end ?? .start, limit: size)
    }

    /// The token for the page after a place.
    func token(after place: LinkedPlace) -> String {
        let end = DistanceEnd(metres: place.metres, id: place.place.id.utf8)
        return Self.tokens(pin, networks, withPhotos).text(after: end.bytes)
    }

    private static func tokens(_ pin: PinID, _ networks: [String], _ withPhotos: Bool) -> PageToken {
        PageToken(of: "places of \(pin) \(networks.joined(separator: ",")) \(withPhotos)")
    }
}

extension PlaceListing.Cursor {
    fileprivate init?(_ bytes: [UInt8]) {
        guard let end = DistanceEnd(bytes), let id = String(validating: end.id, as: UTF8.self) else { return nil }
        self.init(metres: end.metres, id: id)
    }
}
