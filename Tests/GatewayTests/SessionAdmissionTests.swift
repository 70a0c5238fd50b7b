import Bytes
import Contracts
import Crypto
import Daemon
import RPC
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P32 who a client is by its session", .timeLimit(.minutes(3)))
struct SessionAdmissionTests {
    private static func profile(_ gateway: RunningGateway, _ token: String) async throws -> Account? {
        let request = GetProfileRequest()
        return try await AccountServiceClient(gateway.client).getProfile(request, CallOptions(token: token)).account
    }

    @Test("is the account of that session, over the RPC as over HTTP, and the services behind learn the session")
    func account() async throws {
        try await RunningGateway.with(isOpen: false) { gateway in
            let token = gateway.sessions.begin("ann")
            for _ in 0..<3 {
                let profile = try await Self.profile(gateway, token)
                #expect(profile?.id == "ann" && profile?.firstName == "session of ann")
            }
            #expect(gateway.sessions.questions == 1, "what is known is not asked for again")
            let header = [("Authorization", "Bearer \(token)")]
            let reply = try await gateway.http.call("/waymark.pins.v1.PinService/CreatePin", "{}", header)
            #expect(reply.text == #"{"pin":{"name":"ann"}}"#)
        }
    }

    @Test("is looked up once for many calls that come together")
    func together() async throws {
        try await RunningGateway.with(isOpen: false) { gateway in
            let token = gateway.sessions.begin("ann")
            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<50 { group.addTask { try await Self.profile(gateway, token)?.id } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(ids == ["ann"] && gateway.sessions.questions == 1)
        }
    }

    @Test("has the roles of that session, checked before the call is passed on")
    func roles() async throws {
        try await RunningGateway.with(isOpen: false) { gateway in
            let token = gateway.sessions.begin("ann", roles: [.user])
            // The first call waits for the answer, the second knows it.
            for _ in 0..<2 {
                let error = try await errorOf {
                    let rows = PlacesServiceClient(gateway.client).runImport(
                        RunImportRequest(), CallOptions(token: token))
                    for try await _ in rows {}
                }
                #expect(error?.code == .permissionDenied)
            }
            let admin = gateway.sessions.begin("root", roles: [.user, .admin])
            var count = 0
            for try await _ in PlacesServiceClient(gateway.client).runImport(
                RunImportRequest(), CallOptions(token: admin))
            { count += 1 }
            #expect(count == 3)
            // No session makes a client a service, whatever is stored.
            let service = gateway.sessions.begin("x", roles: [.service])
            #expect(try await errorOf { try await Self.profile(gateway, service) }?.code == .permissionDenied)
        }
    }

    @Test("is refused when there is none, without asking about texts that are no tokens of sessions")
    func unknown() async throws {
        for isOpen in [false, true] {
            try await RunningGateway.with(isOpen: isOpen) { gateway in
                let ended = gateway.sessions.begin("ann")
                gateway.sessions.end(ended)
                let error = try await errorOf { try await Self.profile(gateway, ended) }
                #expect(error?.code == .unauthenticated && error?.message.contains("session has ended") == true)
                let asked = gateway.sessions.questions
                let madeUp = "wms_" + Base64URL.encode(RandomBytes.make(48))
                let otherKind = "wmk_" + ended.dropFirst(4)
                for token in ["wms_short", "wmx_" + ended.dropFirst(4), ended + "A", madeUp, otherKind] {
                    let error = try await errorOf { try await Self.profile(gateway, token) }
                    #expect(error?.code == .unauthenticated, "\(token)")
                }
                #expect(gateway.sessions.questions == asked)
            }
        }
    }

    @Test("ends with the session: what is known is asked for again, and a stream is stopped")
    func revoked() async throws {
        var backends = FakeBackends()
        let begun = Gate()
        backends.watchPin = { _, responses, _ in
            try await responses.write(WatchPinResponse())
            begun.open()
            // Ends only when the call is cancelled.
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            for await _ in stream {}
            continuation.finish()
            try Task.checkCancellation()
        }
        let pace = SessionPace(life: .milliseconds(200), freshness: .milliseconds(50))
        try await RunningGateway.with(backends, isOpen: false, sessionPace: pace) { gateway in
            let token = gateway.sessions.begin("ann")
            let watching = Task {
                try await errorOf {
                    let watch = PinServiceClient(gateway.client).watchPin(WatchPinRequest(), CallOptions(token: token))
                    for try await _ in watch {}
                }
            }
            await begun.pass()
            // As long as nobody knows better, it goes on.
            gateway.sessions.setAway(true)
            let asked = gateway.sessions.questions
            while gateway.sessions.questions < asked + 3 { await Task.yield() }
            gateway.sessions.setAway(false)
            gateway.sessions.end(token)
            let error = try await watching.value
            #expect(error?.code == .unauthenticated && error?.message.contains("session has ended") == true)
            #expect(try await errorOf { try await Self.profile(gateway, token) }?.code == .unauthenticated)
        }
    }

    @Test("of a token of the deployment ends when that token is no longer known")
    func deployment() async throws {
        try await RunningGateway.with(isOpen: false) { gateway throws in
            let token = gateway.sessions.begin("local", deploymentToken: FakeSessions.digest("a-former-token-0123"))
            #expect(try await errorOf { try await Self.profile(gateway, token) }?.code == .unauthenticated)
        }
    }

    @Test("what anyone may call is passed on with the client's address alone, whatever token comes with it")
    func stranger() async throws {
        try await RunningGateway.with(isOpen: false) { gateway in
            let ended = gateway.sessions.begin("ann")
            gateway.sessions.end(ended)
            for token in ["", ended, gateway.sessions.begin("bob")] {
                let request = LogInRequest(email: "a@b.org", password: "x")
                let answer = try await AccountServiceClient(gateway.client).logIn(request, CallOptions(token: token))
                #expect(answer.session?.token == "127.0.0.1")
            }
            let signed = try #require(gateway.behind.contexts.last?.signedIdentity)
            let identity = try Identity(packed: signed.identity)
            #expect(identity.kind == .stranger && identity.account.isEmpty && identity.roles.isEmpty)
            #expect(
                try await errorOf {
                    try await SessionServiceClient(gateway.client).checkToken(CheckTokenRequest())
                }?.code == .unimplemented, "the gateway passes on no call of services")
        }
    }
}
