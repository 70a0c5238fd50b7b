// Drops a pin in the middle of Helsinki, watches it turn green, opens its album and fetches a picture.
// For an app with the package Connect of connectrpc/connect-swift and what buf.gen.yaml makes.

import Connect
import Foundation

func walk(host: String = "http://127.0.0.1:7780") async throws -> Data? {
    let client = ProtocolClient(
        httpClient: URLSessionHTTPClient(),
        config: ProtocolClientConfig(host: host, networkProtocol: .connect, codec: ProtoCodec()))
    let pins = Waymark_Pins_V1_PinServiceClient(client: client)
    let photos = Waymark_Photos_V1_PhotoServiceClient(client: client)

    var request = Waymark_Pins_V1_CreatePinRequest()
    request.position.latitude = 60.1675
    request.position.longitude = 24.9430
    request.radiusM = 300
    // The same one again would give the same pin: a call that was cut off may be retried.
    request.requestID = UUID().uuidString
    let pin = try await pins.createPin(request: request, headers: [:]).result.get().pin

    let news = pins.watchPin(headers: [:])
    try news.send(.with { $0.id = pin.id })
    watching: for await result in news.results() {
        guard case .message(let message) = result, message.hasPin else { continue }
        print(message.pin.name, message.pin.state, message.pin.placeCount)
        if message.pin.state == .ready || message.pin.state == .failed { break watching }
    }

    let subject = "pin/\(pin.id)"
    _ = try await photos.openAlbum(request: .with { $0.subject = subject }, headers: [:]).result.get()
    let album = photos.watchAlbum(headers: [:])
    try album.send(.with { $0.subject = subject })
    for await result in album.results() {
        guard case .message(let message) = result else { continue }
        if let photo = message.photos.first(where: { $0.state == .ready }) {
            // Signed: it needs no token.
            return URL(string: host + photo.largeURL).map { try? Data(contentsOf: $0) } ?? nil
        }
        if [.empty, .failed].contains(message.album.summary.state) { break }
    }
    return nil
}
