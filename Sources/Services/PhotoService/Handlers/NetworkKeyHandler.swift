import Bytes
import PhotoContracts
import Daemon
import FieldRules
import LiveNetworks
import RPC
import Refusals
import Storage
import Stores
import Wire

/// Answers calls about the keys that accounts give.
struct NetworkKeyHandler: NetworkKeyServiceHandler {
    let store: PhotoStore
    let networks: PhotoNetworks

    func setNetworkKey(
        _ request: SetNetworkKeyRequest, _ context: CallContext
    ) async throws -> SetNetworkKeyResponse {
        let account = try context.account
        let secret = String(FormRule.trimmedKey(request.key))
        let server = try server(request.server, of: request.network)
        if let failure = try await networks.failure(of: secret, for: request.network, at: server) {
            throw Self.error(failure, request.network, server)
        }
        let time = store.clock.unixMilliseconds
        let key = NetworkKey(of: account, network: request.network, server: server, at: time)
        let sealed = networks.keyring.sealed(secret, of: key)
        try await store.write(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.putNetworkKey(key, sealed: sealed, at: time)
        }
        return SetNetworkKeyResponse(key: PhotoContracts.NetworkKey(key))
    }

    func listNetworkKeys(
        _ request: ListNetworkKeysRequest, _ context: CallContext
    ) async throws -> ListNetworkKeysResponse {
        let account = try context.account
        let keys = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.networkKeys(of: account)
        }
        return ListNetworkKeysResponse(
            keys: keys.map { PhotoContracts.NetworkKey($0.key) },
            servers: PhotoNetworks.ofKeys.flatMap { network in
                networks.keyServers(of: network).map { KeyServer(network: network, server: $0) }
            })
    }

    func deleteNetworkKey(
        _ request: DeleteNetworkKeyRequest, _ context: CallContext
    ) async throws -> DeleteNetworkKeyResponse {
        let (account, network, server) = (try context.account, request.network, Self.address(request.server))
        let found = try await store.write(deadline: context.storageDeadline) {
            transaction throws(SQLError) -> (named: Int, deleted: Bool) in
            let keys = try transaction.networkKeys(of: account).map(\.key).filter {
                $0.network == network && (server.isEmpty || $0.server == server)
            }
            guard let key = keys.first, keys.count == 1 else { return (keys.count, false) }
            try transaction.deleteNetworkKey(key)
            return (1, true)
        }
        guard found.named < 2 else {
            throw Refusal(missing: "server", needed: "one of the \(found.named) with a key is")
        }
        return DeleteNetworkKeyResponse(deleted: found.deleted)
    }
}

extension NetworkKeyHandler {
    /// Without the white space, and the slash of an address, around it.
    private static func address(_ text: String) -> String {
        String(FormRule.trimmedKey(text))
    }

    /// As people reach it: the named one, or the only one.
    private func server(_ text: String, of network: String) throws -> String {
        let (named, all) = (Self.address(text), networks.keyServers(of: network))
        if named.isEmpty, let only = all.first, all.count == 1 { return only }
        guard all.contains(named) else { throw refusal(named, all) }
        return named
    }

    /// An account can't make the service call any address: the operator names the servers.
    private func refusal(_ server: String, _ all: [String]) -> any Error {
        let allowed = all.joined(separator: ", ")
        if all.isEmpty {
            return RPCError(
                .failedPrecondition, "server: the operator names none that keys for this network can be for")
        }
        if server.isEmpty { return Refusal(missing: "server", needed: "one of \(allowed) is") }
        return Refusal("server", text: server, allowed: "\(allowed) is")
    }

    private static func error(_ failure: AskFailure, _ network: String, _ server: String) -> any Error {
        guard failure.kind == .auth else {
            return RPCError(.unavailable, "the key could not be tried at \(server): \(failure.reason)")
        }
        let needed = "; it needs the permissions asset.read and asset.view, and map.read before 2.6"
        return Refusal("key", network == PhotoID.immichNetwork ? failure.reason + needed : failure.reason)
    }
}

extension PhotoContracts.NetworkKey {
    fileprivate init(_ key: NetworkKey) {
        self.init(
            network: key.network, server: key.server, setTime: TimestampMessage(unixMilliseconds: key.setMilliseconds),
            problem: key.problem)
    }
}
