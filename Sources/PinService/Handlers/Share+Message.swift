import Contracts
import Daemon
import RPC
import Wire

extension Contracts.Share {
    init(_ named: NamedShare, _ key: DeploymentKey) {
        let share = named.share
        self.init(
            id: share.id, pinId: share.pin.description, pinName: named.pinName,
            path: "/s/\(ShareToken.make(share.id, key))",
            createTime: TimestampMessage(unixMilliseconds: share.createdMilliseconds),
            expireTime: share.expiresMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            hasPassword: !share.passwordHash.isEmpty, withNote: share.isWithNote, withImmich: share.isWithImmich,
            openCount: UInt64(clamping: share.openCount),
            openTime: share.openedMilliseconds.map { TimestampMessage(unixMilliseconds: $0) })
    }
}

extension ShareError: RPCErrorConvertible {
    var rpcError: RPCError {
        switch self {
        case .off:
            RPCError(
                .failedPrecondition, "this server shares nothing by links; its operator can allow it (--sharing on)")
        case .tooMany:
            RPCError(.resourceExhausted, "you have \(Share.limit) links already; end some that are no longer needed")
        case .noPin(let id): PinError.notFound(id).rpcError
        case .nowhere: RPCError(.notFound, "this link leads nowhere; it may have ended")
        case .needsPassword: RPCError(.unauthenticated, "password: this link needs one")
        case .wrongPassword: RPCError(.unauthenticated, "password: it is wrong")
        }
    }
}
