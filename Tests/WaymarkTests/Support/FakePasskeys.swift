import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// One passkey in memory, and what was requested.
final class FakePasskeys: PasskeyServiceFake, Sendable {
    let asked = Mutex<[String]>([])

    func listPasskeys(_ request: ListPasskeysRequest, _ context: CallContext) async throws -> ListPasskeysResponse {
        let time = TimestampMessage(unixMilliseconds: 1_700_000_000_000)
        return ListPasskeysResponse(passkeys: [
            Passkey(id: "p1", name: "phone", createTime: time, synchronized: true)
        ])
    }

    func renamePasskey(_ request: RenamePasskeyRequest, _ context: CallContext) async throws -> RenamePasskeyResponse {
        asked.withLock { $0.append("\(request.id) is \(request.name)") }
        return RenamePasskeyResponse(passkey: Passkey(id: request.id, name: request.name))
    }

    func removePasskey(_ request: RemovePasskeyRequest, _ context: CallContext) async throws -> RemovePasskeyResponse {
        RemovePasskeyResponse(removed: request.id == "p1")
    }

    func clearPasskeys(_ request: ClearPasskeysRequest, _ context: CallContext) async throws -> ClearPasskeysResponse {
        asked.withLock { $0.append("clear \(request.email)") }
        return ClearPasskeysResponse(removedCount: 2)
    }
}
