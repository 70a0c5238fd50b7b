import Bytes
import Crypto
import Daemon
import EventLoops
import RPC
import TestSupport
import TestTools
import Wire

/// Who calls, as the gateway is shown it, and as the services behind are.
struct ScopeCaller: Sendable {
    let name: String
    /// What the gateway is shown.
    var token = ""
    /// What a client of the gateway claims, and what services are shown: signed for each call, as it lasts half a
    /// minute, and a busy machine may take longer for all methods.
    private let sign: @Sendable () -> SignedIdentity?

    var identity: SignedIdentity? { sign() }

    /// Options of a call at a door.
    var options: CallOptions {
        CallOptions(deadline: .now + .seconds(60), signedIdentity: identity, token: token)
    }

    /// Nobody at all.
    static let stranger = ScopeCaller(name: "a stranger")

    /// A caller with the key of these services.
    init(_ name: String, _ claim: IdentityClaim, token: String = "", at time: WallClock = .system) {
        self.init(name: name, token: token, identity: ScopeKeys.own.map { IdentitySigner($0, clock: time).sign(claim) })
    }

    private init(
        name: String, token: String = "", identity: @autoclosure @escaping @Sendable () -> SignedIdentity? = nil
    ) {
        (self.name, self.token, sign) = (name, token, identity)
    }

    /// Without what the gateway has to be shown.
    var withoutToken: ScopeCaller { ScopeCaller(name: "\(name) without a token", identity: identity) }

    /// A token that is written like that of a session, and is none.
    static let guessing = ScopeCaller(name: "a guess", token: "wms_" + Base64URL.encode(RandomBytes.make(48)))

    /// Who has a link to something of the account's.
    static func holder(of token: String) -> ScopeCaller { ScopeCaller(name: "who has a link", token: token) }

    /// With a session that was ended.
    static func ended(_ name: String, _ token: String) -> ScopeCaller { ScopeCaller(name: name, token: token) }

    /// Identities of an account that services must not believe.
    static func forgeries(of account: String) -> [ScopeCaller] {
        let claim = IdentityClaim.account(account, .ofAccounts)
        let anHourAgo = WallClock { WallClock.system.unixMilliseconds - 3_600_000 }
        let (right, other) = (ScopeCaller("", claim), ScopeCaller("", .account("another", .user)))
        let foreign = ScopeKeys.foreign.map { IdentitySigner($0).sign(claim) }
        let signature = other.identity?.signature ?? []
        let exchanged = right.identity.map { SignedIdentity(identity: $0.identity, signature: signature) }
        let bare = right.identity.map { SignedIdentity(identity: $0.identity, signature: []) }
        return [
            ScopeCaller(name: "signed with another key", identity: foreign),
            ScopeCaller(name: "signed for another", identity: exchanged),
            ScopeCaller(name: "not signed", identity: bare),
            ScopeCaller("replayed", claim, at: anHourAgo),
        ]
    }
}

/// The keys of deployments.
private enum ScopeKeys {
    static let own = DeploymentKey(bytes: Hex.bytes(ServiceProcess.key))
    static let foreign = DeploymentKey(bytes: Array(1...32))
}
