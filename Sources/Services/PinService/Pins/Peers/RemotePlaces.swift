import Bytes
import PinContracts
import PlaceContracts
import Daemon
import EventLoops
import Geo
import Networks
import RPC
import Stores
import Wire

/// The places service.
struct RemotePlaces: PlaceFinder {
    private static let name = "places service"
    private static let timeout: Duration = .seconds(10)

    private let client: PlacesServiceClient
    private let areas: HeldAreaServiceClient
    private let signer: IdentitySigner

    init(_ client: RPCClient, _ signer: IdentitySigner) {
        self.client = PlacesServiceClient(client)
        areas = HeldAreaServiceClient(client)
        self.signer = signer
    }

    func places(_ question: PlaceQuestion, page: String, limit: Int) async throws(PeerError) -> PlacePage {
        let request = NearbyRequest(
            centre: BaseContracts.Coordinate(question.centre), radiusM: question.radiusMetres,
            limit: UInt32(clamping: limit), pageToken: page, networks: [question.network])
        let answer = try await PeerError.converting(Self.name) {
            try await client.nearby(request, options(question.account))
        }
        var places: [NetworkPlace] = []
        for place in answer.places { places.append(try NetworkPlace(place)) }
        return PlacePage(places: places, next: answer.truncated ? answer.nextPageToken : "")
    }

    func discover(_ question: PlaceQuestion) async throws(PeerError) -> LiveAnswer {
        let request = DiscoverRequest(
            centre: BaseContracts.Coordinate(question.centre), radiusM: question.radiusMetres,
            networks: [question.network], nearest: question.nearest.map { UInt32(clamping: $0) })
        let answer = try await PeerError.converting(Self.name) {
            try await client.discover(request, options(question.account))
        }
        guard let result = answer.results.first else { throw .refused("the places service returned no result for it") }
        return LiveAnswer(result)
    }

    func configuredNetworks(for account: String) async throws(PeerError) -> [String] {
        let answer = try await PeerError.converting(Self.name) {
            try await client.listNetworks(ListNetworksRequest(), options(account))
        }
        return answer.networks.filter(\.available).map(\.name)
    }

    func liveNetworks() async throws(PeerError) -> [String] {
        let answer = try await PeerError.converting(Self.name) {
            try await client.listNetworks(ListNetworksRequest(), options(nil))
        }
        return answer.networks.filter { $0.live && $0.on && Network.named($0.name)?.places != nil }.map(\.name)
    }

    func followNetworks(_ take: ([String]) async throws -> Void) async throws {
        let options = CallOptions(signedIdentity: signer.sign(.service(RemoteAlbums.ownName, for: nil)))
        for try await answer in client.watchNetworks(WatchNetworksRequest(), options) {
            try await take(answer.networks)
        }
    }

    func areasEdition() async throws(PeerError) -> String {
        let request = ListDatasetsRequest(pageSize: ListDatasetsRequest.pageSizeRange.upperBound)
        let answer = try await PeerError.converting(Self.name) { try await client.listDatasets(request, options(nil)) }
        let known = answer.datasets.filter { $0.areaCount != nil }.map { dataset in
            "\(dataset.name) \(dataset.importTime.map { "\($0.seconds).\($0.nanos)" } ?? "")"
        }
        return "\(Checksum.of(Array(known.sorted().joined(separator: "\n").utf8)))"
    }

    func name(of position: Geo.Coordinate, account: String) async throws(PeerError) -> String? {
        let request = ReverseGeocodeRequest(position: BaseContracts.Coordinate(position))
        let answer = try await PeerError.converting(Self.name) {
            try await client.reverseGeocode(request, options(account))
        }
        return answer.name.isEmpty ? nil : answer.name
    }

    func find(_ text: String, near: Geo.Coordinate?, account: String) async throws(PeerError) -> FoundPoint? {
        let request = FindRequest(text: text, near: near.map { BaseContracts.Coordinate($0) }, limit: 1)
        let answer = try await PeerError.converting(Self.name) { try await client.find(request, options(account)) }
        guard let best = answer.results.first, let position = best.position else { return nil }
        guard let point = try? Geo.Coordinate(latitude: position.latitude, longitude: position.longitude) else {
            return nil
        }
        return FoundPoint(
            name: best.name, context: best.context, position: point, isAddress: best.kind == .address,
            isPlace: best.kind == .place)
    }

    func hold(_ pin: Pin) async throws(PeerError) {
        let request = HoldAreaRequest(
            pinId: "\(pin.id)", centre: BaseContracts.Coordinate(pin.position), radiusM: pin.radiusMetres)
        _ = try await PeerError.converting(Self.name) { try await areas.holdArea(request, options(pin.account)) }
    }

