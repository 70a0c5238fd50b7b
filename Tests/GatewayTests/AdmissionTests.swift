import Contracts
import Daemon
import RPC
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P32 who a client is", .timeLimit(.minutes(3)))
struct AdmissionTests {
    private static let request = ExploreRequest(
        centre: Coordinate(latitude: 1, longitude: 2), budget: DurationMessage(seconds: 10))

    @Test("in open mode is \"local\", and every service behind gets it signed")
    func openMode() async throws {
        try await RunningGateway.with { gateway in
            _ = try await gateway.explore.explore(Self.request)
            let pin = try await PinServiceClient(gateway.client).createPin(CreatePinRequest()).pin
            #expect(pin?.name == "local", "the service behind has checked the signature and knows the account")
            let key = try #require(RunningGateway.key)
            #expect(gateway.behind.contexts.count == 5)
            for context in gateway.behind.contexts {
                let signed = try #require(context.signedIdentity)
                #expect(key.verify(signed.signature, of: signed.identity))
                #expect(try Identity(packed: signed.identity).account == "local")
                #expect(context.token.isEmpty)
                #expect(!context.requestID.isEmpty)
            }
        }
    }

    @Test("is not what a client says of itself: its own signed identity never gets through")
    func clientsIdentity() async throws {
        let key = try #require(RunningGateway.key)
        let time = ManualClock()
        // Even one that is signed with the right key.
        let mallory = IdentitySigner(key, clock: time.clock).sign(.account("mallory", .ofAccounts))
        let forged = SignedIdentity(identity: mallory.identity, signature: [1, 2, 3])
        try await RunningGateway.with(time: time) { gateway in
            for identity in [mallory, forged] {
                let options = CallOptions(signedIdentity: identity)
                let pin = try await PinServiceClient(gateway.client).createPin(CreatePinRequest(), options).pin
                #expect(pin?.name == "local")
                _ = try await gateway.explore.explore(Self.request, options)
            }
            for context in gateway.behind.contexts {
                #expect(try Identity(packed: try #require(context.signedIdentity).identity).account == "local")
            }
        }
    }

    @Test("has to be shown when open mode is off")
    func closedMode() async throws {
        let key = try #require(RunningGateway.key)
        let time = ManualClock()
        let signed = IdentitySigner(key, clock: time.clock).sign(.account("mallory", .ofAccounts))
        try await RunningGateway.with(isOpen: false, time: time) { gateway in
            for options in [CallOptions(), CallOptions(signedIdentity: signed)] {
                let explore = try await errorOf { try await gateway.explore.explore(Self.request, options) }
                #expect(explore?.code == .unauthenticated)
                let pin = try await errorOf {
                    try await PinServiceClient(gateway.client).createPin(CreatePinRequest(), options)
                }
                #expect(pin?.code == .unauthenticated)
                let stream = try await errorOf {
                    for try await _ in PlacesServiceClient(gateway.client).runImport(RunImportRequest(), options) {}
                }
                #expect(stream?.code == .unauthenticated)
            }
            #expect(gateway.behind.contexts.isEmpty)
            _ = try await EchoServiceClient(gateway.client).echo(EchoRequest())
        }
    }

    @Test("is not known by a token yet")
    func token() async throws {
        try await RunningGateway.with { gateway in
            let error = try await errorOf {
                try await gateway.explore.explore(Self.request, CallOptions(token: "something"))
            }
            #expect(error?.code == .unauthenticated)
            #expect(error?.message.contains("something") == false, "a token is never repeated")
        }
    }

    @Test("is renewed before it expires")
    func renewal() async throws {
        let time = ManualClock()
        try await RunningGateway.with(time: time) { gateway in
            for _ in 0..<5 {
                let pin = try await PinServiceClient(gateway.client).createPin(CreatePinRequest()).pin
                #expect(pin?.name == "local")
                time.move(by: IdentitySigner.lifeMilliseconds / 2 + 1000)
            }
        }
    }
}
