import Daemon
import LiveNetworks
import Storage

/// The keys that accounts have given, as the service stores them and can use them.
struct NetworkKeyring: Sendable {
    private let store: PhotoStore
    private let seal: SecretSeal

    init(_ store: PhotoStore, _ key: DeploymentKey) {
        self.store = store
        seal = SecretSeal(key, purpose: "network keys")
    }

    /// The keys of an account, sealed.
    func keys(of account: String) async throws -> [SealedNetworkKey] {
        try await store.read { transaction throws(SQLError) in try transaction.networkKeys(of: account) }
    }

    func sealed(_ secret: String, of key: NetworkKey) -> [UInt8] { seal.seal(secret, of: key.id) }

    /// Nil when the deployment's key has changed since.
    func secret(of key: SealedNetworkKey) -> String? { seal.open(key.sealed, of: key.key.id) }
}
