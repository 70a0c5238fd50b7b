import Bytes
import PhotoContracts
import Daemon
import EventLoops
import Geo
import RPC
import Stores

/// The photo service.
struct RemoteAlbums: AlbumSearcher {
    /// What this service calls itself when it calls others.
    static let ownName = "pin-service"
    private static let name = "photo service"
    private static let timeout: Duration = .seconds(20)

    private let client: AlbumSearchServiceClient
    private let networks: PhotoNetworkServiceClient
    private let signer: IdentitySigner

    init(_ client: RPCClient, _ signer: IdentitySigner) {
        self.client = AlbumSearchServiceClient(client)
        networks = PhotoNetworkServiceClient(client)
        self.signer = signer
    }

    func search(_ part: AlbumSearch) async throws(PeerError) {
        let request = SearchAlbumsRequest(
            pinId: "\(part.pin)", generation: UInt64(clamping: part.generation),
            centre: BaseContracts.Coordinate(part.centre), radiusM: part.radiusMetres,
            places: part.places.map {
                PlacePoint(
                    id: $0.id, position: BaseContracts.Coordinate($0.position),
                    pictureTags: $0.pictureTags.map { PictureTags(tags: $0) }, minor: $0.isMinor)
            },
            isLast: part.isLast, morePlacesFollow: part.morePlacesFollow,
            networkChoice: PhotoContracts.NetworkChoice(part.settings.networks, version: part.settings.version),
            networkLimit: part.limit == .all ? nil : PhotoContracts.NetworkChoice(part.limit))
        _ = try await PeerError.converting(Self.name) { try await client.searchAlbums(request, options(part.account)) }
    }

    func forget(_ pin: PinID, account: String) async throws(PeerError) {
        let request = ForgetPinRequest(pinId: "\(pin)")
        _ = try await PeerError.converting(Self.name) { try await client.forgetPin(request, options(account)) }
    }

    func forgetAccount(_ account: String) async throws(PeerError) {
        _ = try await PeerError.converting(Self.name) {
            try await client.forgetAccount(ForgetAccountRequest(), options(account))
        }
    }

    func configuredNetworks(for account: String) async throws(PeerError) -> [String] {
        let answer = try await PeerError.converting(Self.name) {
            try await networks.listPhotoNetworks(ListPhotoNetworksRequest(), options(account))
        }
        return answer.networks.filter(\.available).map(\.name)
    }

    func choose(_ settings: AccountSettings, account: String) async throws(PeerError) {
        let request = ChooseNetworksRequest(
            choice: PhotoContracts.NetworkChoice(settings.networks, version: settings.version))
        _ = try await PeerError.converting(Self.name) { try await client.chooseNetworks(request, options(account)) }
    }

    func follow(
        after position: FeedPosition, _ apply: (AlbumUpdates) async throws -> Void
    ) async throws {
        let request = WatchSummariesRequest(
            fromVersion: UInt64(bitPattern: position.version), epoch: UInt64(bitPattern: position.epoch))
        let options = CallOptions(signedIdentity: signer.sign(.service(Self.ownName, for: nil)))
        do {
            for try await answer in client.watchSummaries(request, options) { try await apply(AlbumUpdates(answer)) }
        } catch let error as RPCError {
            throw PeerError(error, of: Self.name)
        }
    }

    private func options(_ account: String) -> CallOptions {
        CallOptions(deadline: .now + Self.timeout, signedIdentity: signer.sign(.service(Self.ownName, for: account)))
    }
}

extension PhotoContracts.NetworkChoice {
    /// An account that has not chosen has no pins to search for.
    fileprivate init(_ choice: PinService.NetworkChoice, version: Int64 = 0) {
        let names: Set<String> = if case .some(let names) = choice { names } else { [] }
        self.init(networks: names.sorted(), all: choice == .all, version: UInt64(clamping: version))
    }
}

extension AlbumUpdates {
    /// Albums of unknown subjects are skipped.
    init(_ answer: WatchSummariesResponse) {
        self.init(
            updates: answer.albums.compactMap { AlbumUpdate($0) },
            position: FeedPosition(
                version: Int64(bitPattern: answer.version), epoch: Int64(bitPattern: answer.epoch)))
    }
}

extension AlbumUpdate {
    fileprivate init?(_ message: SubjectSummary) {
        guard let subject = Subject(message.subject) else { return nil }
        let summary = message.summary ?? AlbumSummary()
        self.init(
            subject: subject,
            album: PinAlbum(
                state: PinAlbum.State(summary.state), photoCount: Int64(summary.photoCount),
                readyCount: Int64(summary.readyCount), failedCount: Int64(summary.failedCount),
                generation: Int64(clamping: message.generation), warning: message.warning),
            photoCounts: Dictionary(
                message.accounts.map { ($0.account, Int64($0.photoCount)) }, uniquingKeysWith: { max($0, $1) }))
    }
}

extension AlbumUpdate.Subject {
    /// Parses "pin/<id>" or "place/<id>".
    init?(_ text: String) {
        let parts = text.split(at: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "pin":
            guard let id = PinID(String(parts[1])) else { return nil }
            self = .pin(id)
        case "place": self = .place(String(parts[1]))
        default: return nil
        }
    }
}

extension PinAlbum.State {
    fileprivate init(_ state: AlbumState) {
        switch state {
        case .downloading: self = .downloading
        case .complete: self = .complete
        case .empty: self = .empty
        case .completeWithErrors: self = .completeWithErrors
        case .failed: self = .failed
        case .listed: self = .listed
        default: self = .searching
        }
    }
}