    func release(_ pin: PinID) async throws(PeerError) {
        let request = ReleaseAreasRequest(pinId: "\(pin)")
        _ = try await PeerError.converting(Self.name) { try await areas.releaseAreas(request, options(nil)) }
    }

    func forgetFindings(of account: String) async throws(PeerError) {
        _ = try await PeerError.converting(Self.name) {
            try await areas.forgetFindings(ForgetFindingsRequest(), options(account))
        }
    }

    private func options(_ account: String?) -> CallOptions {
        CallOptions(
            deadline: .now + Self.timeout, signedIdentity: signer.sign(.service(RemoteAlbums.ownName, for: account)))
    }
}

extension LiveAnswer {
    init(_ result: NetworkResult) {
        placeCount = Int64(result.placeCount)
        switch result.status {
        case .ok, .empty: warning = result.message.isEmpty ? nil : result.message
        case .truncated: warning = result.message
        case .disabled: off = result.message
        default: fault = NetworkFault(result)
        }
    }
}

extension NetworkFault {
    fileprivate init(_ result: NetworkResult) {
        let kind: Kind =
            switch result.status {
            case .timeout: .timeout
            case .quota: .quota
            case .unavailable: .unavailable
            case .auth: .auth
            case .malformed: .malformed
            default: .refused
            }
        self.init(
            kind, result.message.isEmpty ? "it failed" : result.message,
            ownPause: result.retryAfterMs.map { .milliseconds(Int64(clamping: $0)) })
    }
}

extension NetworkPlace {
    fileprivate init(_ place: Place) throws(PeerError) {
        guard let point = place.position,
            let position = try? Geo.Coordinate(latitude: point.latitude, longitude: point.longitude)
        else { throw .refused("the place \(place.id) has no position on Earth") }
        self.init(
            id: place.id, name: place.name, categories: place.categories, position: position,
            pictureTags: Self.pictureTags(place.attributes))
    }

    /// Those that lead to pictures, as the photo service takes them.
    private static func pictureTags(_ attributes: [Attribute]) -> [String] {
        let tags = pictureKeys.flatMap { key in
            attributes.filter { $0.key == key }.map { "\(key)=\($0.value)" }
        }
        return Array(
            tags.filter { $0.utf8.count <= maximumTagBytes && !$0.unicodeScalars.contains(LinkedPlace.separator) }
                .prefix(
                    maximumTags))
    }

    /// Those of the place itself before what an encyclopedia says of it.
    private static let pictureKeys = ["wikimedia_commons", "image", "panoramax", "wikidata"]
    private static let maximumTags = 8
    private static let maximumTagBytes = 1_000
}

extension PeerError {
    /// The error for a status of `service`; a later call may have another result.
    init(_ error: RPCError, of service: String) {
        let reason = InsideAddress.replaced(in: error.message, by: "the \(service)")
        switch error.code {
        case .unavailable: self = .unreachable(reason)
        case .deadlineExceeded, .resourceExhausted, .cancelled: self = .late(reason)
        default: self = .refused(reason)
        }
    }

    static func converting<Value: Sendable>(
        _ service: String, _ body: () async throws -> Value
    ) async throws(PeerError) -> Value {
        do {
            return try await body()
        } catch {
            throw PeerError(RPCError(anyError: error), of: service)
        }
    }
}

/// Replaces addresses of services in messages for people: where a service listens inside a deployment concerns no
/// outsider, and says less than its name.
enum InsideAddress {
    private static let punctuation: Set<Unicode.Scalar> = [",", ".", ";", ":", ")", "("]

    /// The message with `name` in place of each HOST:PORT.
    static func replaced(in sentence: String, by name: String) -> String {
        sentence.split(at: " ", omittingEmptySubsequences: false).map { word in
            let start = word.unicodeScalars.prefix { punctuation.contains($0) }
            let rest = word.unicodeScalars[start.endIndex...]
            let last = rest.lastIndex { !punctuation.contains($0) }
            let core = last.map { rest[...$0] } ?? rest[..<rest.startIndex]
            guard isAddress(Substring(core)) else { return String(word) }
            return String(Substring(start)) + name + String(Substring(rest[core.endIndex...]))
        }.joined(separator: " ")
    }

    private static func isAddress(_ word: Substring) -> Bool {
        guard let (host, port) = word.halves(atLast: ":"), !host.isEmpty else { return false }
        return UInt16(port) != nil && host.utf8.allSatisfy(isOfHost)
    }

    /// The characters of a host and port: digits, the colon, letters, and separators.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || ".-[]".utf8.contains(byte)
    }
}
