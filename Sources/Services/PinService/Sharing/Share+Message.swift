import PinContracts
import Daemon
import RPC
import Refusals
import Wire

extension PinContracts.Share {
    init(_ named: NamedShare, _ key: DeploymentKey) {
        let share = named.share
        let (id, isList) = (share.subject.id.description, share.subject.isList)
        self.init(
            id: share.id, pinId: isList ? "" : id, pinName: isList ? "" : named.name,
            path: "/s/\(ShareToken.make(share.id, key))",
            createTime: TimestampMessage(unixMilliseconds: share.createdMilliseconds),
            expireTime: share.expiresMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            hasPassword: !share.passwordHash.isEmpty, withNote: share.isWithNote, withImmich: share.isWithImmich,
            openCount: UInt64(clamping: share.openCount),
            openTime: share.openedMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            listId: isList ? id : "", listName: isList ? named.name : "", albumOnly: share.isAlbumAlone)
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
        case .nothing(.pin(let id)): PinError.notFound(id).rpcError
        case .nothing(.list(let id)): ListError.notFound(id).rpcError
        case .nowhere: RPCError(.notFound, "this link leads nowhere; it may have ended")
        case .needsPassword: RPCError(.unauthenticated, "password: this link needs one")
        case .wrongPassword: RPCError(.unauthenticated, "password: it is wrong")
        }
    }
}

extension Share.Subject {
    /// A pin or a list, and not both.
    init(pin: String, list: String) throws(Refusal) {
        let pin = try PinID(optional: pin, field: "pin_id")
        let list = try ListID(optional: list, field: "list_id")
        switch (pin, list) {
        case (let pin?, nil): self = .pin(pin)
        case (nil, let list?): self = .list(list)
        case (nil, nil): throw Refusal(missing: "pin_id", needed: "the id of a pin, or list_id with that of a list, is")
        case (_?, _?): throw Refusal("list_id", "there must be none with pin_id")
        }
    }

    init(_ request: CreateShareRequest) throws(Refusal) {
        try self.init(pin: request.pinId, list: request.listId)
        guard request.albumOnly else { return }
        if isList { throw Refusal("album_only", "a list has no album") }
        if request.withNote { throw Refusal("with_note", "there must be none with album_only") }
    }
}
