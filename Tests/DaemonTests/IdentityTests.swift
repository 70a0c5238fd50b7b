import Daemon
import RPC
import TestSupport
import Testing
import Wire

@Suite("P32 signed identities", .timeLimit(.minutes(3)))
struct IdentityTests {
    private static let method = MethodDescriptor(
        service: "a.B", method: "C", kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: .user)
    private static let openMethod = MethodDescriptor(
        service: "a.Open", method: "C", kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: .anyone)

    private let time = ManualClock()
    private let key: DeploymentKey
    private let signer: IdentitySigner
    private let check: IdentityCheck

    init() throws {
        key = try #require(DeploymentKey(bytes: Array(0..<32)))
        signer = IdentitySigner(key, clock: time.clock)
        check = IdentityCheck(key, clock: time.clock)
    }

    /// The account that a call with this identity is made for.
    private func admit(_ signed: SignedIdentity?, _ method: MethodDescriptor = method) throws(RPCError) -> String? {
        var context = CallContext(method: method, signedIdentity: signed)
        try check.admit(&context)
        return context.identity?.account
    }

    private func refusal(_ signed: SignedIdentity?) -> RPCCode? {
        do throws(RPCError) {
            _ = try admit(signed)
            return nil
        } catch {
            return error.code
        }
    }

    private func sign(_ account: String) -> SignedIdentity { signer.sign(.account(account, .ofAccounts)) }

    private func sign(_ identity: Identity, _ key: DeploymentKey) -> SignedIdentity {
        let bytes = identity.packedBytes()
        return SignedIdentity(identity: bytes, signature: key.sign(bytes))
    }

    @Test("let their account in, again and again until they expire")
    func admitted() throws {
        let signed = sign("anna")
        for _ in 0..<3 { #expect(try admit(signed) == "anna") }
        time.move(by: 59_000)
        #expect(try admit(signed) == "anna")
    }

    @Test("are refused once they have expired, also when they were proven before")
    func expired() throws {
        let signed = sign("anna")
        #expect(try admit(signed) == "anna")
        time.move(by: IdentitySigner.lifeMilliseconds + 5_001)
        #expect(refusal(signed) == .unauthenticated)
        #expect(refusal(sign(Identity(account: "bo", expiresUnixMs: time.now - 5_001), key)) == .unauthenticated)
    }

    @Test("bear five seconds between two clocks, no more")
    func tolerance() throws {
        let signed = sign("anna")
        time.move(by: IdentitySigner.lifeMilliseconds + 5_000)
        #expect(try admit(signed) == "anna")
        time.move(by: 1)
        #expect(refusal(signed) == .unauthenticated)
        let ahead = sign(Identity(account: "a", expiresUnixMs: time.now + IdentitySigner.lifeMilliseconds + 5_000), key)
        #expect(try admit(ahead) == "a")
        let tooFar = sign(
            Identity(account: "a", expiresUnixMs: time.now + IdentitySigner.lifeMilliseconds + 5_001), key)
        #expect(refusal(tooFar) == .unauthenticated, "nobody gets an identity for longer than its life")
    }

    @Test("are refused when the clock is set back below their issue, and are good again afterwards")
    func clockSetBack() throws {
        let signed = sign("anna")
        time.move(by: -3_600_000)
        #expect(refusal(signed) == .unauthenticated)
        // The signer does not hand the old one out either.
        #expect(try admit(sign("anna")) == "anna")
        time.move(by: 3_600_000)
        #expect(try admit(sign("anna")) == "anna")
    }

    @Test("of another deployment, changed or unsigned are refused")
    func forged() throws {
        let other = try #require(DeploymentKey(bytes: [UInt8](repeating: 1, count: 32)))
        let identity = Identity(account: "anna", expiresUnixMs: time.now + 30_000)
        #expect(try admit(sign(identity, key)) == "anna")
        #expect(refusal(sign(identity, other)) == .unauthenticated)
        #expect(refusal(SignedIdentity(identity: identity.packedBytes(), signature: [])) == .unauthenticated)
        var changed = sign(identity, key)
        changed.identity = Identity(account: "bo", expiresUnixMs: identity.expiresUnixMs).packedBytes()
        #expect(refusal(changed) == .unauthenticated)
        #expect(refusal(SignedIdentity()) == .unauthenticated)
    }

    @Test("that do not decode or name nobody are refused, whoever signed them")
    func senseless() {
        for bytes: [UInt8] in [[], [0xff], [0x0a, 0x7f], [0x0a, 0x01, 0xff]] {
            #expect(refusal(SignedIdentity(identity: bytes, signature: key.sign(bytes))) == .unauthenticated)
        }
        #expect(refusal(sign(Identity(account: "", expiresUnixMs: time.now + 1), key)) == .unauthenticated)
        for identity in [
            Identity(account: "a", kind: CallerKind(rawValue: 4), roles: [.user]),
            Identity(kind: .account, service: "a", roles: [.user]),
            Identity(account: "a", kind: .service, roles: [.user]),
        ] {
            var identity = identity
            identity.expiresUnixMs = time.now + 1
            #expect(refusal(sign(identity, key)) == .unauthenticated)
        }
        for expiry in [Int64.max, .min, 0, -1, .max - 4_000, .max / 2] {
            #expect(refusal(sign(Identity(account: "a", expiresUnixMs: expiry), key)) == .unauthenticated)
        }
    }

    @Test("from before there were roles don't say that their client has shown anything")
    func old() throws {
        let signed = sign(Identity(account: "anna", expiresUnixMs: time.now + 30_000), key)
        var context = CallContext(method: Self.method, signedIdentity: signed)
        try check.admit(&context)
        #expect(context.identity?.credential == .nothing)
        context = CallContext(method: Self.method, signedIdentity: sign("anna"))
        try check.admit(&context)
        #expect(context.identity?.credential == .token)
    }

    @Test("are needed, but not by methods for anyone")
    func missing() throws {
        #expect(refusal(nil) == .unauthenticated)
        #expect(try admit(nil, Self.openMethod) == nil)
        #expect(try admit(sign("anna"), Self.openMethod) == "anna")
    }

    @Test("stay proven only while there is room, and are proven again afterwards")
    func cache() throws {
        let first = sign("account 0")
        for index in 0..<3000 { #expect(try admit(sign("account \(index)")) == "account \(index)") }
        #expect(try admit(first) == "account 0")
    }

    @Test("are used again for half of their life, then made anew")
    func renewal() throws {
        let first = sign("anna")
        time.move(by: IdentitySigner.lifeMilliseconds / 2 - 1)
        #expect(sign("anna") == first)
        time.move(by: 1)
        let second = sign("anna")
        #expect(second != first)
        #expect(sign("bo") != second)
        #expect(try admit(second) == "anna")
    }

    @Test("a call without one has no account")
    func noAccount() throws {
        let context = CallContext(method: Self.method)
        let error = #expect(throws: RPCError.self) { try context.account }
        #expect(error?.code == .unauthenticated)
    }
}
