import HTTP
import Synchronization
import TestSupport

@testable import PhotoService

/// A simulator of Foursquare's photos of venues, in each shape of its API.
final class FoursquareSimulator: Sendable {
    /// A photo of a venue.
    struct Listed: Sendable {
        var number = 1
        var name: String? = "Ann"
        var isPublic = true
        /// Instead of the host of the simulator.
        var prefix: String?
    }

    static let key = "ID123:SECRET456"

    private let shape: FoursquarePhotos.Shape
    /// By the id of the venue.
    private let venues: Mutex<[String: [Listed]]>
    private let failures: Mutex<[HTTPResponse]>

    init(_ shape: FoursquarePhotos.Shape, _ venues: [String: [Listed]], failures: [HTTPResponse] = []) {
        self.shape = shape
        self.venues = Mutex(venues)
        self.failures = Mutex(failures)
    }

    func set(_ venue: String, _ photos: [Listed]) { venues.withLock { $0[venue] = photos } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        if request.path.hasPrefix("/img/") {
            let bytes = TestJPEG(width: 640, height: 480).bytes { x, y in (UInt8(x & 255), UInt8(y & 255), 33) }
            return HTTPResponse(200, body: .bytes(bytes))
        }
        if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return failure }
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.last == "photos", parts.count >= 3 else { return HTTPResponse(400, text: "bad path") }
        guard isLetIn(request) else { return refusal(401, "invalid_auth") }
        guard let photos = venues.withLock({ $0[parts[parts.count - 2]] }) else {
            return refusal(404, "endpoint_error")
        }
        let host = "http://\(request.headers["host"] ?? "")"
        let list = "[\(photos.map { photo($0, host) }.joined(separator: ","))]"
        guard shape == .second else { return .json(list) }
        return .json(
            #"{"meta":{"code":200,"requestId":"1"},"response":{"photos":{"count":9,"items":\#(list),"dupesRemoved":0}}}"#
        )
    }

    private func isLetIn(_ request: HTTPRequest) -> Bool {
        switch shape {
        case .second:
            request.path.hasPrefix("/v2/venues/") && request.query["client_id"] == "ID123"
                && request.query["client_secret"] == "SECRET456" && request.query["v"]?.count == 8
        case .third: request.path.hasPrefix("/v3/places/") && request.headers["authorization"] == Self.key
        case .current:
            request.path.hasPrefix("/places/") && request.headers["authorization"] == "Bearer \(Self.key)"
                && request.headers["x-places-api-version"] == "2025-06-17"
        }
    }

    private func photo(_ listed: Listed, _ host: String) -> String {
        let id = "51e0000000000000000000\(listed.number < 10 ? "0" : "")\(listed.number)"
        let place = #""prefix":"\#(listed.prefix ?? "\(host)/img/")","suffix":"/\#(id).jpg","width":960,"height":720"#
        switch shape {
        case .second:
            let user = listed.name.map { #","user":{"id":"1","firstName":"\#($0)","lastName":"P."}"# } ?? ""
            let visibility = listed.isPublic ? "public" : "friends"
            return
                #"{"id":"\#(id)","createdAt":\#(1_373_902_108 + listed.number),\#(place),"visibility":"\#(visibility)"\#(user)}"#
        case .third: return #"{"id":"\#(id)","created_at":"2013-07-15T15:28:28.000Z",\#(place)}"#
        case .current: return #"{"fsq_photo_id":"\#(id)","created_at":"2013-07-15T15:28:28.000Z",\#(place)}"#
        }
    }

    private func refusal(_ status: Int, _ type: String) -> HTTPResponse {
        shape == .second
            ? .json(
                #"{"meta":{"code":\#(status),"errorType":"\#(type)","errorDetail":"so it is"},"response":{}}"#, status)
            : .json(#"{"message":"so it is"}"#, status)
    }
}
