import Bytes
import Contracts
import Geo
import MapPicture
import RPC
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
        let query = PinMapQuery(request)
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

    init(_ request: GetPinMapRequest) {
        pinID = request.pinId
        span = request.spanDegrees ?? GetPinMapRequest.spanDegreesDefault
        width = Int(request.width ?? GetPinMapRequest.widthDefault)
        height = Int(request.height ?? GetPinMapRequest.heightDefault)
        scale = Int(request.scale ?? GetPinMapRequest.scaleDefault)
    }

    func view(around pin: Pin?) throws -> MapView {
        guard let position = try? Geo.Coordinate(pin?.position, field: "position") else {
            throw RPCError(.internalError, "the pin service did not say where the pin is")
        }
        return MapView(
            latitude: position.latitude, longitude: position.longitude, span: span, width: width, height: height,
            scale: scale)
    }
}
