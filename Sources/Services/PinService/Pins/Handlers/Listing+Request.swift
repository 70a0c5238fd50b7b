import Bytes
import PinContracts
import Refusals
import Requests

extension PinListing {
    private static let tokens = PageToken(of: "pins")

    init(_ request: ListPinsRequest) throws(Refusal) {
        let end = try Self.tokens.end(in: request.pageToken) { Cursor($0) }
        self.init(after: end ?? .start, limit: Int(request.pageSize ?? ListPinsRequest.pageSizeDefault))
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
    init(_ request: ListPinPlacesRequest) throws(Refusal) {
        let pin = try PinID(request: request.id)
        if request.grouped { throw Refusal("grouped", "only the gateway groups places") }
        let networks = Set(request.networks).sorted()
        let end = try Self.tokens(pin, networks, request.withPhotos).end(in: request.pageToken) { Cursor($0) }
        self.init(
            pin: pin, networks: networks, withPhotos: request.withPhotos, after: end ?? .start,
            limit: Int(request.pageSize ?? ListPinPlacesRequest.pageSizeDefault))
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
