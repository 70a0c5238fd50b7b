import Bytes
import Contracts
import Geo
import MapPicture
import RPC
import Refusals
import Requests

/// Pictures of the map around the caller's pins.
struct MapHandler: MapServiceHandler {
    private let backends: Backends
    private let maps: DatasetMaps

    init(_ backends: Backends, _ maps: DatasetMaps) {
        self.backends = backends
        self.maps = maps
    }

    func getPinMap(_ request: GetPinMapRequest, _ context: CallContext) async throws -> GetPinMapResponse {
        let query = try PinMapQuery(request)
        // In the caller's name: to the pin service another account's pin is none.
        let answer = try await PinServiceClient(backends.pins).getPin(
            GetPinRequest(id: query.pinID), CallOptions(context))
        let picture = try await maps.picture(of: try query.view(around: answer.pin), CallOptions(context))
        return GetPinMapResponse(png: picture.png, attribution: picture.attribution, sha256: picture.sha256)
    }
}

/// The parameters of a picture of the map, once they are valid.
struct PinMapQuery: Equatable, Sendable {
    let pinID: String
    /// Degrees.
    let span: Double
    /// Points.
    let width: Int
    let height: Int
    /// Pixels per point.
    let scale: Int

    private static let spans = Bound(
        "span_degrees", GetPinMapRequest.spanDegreesRange, default: GetPinMapRequest.spanDegreesDefault,
        unit: "degrees")
    private static let widths = Bound(
        "width", GetPinMapRequest.widthRange, default: GetPinMapRequest.widthDefault, unit: "points")
    private static let heights = Bound(
        "height", GetPinMapRequest.heightRange, default: GetPinMapRequest.heightDefault, unit: "points")
    private static let scales = Bound(
        "scale", GetPinMapRequest.scaleRange, default: GetPinMapRequest.scaleDefault)

    /// Refuses a value out of range, with the field, the value and what is allowed.
    init(_ request: GetPinMapRequest) throws(Refusal) {
        guard Self.isUUID(request.pinId) else {
            throw Refusal("pin_id", text: request.pinId, allowed: "a UUID is")
        }
        pinID = request.pinId
        span = try Self.spans.checked(request.spanDegrees)
        width = try Self.widths.checkedCount(request.width)
        height = try Self.heights.checkedCount(request.height)
        scale = try Self.scales.checkedCount(request.scale)
    }

    func view(around pin: Pin?) throws -> MapView {
        guard let position = try? Geo.Coordinate(pin?.position, field: "position") else {
            throw RPCError(.internalError, "the pin service says of no place where the pin is")
        }
        return MapView(
            latitude: position.latitude, longitude: position.longitude, span: span, width: width, height: height,
            scale: scale)
    }

    /// Groups of 8, 4, 4, 4 and 12 hexadecimal digits.
    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(at: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.joined().unicodeScalars.allSatisfy(\.isHexDigit)
    }
}
