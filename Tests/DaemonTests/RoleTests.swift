import Budgets
import Contracts
import ProtoSchema
import RPC
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("P32 roles", .timeLimit(.minutes(3)))
struct RoleTests {
    /// A caller, and the roles whose methods it may call.
    struct Caller: Sendable, CustomTestStringConvertible {
        let name: String
        /// Without its expiry; nil for a caller without an identity.
        let identity: Identity?
        let allowed: Set<Role>

        init(_ name: String, _ identity: Identity?, _ allowed: Set<Role>) {
            (self.name, self.identity, self.allowed) = (name, identity, allowed)
        }

        var testDescription: String { name }
    }

    static let callers = [
        Caller("a stranger", nil, [.anyone]),
        Caller("an account without roles", Identity(account: "anna", kind: .account), [.anyone]),
        Caller("a user", Identity(account: "anna", kind: .account, roles: [.user]), [.anyone, .user]),
        Caller("an operator", Identity(account: "anna", kind: .account, roles: [.admin]), [.anyone, .admin]),
        Caller(
            "an account with all", Identity(account: "anna", kind: .account, roles: [.user, .admin]),
            [.anyone, .user, .admin]),
        Caller(
            "an account with roles that there are not",
            Identity(account: "anna", kind: .account, roles: [.unspecified, .anyone, Role(rawValue: 99)]), [.anyone]),
        Caller(
            "an account named like a service", Identity(account: "pin-service", kind: .account, roles: [.user]),
            [.anyone, .user]),
        Caller(
            "an account that says it is a service",
            Identity(account: "anna", kind: .account, service: "pin-service", roles: [.user, .service]),
            [.anyone, .user]),
        Caller("a service", Identity(kind: .service, service: "pin-service", roles: Roles.ofServices.list), ofService),
        Caller(
            "a service for an account",
            Identity(account: "anna", kind: .service, service: "pin-service", roles: Roles.ofServices.list), ofService),
        Caller("a stranger whose address is signed", Identity(kind: .stranger, client: "192.0.2.1"), [.anyone]),
        Caller(
            "a stranger that says it is an account",
            Identity(account: "anna", kind: .stranger, roles: [.user, .admin, .service]), [.anyone]),
        Caller("a caller from before there were roles", Identity(account: "anna"), [.anyone, .user, .service, .admin]),
    ]
    private static let ofService: Set<Role> = [.anyone, .user, .service]

    /// All methods of all .proto files.
    private static let methods = ContractService.all.flatMap(\.methods)

    private static func names(_ role: Role) -> [String] { methods.filter { $0.role == role }.map(\.method).sorted() }

    @Test("every method is for those who have its role, and for no others", arguments: callers)
    func table(caller: Caller) throws {
        let time = ManualClock()
        let key = try #require(DeploymentKey(bytes: Array(0..<32)))
        let check = IdentityCheck(key, clock: time.clock)
        var signed: SignedIdentity?
        if var identity = caller.identity {
            identity.expiresUnixMs = time.now + 30_000
            let bytes = identity.packedBytes()
            signed = SignedIdentity(identity: bytes, signature: key.sign(bytes))
        }
        for method in Self.methods {
            var context = CallContext(method: method, signedIdentity: signed)
            var refusal: RPCError?
            do throws(RPCError) { try check.admit(&context) } catch { refusal = error }
            if caller.allowed.contains(method.role) {
                #expect(refusal == nil, "\(method.path)")
            } else {
                #expect(refusal?.code == (signed == nil ? .unauthenticated : .permissionDenied), "\(method.path)")
                #expect(refusal?.message.hasPrefix("\(method.path) needs ") == true)
                #expect(context.identity == nil)
            }
        }
    }

    @Test("the methods of the table are those of the .proto files, each with its role")
    func complete() throws {
        let schema = try unsafe Schema(fileDescriptorSet: WireDescriptors.fileDescriptorSet)
        let all = schema.services.values.flatMap { service in
            service.methods.map { "\(service.fullName)/\($0.name) \($0.role)" }
        }
        #expect(Set(all) == Set(Self.methods.map { "\($0.path) \($0.role.rawValue)" }))
        #expect(all.count == Self.methods.count)
    }

