import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// A places service that holds a street of places, each a hundred metres farther than the one before.
final class FakePlaces: PlacesServiceFake {
    struct State {
        var requests: [NearbyRequest] = []
        var geocoded: [GeocodeRequest] = []
        var found: [FindRequest] = []
        var begun: [BeginImportRequest] = []
        var uploaded: [UInt8] = []
        var chunkSizes: [Int] = []
        var datasets = ["helsinki", "mine"]
        var discovered: [DiscoverRequest] = []
        var switched: [SwitchNetworkRequest] = []
    }

    let state = Mutex(State())
    /// What the import tells, before its summary.
    let importEvents: Mutex<[RunImportResponse]> = Mutex([])

    static let street: [Place] = (0..<30).map { index in
        Place(
            id: "catalog/mine/\(index)", name: "Place \(index)", categories: ["amenity/cafe"],
            position: Coordinate(latitude: 60, longitude: 25),
            attributes: [Attribute(key: "street", value: "Way"), Attribute(key: "housenumber", value: "\(index)")],
            distanceM: Double(index) * 100)
    }

    func nearby(_ request: NearbyRequest, _ context: CallContext) async throws -> Packed<NearbyResponse> {
        state.withLock { $0.requests.append(request) }
        guard let centre = request.centre, abs(centre.latitude) <= 90 else {
            throw RPCError.invalid("centre.latitude", "91 is given, -90 to 90 is allowed")
        }
        if request.nameText == "slow" { await waitForCancellation() }
        return Packed(Self.answer(request))
    }

    func within(_ request: WithinRequest, _ context: CallContext) async throws -> Packed<WithinResponse> {
        let start = Int(request.pageToken) ?? 0
        let page = Self.street.dropFirst(start).prefix(Int(request.limit ?? 20))
        let end = start + page.count
        let isTruncated = end < Self.street.count
        return Packed(
            WithinResponse(
                places: Array(page), nextPageToken: isTruncated ? "\(end)" : "", truncated: isTruncated,
                count: request.includeCount ? UInt64(Self.street.count) : nil,
                explanation: request.explain ? SearchExplanation(indexCount: 2, testedCount: 30) : nil))
    }

    private func waitForCancellation() async {
        let (nothing, source) = AsyncStream.makeStream(of: Never.self)
        defer { source.finish() }
        for await _ in nothing {}
    }

    private static func answer(_ request: NearbyRequest) -> NearbyResponse {
        let hits = street.filter { ($0.distanceM ?? 0) <= request.radiusM ?? 1000 }
        guard request.categories.isEmpty, request.nameText.isEmpty else {
            return NearbyResponse(emptyReason: .filter)
        }
        guard request.datasets != ["void"] else { return NearbyResponse(emptyReason: .noData) }
        guard centreIsKnown(request) else { return NearbyResponse(emptyReason: .radius, nearest: street[7]) }
        let start = Int(request.pageToken) ?? 0
        let page = hits.dropFirst(start).prefix(Int(request.limit ?? 20))
        let end = start + page.count
        return NearbyResponse(
            places: Array(page), nextPageToken: end < hits.count ? "\(end)" : "", truncated: end < hits.count,
            count: request.includeCount ? UInt64(hits.count) : nil)
    }

    private static func centreIsKnown(_ request: NearbyRequest) -> Bool { request.centre?.latitude != 0 }

    func reverseGeocode(_ request: ReverseGeocodeRequest, _ context: CallContext) async throws -> ReverseGeocodeResponse
    {
        if request.position?.latitude == -30 {
            let town = Place(id: "catalog/towns/2", name: "Adamstown", distanceM: 560_000)
            return ReverseGeocodeResponse(town: town, name: "Pacific Ocean")
        }
        let town = Place(id: "catalog/towns/1", name: "Helsinki", distanceM: 1234)
        return ReverseGeocodeResponse(
            town: town, region: "Uusimaa", countryCode: "FI", country: "Finland", name: "Helsinki")
    }

    func getArea(_ request: GetAreaRequest, _ context: CallContext) async throws -> GetAreaResponse {
        let box = Box(
            southWest: Coordinate(latitude: 59.75, longitude: 22.75),
            northEast: Coordinate(latitude: 60.75, longitude: 26.5))
        let size = request.zoom == 9 ? 500_000 : 250_000
        let line = AreaLine(steps: [60_000_000, 24_000_000, Int32(size), 0, 0, Int32(size), -Int32(size), -Int32(size)])
        return GetAreaResponse(
            name: request.languages == ["sv"] ? "Nyland" : "Uusimaa", kind: .region, level: 4, box: box, lines: [line],
            attribution: "© OpenStreetMap contributors")
    }

    func discover(_ request: DiscoverRequest, _ context: CallContext) async throws -> DiscoverResponse {
        state.withLock { $0.discovered.append(request) }
        let elapsed = DurationMessage(.milliseconds(87))
        return DiscoverResponse(results: [
            NetworkResult(network: "openstreetmap", status: .ok, placeCount: 1_234, requestCount: 2, elapsed: elapsed),
            NetworkResult(
                network: "foursquare", status: .quota, elapsed: elapsed, retryAfterMs: 6_500, message: "slow down"),
        ])
    }

