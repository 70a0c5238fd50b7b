import Geo
import Glibc
import HTTP
import TestSupport
import TestTools

/// Invented venues, served in the shapes of the live networks.
struct FixtureCity: Sendable {
    struct Venue: Sendable {
        let number: Int
        let position: Coordinate

        var name: String { "Venue \(number)" }
    }

    static let centre = Shapes.point(60.17, 24.94)

    let venues: [Venue]

    /// So many venues around a point, at most so far north, south, east and west of it.
    init(
        _ count: Int, around centre: Coordinate = centre, reachMetres: Double = 1_000, seed: UInt64 = 1,
        numberedFrom first: Int = 1
    ) throws {
        var random = SeededGenerator(seed: seed)
        let up = reachMetres / 111_195
        let along = up / cos(centre.latitude * .pi / 180)
        venues = try (first..<(first + count)).map { number in
            var longitude = centre.longitude + .random(in: -along...along, using: &random)
            if longitude > 180 { longitude -= 360 }
            let latitude = centre.latitude + .random(in: -up...up, using: &random)
            return Venue(number: number, position: try Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    /// Two cities on one map.
    init(_ one: FixtureCity, _ other: FixtureCity) { venues = one.venues + other.venues }

    /// The distances of the nearest venues.
    func nearest(_ count: Int, to centre: Coordinate, within radiusMetres: Double) -> [Double] {
        Array(venues.map { $0.position.metres(to: centre) }.filter { $0 <= radiusMetres }.sorted().prefix(count))
    }

    func count(around centre: Coordinate = centre, _ radiusMetres: Double) -> Int {
        venues.count { $0.position.metres(to: centre) <= radiusMetres }
    }

    // MARK: Overpass

    /// What an Overpass server answers: what lies in one of the boxes, in the order of ids, cut at the limit.
    func overpass(_ request: HTTPRequest) -> HTTPResponse {
        let boxes = Self.boxes(in: request)
        let limit = Self.query(of: request).split(separator: "out center ").last.flatMap { Int($0.dropLast()) } ?? 0
        let found = venues.filter { venue in boxes.contains { $0.contains(venue.position) } }
        return .json(Self.overpass(found.prefix(limit).map { $0.overpassElement }))
    }

    static func overpass(_ elements: [String], remark: String? = nil) -> String {
        let tail = remark.map { #","remark":"\#($0)""# } ?? ""
        return #"{"version":0.6,"generator":"fixture","elements":[\#(elements.joined(separator: ","))]\#(tail)}"#
    }

    /// The boxes that a query names.
    static func boxes(in request: HTTPRequest) -> [Box] {
        query(of: request).split(separator: "(").compactMap { part in
            let numbers = part.prefix { $0 != ")" }.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 4 else { return nil }
            return try? Box(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
        }
    }

    /// The query in a form.
    static func query(of request: HTTPRequest) -> String {
        var bytes: [UInt8] = []
        var rest = request.body.drop { $0 != UInt8(ascii: "=") }.dropFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: circles

    /// What Foursquare answers in its shape of 2025, with or without a way to the next page.
    func foursquare(_ request: HTTPRequest, pages: Bool) -> HTTPResponse {
        guard request.headers["authorization"] == "Bearer secret" else {
            return .json(#"{"message":"Invalid request token."}"#, 401)
        }
        let inside = inCircle(request.query["ll"], request.query["radius"])
        let (start, limit) = (Int(request.query["cursor"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 10)
        let page = inside.dropFirst(start).prefix(limit)
        let next = start + page.count
        let hasMore = pages && next < inside.count
        return .json(
            #"{"results":[\#(page.map { $0.foursquareVenue }.joined(separator: ","))],"context":{}}"#,
            fields: hasMore ? [("Link", #"<https://example.org/places/search?cursor=\#(next)>; rel="next""#)] : [])
    }

    /// What it answers in its second shape.
    func foursquareV2(_ request: HTTPRequest) -> HTTPResponse {
        guard request.query["client_id"] == "id", request.query["client_secret"] == "secret",
            request.query["v"]?.count == 8, request.query["intent"] == "browse"
        else { return .json(#"{"meta":{"code":400,"errorType":"param_error","errorDetail":"v"},"response":{}}"#, 400) }
        let page = inCircle(request.query["ll"], request.query["radius"]).prefix(50)
        let venues = page.map { $0.foursquareV2Venue }.joined(separator: ",")
        return .json(#"{"meta":{"code":200,"requestId":"1"},"response":{"venues":[\#(venues)]}}"#)
    }

    /// What Instagram answered once.
    func instagram(_ request: HTTPRequest) -> HTTPResponse {
        let point = "\(request.query["lat"] ?? ""),\(request.query["lng"] ?? "")"
        let page = inCircle(point, request.query["distance"]).prefix(20)
        let places = page.map {
            #"{"id":\#($0.number),"name":"\#($0.name)","latitude":\#($0.position.latitude),"longitude":\#($0.position.longitude)}"#
        }
        return .json(#"{"meta":{"code":200},"data":[\#(places.joined(separator: ","))]}"#)
    }

    private func inCircle(_ point: String?, _ radius: String?) -> [Venue] {
        let numbers = (point ?? "").split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2, let radius = Double(radius ?? ""),
            let centre = try? Coordinate(latitude: numbers[0], longitude: numbers[1])
        else { return [] }
        return
            venues
            .map { ($0.position.metres(to: centre), $0) }
            .filter { $0.0 <= radius }
            .sorted { ($0.0, $0.1.number) < ($1.0, $1.1.number) }
            .map { $0.1 }
    }
}

extension FixtureCity.Venue {
    /// Every third one is a way, whose position is its centre.
    var overpassElement: String {
        let point = #""lat":\#(position.latitude),"lon":\#(position.longitude)"#
        let tags = #""tags":{"name":"\#(name)","amenity":"cafe"}"#
        return number % 3 == 0
            ? #"{"type":"way","id":\#(number),"center":{\#(point)},\#(tags)}"#
            : #"{"type":"node","id":\#(number),\#(point),\#(tags)}"#
    }

    var foursquareVenue: String {
        #"{"fsq_place_id":"\#(number)","name":"\#(name)","latitude":\#(position.latitude),"#
            + #""longitude":\#(position.longitude),"categories":[{"fsq_category_id":"4bf","name":"Ice Cream Shop"}],"#
            + #""location":{"address":"Road \#(number)"}}"#
    }

    var foursquareV2Venue: String {
        #"{"id":"\#(number)","name":"\#(name)","location":{"lat":\#(position.latitude),"#
            + #""lng":\#(position.longitude)},"categories":[{"id":"4bf","name":"Cafe","primary":true}]}"#
    }
}

extension HTTPResponse {
    static func json(_ text: String, _ status: Int = 200, fields: [(String, String)] = []) -> HTTPResponse {
        var headers: HTTPFields = [("Content-Type", "application/json")]
        for field in fields { headers.add(field.0, field.1) }
        return HTTPResponse(status, headers: headers, body: .bytes(Array(text.utf8)))
    }
}
