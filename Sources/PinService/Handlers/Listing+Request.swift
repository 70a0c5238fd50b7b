import Contracts

extension PinListing {
    private static let question = "pins"
    private static let usualSize: UInt32 = 100
    private static let mostSize: UInt32 = 500

    init(_ request: ListPinsRequest) throws(PinError) {
        let size = try PageSize.checked(request.pageSize ?? Self.usualSize, most: Self.mostSize)
        self.init(after: try Self.cursor(request.pageToken), limit: size)
    }

    private static func cursor(_ token: String) throws(PinError) -> Cursor {
        guard let end = try PageToken.end(in: token, of: question) else { return .start }
        guard end.count == 24, let id = PinID(bytes: Array(end[8...])) else { throw PageToken.refusal(token) }
        return Cursor(createdMilliseconds: Int64(bitPattern: BigEndian.number(end[..<8])), id: id)
    }

    /// The token for what comes behind a pin.
    static func token(after pin: Pin) -> String {
        let time = BigEndian.bytes(UInt64(bitPattern: pin.createdMilliseconds))
        return PageToken.text(time + pin.id.bytes, of: question)
    }
}

extension PlaceListing {
    private static let usualSize: UInt32 = 100
    private static let mostSize: UInt32 = 1_000
    private static let longestNetwork = 50

    init(_ request: ListPinPlacesRequest) throws(PinError) {
        let pin = try PinID(request: request.id)
        let size = try PageSize.checked(request.pageSize ?? Self.usualSize, most: Self.mostSize)
        for (index, network) in request.networks.enumerated() {
            // By its length first: comparing a long name that is not ASCII can take minutes, if it is made for it.
            let isLong = network.utf8.count > Self.longestNetwork
            if !isLong, PlaceNetwork.names.contains(network) { continue }
            let given = isLong ? "a name of \(network.utf8.count) bytes" : "\"\(network)\""
            let known = PlaceNetwork.names.joined(separator: ", ")
            throw .invalid(field: "networks[\(index)]", "\(given) is given, known are: \(known)")
        }
        let networks = Set(request.networks).sorted()
        let question = Self.question(pin, networks, request.withPhotos)
        self.init(
            pin: pin, networks: networks, withPhotos: request.withPhotos,
            after: try Self.cursor(request.pageToken, question), limit: size)
    }

    /// The token for what comes behind a place.
    func token(after place: LinkedPlace) -> String {
        let end = BigEndian.bytes(place.metres.bitPattern) + Array(place.place.id.utf8)
        return PageToken.text(end, of: Self.question(pin, networks, withPhotos))
    }

    private static func cursor(_ token: String, _ question: String) throws(PinError) -> Cursor {
        guard let end = try PageToken.end(in: token, of: question) else { return .start }
        guard end.count > 8, let id = String(validating: end[8...], as: UTF8.self) else {
            throw PageToken.refusal(token)
        }
        let metres = Double(bitPattern: BigEndian.number(end[..<8]))
        guard metres.isFinite, metres >= 0 else { throw PageToken.refusal(token) }
        return Cursor(metres: metres, id: id)
    }

    private static func question(_ pin: PinID, _ networks: [String], _ withPhotos: Bool) -> String {
        "places of \(pin) \(networks.joined(separator: ",")) \(withPhotos)"
    }
}

/// How many a page may hold.
enum PageSize {
    static func checked(_ size: UInt32, most: UInt32) throws(PinError) -> Int {
        guard (1...most).contains(size) else {
            throw .invalid(field: "page_size", "\(size) is given, 1 to \(WholeNumber.text(Int(most))) are allowed")
        }
        return Int(size)
    }
}
