import Accounts
import PinContracts
import RPC
import Refusals
import Wire

extension PinContracts.Grant {
    init(_ named: NamedGrant) {
        let grant = named.grant
        let (id, isList) = (grant.subject.id.description, grant.subject.isList)
        self.init(
            id: grant.id, pinId: isList ? "" : id, listId: isList ? id : "", name: named.name, email: grant.email,
            right: GrantRight(grant.right), createTime: TimestampMessage(unixMilliseconds: grant.createdMilliseconds))
    }
}

extension SharedWithMe {
    init(_ shared: SharedWith) {
        let grant = shared.named.grant
        self.init(
            id: grant.id, name: shared.named.name, isList: grant.subject.isList, right: GrantRight(grant.right),
            ownerName: shared.owner, createTime: TimestampMessage(unixMilliseconds: grant.createdMilliseconds))
    }
}

extension GrantRight {
    init(_ right: Grant.Right) {
        self =
            switch right {
            case .read: .read
            case .addPhotos: .addPhotos
            }
    }
}

extension Grant.Right {
    init(_ right: GrantRight) throws(Refusal) {
        switch right {
        case .unspecified, .read: self = .read
        case .addPhotos: self = .addPhotos
        default: throw Refusal("right", right.rawValue, allowed: "GRANT_RIGHT_READ and _ADD_PHOTOS are")
        }
    }
}

extension GrantError: RPCErrorConvertible {
    var rpcError: RPCError {
        switch self {
        case .noAccount:
            RPCError(.failedPrecondition, "this profile is no account: sign up or log in first")
        case .nothing(.pin(let id)): PinError.notFound(id).rpcError
        case .nothing(.list(let id)): ListError.notFound(id).rpcError
        case .oneself: Refusal("email", "it is your own; name another account").rpcError
        case .tooManyOfSubject:
            RPCError(
                .resourceExhausted, "it is shared with \(Grant.limitOfSubject) accounts already; end it for some first")
        case .tooMany:
            RPCError(
                .resourceExhausted, "you share \(Grant.limit) times already; end some that are no longer needed")
        case .tooOften(let wait): TooManyAttempts(wait: wait).rpcError
        case .listIsRead: Refusal("right", "a list can only be read; GRANT_RIGHT_READ is allowed").rpcError
        case .notFound(let id): RPCError(.notFound, "nothing is shared by the name \(id.quoted)")
        }
    }
}