    @Test("what changes what all share is for admins, and what services ask of each other for services")
    func chosen() {
        #expect(
            Self.names(.admin) == [
                "BeginImport", "ClearPasskeys", "CreateInvitation", "CreateResetCode", "DeleteDataset",
                "GetDataSafety", "GetStats",
                "ListAccounts",
                "ListAllSecurityEvents", "ListLeftOutFiles", "LockAccount", "PutPhoto", "RemovePost", "RunImport",
                "ScanPictures",
                "SendInvitation", "SetRoles",
                "SwitchNetwork", "SwitchPhotoNetwork", "WatchStats", "WriteImport",
            ])
        #expect(
            Self.names(.service) == [
                "AddGuestPhoto", "BeginSession", "CheckGrant", "CheckShare", "CheckToken", "ChooseNetworks",
                "ForgetAccount", "ForgetFindings", "ForgetPin", "GetReplication",
                "HoldArea", "OpenLink",
                "ReleaseAreas", "SearchAlbums",
                "WatchNetworks", "WatchSummaries",
            ])
        #expect(
            Self.names(.anyone) == [
                "BeginLogin", "BeginPasskeyLogIn", "Check", "Check", "CreateAdministrator", "Echo", "EchoEach",
                "EchoJoined",
                "EchoStream", "EndProviderSessions", "FinishLogin", "FinishPasskeyLogIn", "GetAccountOptions",
                "GetDescriptors",
                "GetPasskeyOptions", "GetSharedPin", "ListProviders", "ListServices", "LogIn", "LogInWithToken",
                "LogOut",
                "RequestPasswordReset", "ResetPassword", "ServerReflectionInfo", "SignUp", "Watch", "Watch",
            ])
    }

    @Test("a refusal names the method, the role and what the caller has")
    func sentence() {
        let method = PlacesServiceMethods.deleteDataset
        let start = "waymark.places.v1.PlacesService/DeleteDataset needs the role admin; this caller has"
        for (roles, end) in [(Roles.user, "user"), (.ofServices, "user and service"), ([], "none")] {
            let error = #expect(throws: RPCError.self) { try method.check(roles) }
            #expect(error?.message == "\(start) \(end)")
        }
    }

    @Test("a method without a role, as another program may know one, is for no caller")
    func roleless() {
        for role in [Role.unspecified, Role(rawValue: 5), Role(rawValue: -1), Role(rawValue: .max)] {
            let method = MethodDescriptor(
                service: "a.B", method: "C", kind: .unary, isIdempotent: false, hasNoSideEffects: false, role: role)
            let error = #expect(throws: RPCError.self) { try method.check([.ofAccounts, .ofServices]) }
            #expect(error?.code == .permissionDenied)
        }
    }

    @Test("a signer signs what it is told: an account's roles, a service for itself or for an account")
    func signed() throws {
        let time = ManualClock()
        let signer = IdentitySigner(try #require(DeploymentKey(bytes: Array(0..<32))), clock: time.clock)
        let expires = time.now + IdentitySigner.lifeMilliseconds
        let claims: [(IdentityClaim, Identity)] = [
            (
                .account("anna", .user),
                Identity(account: "anna", expiresUnixMs: expires, kind: .account, roles: [.user])
            ),
            (
                .account("anna", .ofAccounts),
                Identity(account: "anna", expiresUnixMs: expires, kind: .account, roles: [.user, .admin])
            ),
            (
                .account("anna", .user, by: .session("s1")),
                Identity(account: "anna", expiresUnixMs: expires, kind: .account, roles: [.user], session: "s1")
            ),
            (
                .account("anna", .user, by: .key("k1", isReadOnly: false, networks: ["folder", "catalog"])),
                Identity(
                    account: "anna", expiresUnixMs: expires, kind: .account, roles: [.user], session: "k1",
                    apiKey: true, networks: ["catalog", "folder"])
            ),
            (.stranger(ClientKey("192.0.2.1")), Identity(expiresUnixMs: expires, kind: .stranger, client: "192.0.2.1")),
            (
                .service("pin-service", for: nil),
                Identity(expiresUnixMs: expires, kind: .service, service: "pin-service", roles: [.user, .service])
            ),
            (
                .service("pin-service", for: "anna"),
                Identity(
                    account: "anna", expiresUnixMs: expires, kind: .service, service: "pin-service",
                    roles: [.user, .service])
            ),
        ]
        for (claim, identity) in claims {
            #expect(try Identity(packed: signer.sign(claim).identity) == identity)
            #expect(signer.sign(claim) == signer.sign(claim))
        }
    }
}
