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
        let views = try query.views(around: answer.pin)
        let picture = try await maps.picture(of: views.near, elseOf: views.region, CallOptions(context))
        return GetPinMapResponse(png: picture.png, attribution: picture.attribution, sha256: picture.sha256)
    }
}

/// The parameters of a picture of the map, once they are valid.
struct PinMapQuery: Equatable, Sendable {
    /// Degrees where streets are shown, and where there are none.
    private static let spans = (near: 0.008, region: 0.3)

    let pinID: String
    /// Degrees; nil when what there is decides.
    let span: Double?
    /// Points.
    let width: Int
    let height: Int
    /// Pixels per point.
    let scale: Int
    let isDark: Bool

    init(_ request: GetPinMapRequest) {
        pinID = request.pinId
        span = request.spanDegrees
        width = Int(request.width ?? GetPinMapRequest.widthDefault)
        height = Int(request.height ?? GetPinMapRequest.heightDefault)
        scale = Int(request.scale ?? GetPinMapRequest.scaleDefault)
        isDark = request.dark
    }

    /// What is shown around a pin: `near` where there are streets, and else `region`, if there is a choice.
    func views(around pin: Pin?) throws -> (near: MapView, region: MapView?) {
        guard let pin, let position = try? Geo.Coordinate(pin.position, field: "position") else {
            throw RPCError(.internalError, "the pin service did not say where the pin is")
        }
        func view(_ span: Double) -> MapView {
            MapView(
                latitude: position.latitude, longitude: position.longitude, span: span, width: width, height: height,
                scale: scale, pin: PinTint(pin), isDark: isDark)
        }
        return (view(span ?? Self.spans.near), span == nil ? view(Self.spans.region) : nil)
    }
}

extension PinTint {
    /// As on the web's map.
    init(_ pin: Pin) {
        switch pin.state {
        case .partial: self = .purple
        case .ready: self = .green
        case .new where pin.generation == 0 && pin.searches.isEmpty: self = .grey
        default: self = .red
        }
    }
}
