import Bytes
import Daemon
import EventLoops
import Geo
import HTTPClient
import LiveNetworks
import PictureCalls
import Storage

/// The libraries that accounts have at servers of Immich: looks for their photos, and fetches a picture whenever it is
/// shown. Nothing of a picture is kept.
final class ImmichLibraries: Sendable {
    /// Pictures are asked for beside the questions: an album has many, and all at once.
    private static let showing = NetworkRules(perSecond: 100, burst: 100, perDay: 2_000_000, atOnce: 8)

    private struct Configured {
        let server: ImmichServer
        let questions: NetworkQueue
        let pictures: NetworkQueue
    }

    private let configured: [Configured]
    private let store: PhotoStore
    private let keyring: NetworkKeyring

    init(
        _ config: ImmichConfig, _ store: PhotoStore, _ client: HTTPClient, _ blocking: BlockingPool, contact: String,
        _ keyring: NetworkKeyring
    ) {
        self.store = store
        self.keyring = keyring
        configured = config.servers.map { server in
            let name = "immich at \(server.publicURL)"
            // Each account decides by its key.
            let power = NetworkSwitch(name, isOn: true, contact: contact)
            return Configured(
                server: server,
                questions: NetworkQueue(name, power, config.rules, client, store.ledger, blocking, store.clock),
                pictures: NetworkQueue(
                    "\(name), pictures", power, Self.showing, client, store.ledger, blocking, store.clock))
        }
    }

    var servers: [ImmichServer] { configured.map(\.server) }

    var queues: [NetworkQueue] { configured.flatMap { [$0.questions, $0.pictures] } }

    /// The searches of an account's libraries.
    func searches(of account: String) async throws -> [ImmichSearch] {
        if configured.isEmpty { return [] }
        return try await keyring.keys(of: account).compactMap { sealed in
            let key = sealed.key
            guard key.network == PhotoID.immichNetwork, let place = place(key.server) else { return nil }
            let secret = keyring.secret(of: sealed)
            let library = secret.map {
                ImmichLibrary(key: key, api: ImmichAPI(server: place.server, key: $0, queue: place.questions))
            }
            return ImmichSearch(
                key: key,
                search: library.map {
                    AreaSearch(
                        $0, place.questions, store.ledger,
                        FoundPhotos(network: PhotoID.immichNetwork, store: store, area: key.area, key: key),
                        store.clock,
                        area: key.area)
                }, store: store)
        }
    }

    /// A key's server and its queue of questions, to try the key; nil when the operator does not allow the server.
    func api(_ server: String, key: String) -> ImmichAPI? {
        place(server).map { ImmichAPI(server: $0.server, key: key, queue: $0.questions) }
    }

    private func place(_ server: String) -> Configured? { configured.first { $0.server.publicURL == server } }
}

extension ImmichLibraries {
    /// The bytes of a picture, from where it is, and what kind they are: "image/webp".
    func picture(_ id: PhotoID, _ size: PictureSize) async throws -> (bytes: [UInt8], mediaType: String) {
        let parts = id.providerID.split(at: "/").map(String.init)
        guard parts.count == 2, ImmichLibrary.isAsset(parts[1]) else { throw PhotoError.noPhoto(id) }
        let found = try await store.read { transaction throws(SQLError) in try transaction.networkKey(parts[0]) }
        guard let found else { throw PhotoError.noPhoto(id) }
        guard let place = place(found.key.server) else {
            throw PictureProblem.busy("the server \(found.key.server) is not one of --immich-servers any more")
        }
        guard let secret = keyring.secret(of: found) else {
            throw PictureProblem.refused(ImmichSearch.unopened)
        }
        switch try await ImmichAPI(server: place.server, key: secret, queue: place.pictures).picture(of: parts[1], size)
        {
        case .success(let bytes?):
            guard let type = ShownKind.mediaType(of: bytes) else {
                throw PictureProblem.unsupported("what the server gives is neither a JPEG nor WebP")
            }
            return (bytes, type)
        case .success: throw PictureProblem.withdrawn
        case .failure(let failure) where failure.kind == .auth: throw PictureProblem.refused(failure.reason)
        case .failure(let failure): throw PictureProblem.unreachable(failure.reason)
        }
    }
}

/// The search of one account's library, and what it says of its key.
struct ImmichSearch: Sendable {
    static let unopened = "the deployment's key has changed since the key was given; give it again"

    let key: NetworkKey
    /// Nil when the key can't be opened.
    let search: AreaSearch<FoundPhoto>?
    let store: PhotoStore

    /// Asks about a circle, and records whether the key still opens something.
    func find(
        _ running: NetworkSearches, around centre: Coordinate, radiusMetres: Double, until end: MonotonicTime
    ) async -> NetworkFinding {
        guard let search else { return await recorded(NetworkFinding(network: key.network, failed: Self.unopened)) }
        return await recorded(
            await running.find(
                search, AreaQuestion(account: key.account, around: centre, radiusMetres: radiusMetres), until: end))
    }

    private func recorded(_ finding: NetworkFinding) async -> NetworkFinding {
        let key = key
        let problem: String? =
            switch finding.status {
            case .failed(.auth): finding.message
            case .found, .empty, .truncated: ""
            default: nil
            }
        if let problem, problem != key.problem {
            // The next search records it otherwise.
            try? await store.write { transaction throws(SQLError) in try transaction.recordProblem(problem, of: key) }
        }
        return finding
    }
}

extension NetworkFinding {
    fileprivate init(network: String, failed reason: String) {
        self.init(network: network, status: .failed(.auth), message: reason)
    }
}
