import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport

/// Keeps keys in memory, for one server.
final class FakeNetworkKeys: NetworkKeyServiceFake, Sendable {
    static let server = "https://photos.example"

    /// The keys that were given, by their servers.
    let given = Mutex<[String: String]>([:])

    func setNetworkKey(_ request: SetNetworkKeyRequest, _ context: CallContext) async throws -> SetNetworkKeyResponse {
        guard request.key.count > 3 else { throw RPCError(.invalidArgument, "key: the server does not accept the key") }
        given.withLock { $0[Self.server] = request.key }
        return SetNetworkKeyResponse(key: NetworkKey(network: request.network, server: Self.server))
    }

    func listNetworkKeys(
        _ request: ListNetworkKeysRequest, _ context: CallContext
    ) async throws -> ListNetworkKeysResponse {
        ListNetworkKeysResponse(
            keys: given.withLock { $0.keys.map { NetworkKey(network: "immich", server: $0) } },
            servers: [KeyServer(network: "immich", server: Self.server)])
    }

    func deleteNetworkKey(
        _ request: DeleteNetworkKeyRequest, _ context: CallContext
    ) async throws -> DeleteNetworkKeyResponse {
        DeleteNetworkKeyResponse(deleted: given.withLock { $0.removeValue(forKey: Self.server) } != nil)
    }
}
