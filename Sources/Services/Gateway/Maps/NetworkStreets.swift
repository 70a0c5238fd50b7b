import Contracts
import EventLoops
import MapPicture
import Networks
import RPC
import VectorTiles

/// The streets that a network gives, for pictures of the map: where it is on, and the account has chosen it.
struct NetworkStreets: Sendable {
    /// A picture waits for its tiles no longer.
    private static let patience: Duration = .seconds(3)
    /// As the web's map has them: farther away the bundled lines are enough.
    private static let zooms = 8...14
    private static let maximumTiles = 16

    private let places: PlacesServiceClient
    private let settings: SettingsServiceClient

    init(_ backends: Backends) {
        places = PlacesServiceClient(backends.places)
        settings = SettingsServiceClient(backends.pins)
    }

    /// What a picture shows of them, but for the tiles; nil where it shows none.
    func set(for view: MapView, _ options: CallOptions) async -> MapTileSet? {
        guard let name = Network.all.first(where: { $0.maps != nil })?.name else { return nil }
        let wanted = view.tiles(of: Self.set(name, "", ""))
        guard !wanted.isEmpty, wanted.count <= Self.maximumTiles,
            let network = await chosen(name, options),
            let middle = try? await tile(wanted[wanted.count / 2], of: name, Self.late(options))
        else { return nil }
        return Self.set(name, "\(middle.version) \(wanted.count)", network.attribution)
    }

    /// Its tiles, as many as come. Where some do not, it is another edition, which is not kept in place of the whole.
    func tiles(of set: MapTileSet, for view: MapView, _ options: CallOptions) async -> MapTiles {
        let (wanted, options) = (view.tiles(of: set), Self.late(options))
        let answers = await withTaskGroup(of: (Int, [UInt8]?).self) { group in
            for (index, id) in wanted.enumerated() {
                group.addTask { (index, try? await tile(id, of: set.dataset, options).tile) }
            }
            return await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        let found = wanted.enumerated().compactMap { index, id in answers[index].map { (id: id, bytes: $0) } }
        let version = found.count == wanted.count ? set.version : "\(set.version), \(found.count) came"
        return MapTiles(Self.set(set.dataset, version, set.attribution), found.filter { !$0.bytes.isEmpty })
    }

    private func tile(_ id: TileID, of name: String, _ options: CallOptions) async throws -> GetTileResponse {
        let request = GetTileRequest(dataset: name, zoom: UInt32(id.zoom), x: UInt32(id.x), y: UInt32(id.y))
        return try await places.getTile(request, options)
    }

    private func chosen(_ name: String, _ options: CallOptions) async -> NetworkInfo? {
        async let networks = places.listNetworks(ListNetworksRequest(), options)
        async let choices = settings.getSettings(GetSettingsRequest(), options)
        guard let networks = try? await networks, let choices = try? await choices.settings,
            let network = networks.networks.first(where: { $0.name == name && $0.on }),
            choices.allNetworks || choices.networks.contains(name)
        else { return nil }
        return network
    }

    private static func late(_ options: CallOptions) -> CallOptions {
        var options = options
        let end = MonotonicTime.now + patience
        options.deadline = options.deadline.map { min($0, end) } ?? end
        return options
    }

    private static func set(_ name: String, _ version: String, _ attribution: String) -> MapTileSet {
        MapTileSet(
            dataset: name, version: version, attribution: attribution, zooms: zooms,
            southWest: MapPoint(longitude: -180, latitude: -85.05),
            northEast: MapPoint(longitude: 180, latitude: 85.05), isForeign: true)
    }
}