    func listNetworks(_ request: ListNetworksRequest, _ context: CallContext) async throws -> ListNetworksResponse {
        ListNetworksResponse(networks: [
            NetworkInfo(name: "catalog", on: true, gives: ["places"], available: true),
            NetworkInfo(
                name: "openstreetmap", on: true, live: true, gives: ["places"], available: true, requestsToday: 12,
                dailyLimit: 5_000),
            NetworkInfo(
                name: "instagram", live: true, gives: ["places"], message: "places-service --instagram-url URL"),
            NetworkInfo(name: "foursquare", live: true, gives: ["places"], available: true, dailyLimit: 100),
        ])
    }

    func switchNetwork(_ request: SwitchNetworkRequest, _ context: CallContext) async throws -> SwitchNetworkResponse {
        state.withLock { $0.switched.append(request) }
        return SwitchNetworkResponse(
            network: NetworkInfo(
                name: request.network, on: request.on, live: true, gives: ["places"], available: true,
                sends: "It learns squares."))
    }

    func geocode(_ request: GeocodeRequest, _ context: CallContext) async throws -> GeocodeResponse {
        guard request.text != "nowhere" else { throw RPCError(.notFound, "nothing of this name is known here") }
        state.withLock { $0.geocoded.append(request) }
        let position = Coordinate(latitude: 47.60621, longitude: -122.33207)
        let town = GeocodeMatch(
            kind: .town, name: "Seattle", position: position, region: "Washington", countryCode: "US",
            country: "United States", population: 737_015, attribution: "GeoNames, CC BY 4.0")
        let house = GeocodeMatch(
            kind: .address, name: "Way 7", position: position, country: "Finland", town: "Helsinki", postcode: "00100",
            attribution: "© OpenStreetMap contributors", changedLetters: 1)
        return GeocodeResponse(matches: [town, house])
    }

    func find(_ request: FindRequest, _ context: CallContext) async throws -> FindResponse {
        state.withLock { $0.found.append(request) }
        guard request.text != "nowhere" else { return FindResponse() }
        let position = Coordinate(latitude: 60.16989, longitude: 24.93645)
        let distance = request.near.map { _ in 120.4 }
        let museum = FindResult(
            kind: .place, name: "Amos Rex", context: "Mannerheimintie 22, Helsinki, Finland", position: position,
            placeId: "catalog/helsinki/node/1", categories: ["tourism/art_museum"], distanceM: distance,
            attribution: "© OpenStreetMap contributors")
        let town = FindResult(
            kind: .town, name: "Amos", context: "Quebec, Canada", position: position, placeId: "catalog/towns/2",
            distanceM: distance, attribution: "GeoNames, CC BY 4.0", changedLetters: 1)
        return FindResponse(results: [museum, town])
    }

    /// One dataset a page.
    func listDatasets(_ request: ListDatasetsRequest, _ context: CallContext) async throws -> ListDatasetsResponse {
        let names = state.withLock { $0.datasets }
        let index = Int(request.pageToken) ?? 0
        let dataset = Dataset(
            name: names[index], title: "Title", placeCount: 1750, byteCount: 2_500_000, bundled: index == 0,
            tiles: index == 0 ? nil : DatasetTiles(minimumZoom: 5, maximumZoom: 14, tileCount: 340, byteCount: 400_000),
            addressCount: index == 0 ? nil : 12)
        return ListDatasetsResponse(datasets: [dataset], nextPageToken: index + 1 < names.count ? "\(index + 1)" : "")
    }

    func deleteDataset(_ request: DeleteDatasetRequest, _ context: CallContext) async throws -> DeleteDatasetResponse {
        guard state.withLock({ $0.datasets.contains(request.name) }) else {
            throw RPCError(.notFound, "no dataset \(request.name)")
        }
        return DeleteDatasetResponse(placeCount: 1)
    }

    func beginImport(_ request: BeginImportRequest, _ context: CallContext) async throws -> BeginImportResponse {
        state.withLock { $0.begun.append(request) }
        return BeginImportResponse(uploadId: "upload-1", maximumChunkBytes: 1000)
    }

    func writeImport(_ request: WriteImportRequest, _ context: CallContext) async throws -> WriteImportResponse {
        try state.withLock { state in
            guard request.uploadId == "upload-1", request.offset == UInt64(state.uploaded.count) else {
                throw RPCError.invalid("offset", "\(request.offset) is given")
            }
            state.uploaded += request.data
            state.chunkSizes.append(request.data.count)
            return WriteImportResponse(storedByteCount: UInt64(state.uploaded.count))
        }
    }

    func runImport(
        _ request: RunImportRequest, _ responses: ResponseWriter<RunImportResponse>, _ context: CallContext
    ) async throws {
        for event in importEvents.withLock({ $0 }) { try await responses.write(event) }
        let (dataset, rows) = state.withLock { state in
            (state.begun.last?.dataset ?? "", state.uploaded.count { $0 == UInt8(ascii: "\n") })
        }
        let summary = ImportSummary(
            dataset: Dataset(name: dataset, placeCount: UInt64(rows)), rowCount: UInt64(rows), badRowCount: 2,
            duplicateCount: 1)
        try await responses.write(RunImportResponse(event: .summary(summary)))
    }
}
