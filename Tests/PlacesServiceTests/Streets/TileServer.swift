import Compression
import HTTP
import PlaceContracts
import Synchronization
import TestSupport
import TestTools
import VectorTiles

@testable import PlacesService

/// Plays a server of vector tiles, in the shape of those that there are, with what may go wrong.
final class TileServer: Sendable {
    enum Shape: String, CaseIterable {
        /// The path has an edition and an ending, the answer says that it is gzip, nothing is 204.
        case openMapTiles
        /// No ending; the bytes are gzip and the answer does not say so; nothing is 404.
        case shortbread
        /// As they are; nothing is an empty answer.
        case plain
    }

    struct State {
        var edition = "20260913"
        /// What is said of how long a tile lasts.
        var fields: [(String, String)] = []
        /// What is answered instead of a tile.
        var fault: HTTPResponse?
        var describes = true
        /// Passed by each request for a tile.
        var gate: Gate?
    }

    let shape: Shape
    let state = Mutex(State())
    private let zooms: ClosedRange<Int>

    init(_ shape: Shape = .openMapTiles, zooms: ClosedRange<Int> = 0...14) {
        self.shape = shape
        self.zooms = zooms
    }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// A tile that is valid, with a layer of this name and nothing in it.
    static func tile(_ name: String) -> [UInt8] {
        let layer: [UInt8] = [0x0a, UInt8(name.utf8.count)] + Array(name.utf8) + [0x78, 2]
        return [0x1a, UInt8(layer.count)] + layer
    }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let state = self.state.withLock { $0 }
        let parts = request.path.split(separator: "/").map(String.init)
        if parts == ["planet"] { return description(state, request.headers["host"] ?? "") }
        await state.gate?.pass()
        if let fault = state.fault { return fault }
        guard parts.count == 5, parts[1] == state.edition, let z = Int(parts[2]), let x = Int(parts[3]) else {
            return HTTPResponse(404, text: "there is no such edition")
        }
        let tag = "\"\(state.edition)-\(z)-\(x)\""
        var headers: HTTPFields = [("ETag", tag)]
        for (name, value) in state.fields { headers.add(name, value) }
        if request.headers["if-none-match"] == tag { return HTTPResponse(304, headers: headers) }
        // The west of the world has nothing on it.
        return x == 0 ? nothing(headers) : full(Self.tile("\(state.edition) \(z)"), headers)
    }

    private func nothing(_ headers: HTTPFields) -> HTTPResponse {
        switch shape {
        case .openMapTiles: HTTPResponse(204, headers: headers)
        case .shortbread: HTTPResponse(404, headers: headers)
        case .plain: HTTPResponse(200, headers: headers)
        }
    }

    private func full(_ tile: [UInt8], _ headers: HTTPFields) -> HTTPResponse {
        var headers = headers
        headers.add("Content-Type", "application/x-protobuf")
        if shape == .openMapTiles { headers.add("Content-Encoding", "gzip") }
        return HTTPResponse(200, headers: headers, body: .bytes(shape == .plain ? tile : Compression.Gzip.pack(tile)))
    }

    private func description(_ state: State, _ host: String) -> HTTPResponse {
        guard state.describes else { return HTTPResponse(500, text: "no") }
        let ending = shape == .openMapTiles ? ".pbf" : ""
        let text = """
            {"tilejson":"3.0.0","tiles":["http://\(host)/planet/\(state.edition)/{z}/{x}/{y}\(ending)"],
            "minzoom":\(zooms.lowerBound),"maxzoom":\(zooms.upperBound),"bounds":[-180,-85.05113,180,85.05113],
            "attribution":"<a href=\\"https://x.example\\">Free Map</a> &copy; Mappers"}
            """
        return HTTPResponse(200, headers: [("Content-Type", "application/json")], body: .bytes(Array(text.utf8)))
    }
}

extension TestService {
    /// Runs `body` with a service that gets its streets from a server.
    static func streets(
        from server: TileServer, in folder: TemporaryFolder = TemporaryFolder(), clock: ManualClock = ManualClock(),
        cacheBytes: Int = 1 << 20, isOn: Bool = true, contact: String = "tester@example.org",
        _ body: (TestService, HTTPFixture) async throws -> Void
    ) async throws {
        try await HTTPFixture.with {
            await server.answer($0)
        } _: { fixture, url in
            let config = StreetConfig(address: "\(url)/planet", cacheBytes: cacheBytes, rules: .free, isOn: isOn)
            try await TestService.run(in: folder, streets: config, contact: contact, clock: clock.clock) { service in
                try await body(service, fixture)
            }
        }
    }

    /// A tile's unpacked bytes; none where the map has nothing.
    func street(_ zoom: UInt32 = 10, _ x: UInt32 = 583, _ y: UInt32 = 296) async throws -> [UInt8] {
        let request = GetTileRequest(dataset: "streetmap", zoom: zoom, x: x, y: y)
        let tile = try await client.getTile(request, Self.soon).tile
        guard !tile.isEmpty, case .bytes(let bytes) = Compression.Gzip.unpack(tile, limit: 1 << 20) else { return [] }
        return bytes
    }
}

extension HTTPFixture {
    /// The paths of tiles that it was asked for.
    var tiles: [String] { requests.map(\.path).filter { $0 != "/planet" } }
    var descriptionCount: Int { requests.count - tiles.count }
}
