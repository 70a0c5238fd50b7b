import Accounts
import AccountContracts
import PinContracts
import Daemon
import EventLoops
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PinService

@Suite("P49 a pin or a list that is shared with an account", .timeLimit(.minutes(2)))
struct GrantTests {
    /// The services of pins and grants on a real socket with a real database, and two accounts.
    private struct World {
        let pins: PinServiceClient
        let lists: ListServiceClient
        let grants: GrantServiceClient
        let checks: GrantCheckServiceClient
        let links: ShareLinkServiceClient
        let accounts: AccountServiceClient
        let clock: ManualClock
        let signer: IdentitySigner
        var ann = ""
        var ben = ""

        func of(_ account: String) -> CallOptions { by(.account(account, .ofAccounts, by: .session("s"))) }

        func by(_ claim: IdentityClaim) -> CallOptions {
            CallOptions(deadline: .now + .seconds(100), signedIdentity: signer.sign(claim))
        }

        func signUp(_ name: String) async throws -> String {
            let request = SignUpRequest(
                email: "\(name)@example.org", password: "correct horse battery", firstName: name)
            let stranger = CallOptions(deadline: .now + .seconds(100))
            return try #require(try await accounts.signUp(request, stranger).session?.account).id
        }

        func pin() async throws -> String {
            try #require(try await pins.createPin(CreatePinRequest(60, 25, name: "Esplanadi"), of(ann)).pin).id
        }

        func share(
            _ pin: String, with email: String = "BEN@example.org", _ right: GrantRight = .read
        ) async throws -> PinContracts.Grant {
            let request = CreateGrantRequest(pinId: pin, email: email, right: right)
            return try #require(try await grants.createGrant(request, of(ann)).grant)
        }

        func check(_ id: String, by account: String) async throws -> CheckGrantResponse {
            try await checks.checkGrant(CheckGrantRequest(id: id), by(.service("gateway", for: account)))
        }

        func isLive(_ id: String) async throws -> Bool {
            try await links.checkShare(CheckShareRequest(id: id), by(.service("gateway", for: nil))).valid
        }

        func mine(_ account: String) async throws -> [SharedWithMe] {
            try await grants.listSharedWithMe(ListSharedWithMeRequest(), of(account)).shared
        }

        var listed: [PinContracts.Grant] {
            get async throws { try await grants.listGrants(ListGrantsRequest(), of(ann)).grants }
        }
    }

    private static func with(_ body: (World) async throws -> Void) async throws {
        let (folder, clock, hasher) = (TemporaryFolder(), ManualClock(), PasswordHasher())
        let key = try #require(RunningPinService.key)
        let place = try PostgresServer.place(of: "\(folder.path)/pins.db")
        var settings = DatabaseSettings()
        settings.schema = place.schema
        let store = try await PinStore.open(place.address, settings: settings, clock: clock.clock)
        let accounts = AccountStore(store.database, hasher, clock: clock.clock, key: key, signUp: .open)
        let shares = ShareHandler(store: store, clock: clock.clock, key: key, passwords: hasher, isOn: false)
        let router = Router([
            PinHandler(store, clock: clock.clock), GrantHandler(store: store, clock: clock.clock),
            GrantCheckHandler(store: store), ShareLinkHandler(shares: shares), AccountHandler(accounts),
            ListHandler(store: store, clock: clock.clock),
        ])
        let result: Result<Void, any Error>
        do {
            try await TestServer.with(router, interceptors: [IdentityCheck(key, clock: clock.clock)]) { server in
                try await server.withClient { client in
                    var world = World(
                        pins: PinServiceClient(client), lists: ListServiceClient(client),
                        grants: GrantServiceClient(client), checks: GrantCheckServiceClient(client),
                        links: ShareLinkServiceClient(client), accounts: AccountServiceClient(client), clock: clock,
                        signer: IdentitySigner(key, clock: clock.clock))
                    (world.ann, world.ben) = (try await world.signUp("ann"), try await world.signUp("ben"))
                    try await body(world)
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await BlockingCalls.run { hasher.close() }
        await store.close()
        try result.get()
    }

    @Test("is seen by that account alone, with who shares it and what it may do, until its owner ends it")
    func life() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let grant = try await world.share(pin)
            #expect(grant.pinId == pin && grant.name == "Esplanadi" && grant.email == "BEN@example.org")
            let mine = try await world.mine(world.ben)
            #expect(mine.map(\.id) == [grant.id] && mine.first?.ownerName == "ann" && mine.first?.right == .read)
            #expect(try await world.mine(world.ann).isEmpty)
            let checked = try await world.check(grant.id, by: world.ben)
            #expect(checked.owner == world.ann && checked.pinId == pin && checked.guestName == "ben")
            #expect(try await errorOf { try await world.check(grant.id, by: world.ann) }?.code == .notFound)
            #expect(try await errorOf { try await world.check("none", by: world.ben) }?.code == .notFound)
            #expect(try await world.isLive(grant.id))

            let change = ChangeGrantRequest(id: grant.id, right: .addPhotos)
            let notHis = try await errorOf { try await world.grants.changeGrant(change, world.of(world.ben)) }
            #expect(notHis?.code == .notFound)
            #expect(try await world.check(grant.id, by: world.ben).shared?.right == .read)
            _ = try await world.grants.changeGrant(change, world.of(world.ann))
            #expect(try await world.check(grant.id, by: world.ben).shared?.right == .addPhotos)

            let end = DeleteGrantRequest(id: grant.id)
            #expect(try await world.grants.deleteGrant(end, world.of(world.ann)).deleted)
            #expect(try await !world.grants.deleteGrant(end, world.of(world.ann)).deleted)
            #expect(try await errorOf { try await world.check(grant.id, by: world.ben) }?.code == .notFound)
            #expect(try await !world.isLive(grant.id))
            #expect(try await world.mine(world.ben).isEmpty)
            let events = try await world.accounts.listSecurityEvents(
                ListSecurityEventsRequest(), world.of(world.ann)
            ).events
            #expect(events.contains { $0.kind == .grantCreated && $0.device == "Esplanadi" })
            #expect(events.contains { $0.kind == .grantDeleted })
        }
    }

    @Test("is answered the same whether there is such an account or not, and then seen by none")
    func noOracle() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            var (known, unknown) = (
                try await world.share(pin, with: "ben@example.org"), try await world.share(pin, with: "zoe@example.org")
            )
            #expect(known.id.utf8.count == unknown.id.utf8.count)
            (known.id, unknown.id, unknown.email) = ("", "", known.email)
            #expect(known == unknown)
            #expect(try await world.listed.map(\.email).sorted() == ["ben@example.org", "zoe@example.org"])
            // Who takes the address later gets nothing by that.
            let zoe = try await world.signUp("zoe")
            #expect(try await world.mine(zoe).isEmpty)
            // Only when it is shared once more.
            let once = try await world.share(pin, with: "zoe@example.org", .addPhotos)
            #expect(try await world.mine(zoe).map(\.id) == [once.id])
            #expect(try await world.listed.count == 2)
        }
    }

    @Test("is taken off the list of whom it is shared with by that account, and by no other")
    func leaving() async throws {
        try await Self.with { world in
            let grant = try await world.share(try await world.pin())
            let end = DeleteGrantRequest(id: grant.id)
            let zoe = try await world.signUp("zoe")
            #expect(try await !world.grants.deleteGrant(end, world.of(zoe)).deleted)
            #expect(try await world.grants.deleteGrant(end, world.of(world.ben)).deleted)
            #expect(try await world.mine(world.ben).isEmpty)
            #expect(try await world.listed.isEmpty)
        }
    }

    @Test("ends with its pin or its list; a list can only be read")
    func subjects() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let list = try #require(
                try await world.lists.createList(CreateListRequest(name: "Summer"), world.of(world.ann)).list)
            var request = CreateGrantRequest(listId: list.id, email: "ben@example.org", right: .addPhotos)
            let error = try await errorOf { try await world.grants.createGrant(request, world.of(world.ann)) }
            #expect(
                error?.code == .invalidArgument && error?.message.hasPrefix("right: a list can only be read") == true)
            request.right = .read
            let ofList = try #require(try await world.grants.createGrant(request, world.of(world.ann)).grant)
            let change = ChangeGrantRequest(id: ofList.id, right: .addPhotos)
            #expect(
                try await errorOf { try await world.grants.changeGrant(change, world.of(world.ann)) }?.code
                    == .invalidArgument)
            let ofPin = try await world.share(pin)
            #expect(try await world.mine(world.ben).filter(\.isList).map(\.name) == ["Summer"])
            let found = try await world.grants.listGrants(ListGrantsRequest(listId: list.id), world.of(world.ann))
            #expect(found.grants.map(\.id) == [ofList.id])
            _ = try await world.lists.deleteList(DeleteListRequest(id: list.id), world.of(world.ann))
            #expect(try await world.mine(world.ben).map(\.id) == [ofPin.id])
            _ = try await world.pins.deletePin(DeletePinRequest(id: pin), world.of(world.ann))
            #expect(try await world.mine(world.ben).isEmpty)
            #expect(try await world.listed.isEmpty)
        }
    }

    @Test("is so with 100 accounts at most, 100 times an hour, and not in open mode")
    func bounds() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            for number in 0..<100 { _ = try await world.share(pin, with: "\(number)@example.org") }
            let often = try await errorOf { try await world.share(pin, with: "more@example.org") }
            #expect(often?.code == .resourceExhausted && often?.message.contains("in 1 minute") == true)
            world.clock.move(by: 3_600_000)
            let many = try await errorOf { try await world.share(pin, with: "more@example.org") }
            #expect(many?.code == .resourceExhausted && many?.message.contains("100 accounts already") == true)
            // The right of one that has it changes all the same.
            _ = try await world.share(pin, with: "7@example.org", .addPhotos)
            #expect(try await world.listed.count == 100)

            let open = world.by(.account("local", .ofAccounts, by: .nothing))
            let request = CreateGrantRequest(pinId: pin, email: "ben@example.org")
            for error in [
                try await errorOf { try await world.grants.createGrant(request, open) },
                try await errorOf { try await world.grants.listGrants(ListGrantsRequest(), open) },
                try await errorOf { try await world.grants.listSharedWithMe(ListSharedWithMeRequest(), open) },
            ] {
                #expect(error?.code == .unauthenticated && error?.message.hasPrefix("log in first") == true)
            }
            let token = world.by(.account("local", .ofAccounts, by: .session("s")))
            let noAccount = try await errorOf { try await world.grants.createGrant(request, token) }
            #expect(noAccount?.code == .failedPrecondition)
        }
    }

    private static let pin = "0190163d-8694-739b-aea5-966c26f8ad91"
    private static let bad: [(CreateGrantRequest, RPCCode, String)] = [
        (CreateGrantRequest(email: "a@b"), .invalidArgument, "pin_id: it is missing"),
        (CreateGrantRequest(pinId: pin, listId: pin, email: "a@b"), .invalidArgument, "list_id: there must be none"),
        (CreateGrantRequest(pinId: "p1", email: "a@b"), .invalidArgument, "pin_id: \"p1\" is not allowed"),
        (CreateGrantRequest(pinId: pin, email: "a@b"), .notFound, "there is no pin \(pin)"),
        (CreateGrantRequest(listId: pin, email: "a@b"), .notFound, "there is no list \(pin)"),
        (CreateGrantRequest(pinId: pin), .invalidArgument, "email: it is missing"),
        (CreateGrantRequest(pinId: pin, email: "ben"), .invalidArgument, "email: \"ben\" is not allowed"),
        (
            CreateGrantRequest(pinId: pin, email: "a@b", right: GrantRight(rawValue: 7)), .invalidArgument,
            "right: 7 is not allowed; GRANT_RIGHT_READ and _ADD_PHOTOS are"
        ),
    ]

    @Test("what is not allowed is refused with its field", arguments: bad)
    func badInput(request: CreateGrantRequest, code: RPCCode, message: String) async throws {
        try await Self.with { world in
            let error = try await errorOf { try await world.grants.createGrant(request, world.of(world.ann)) }
            #expect(error?.code == code)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test("oneself, and ids that are none, are refused")
    func oneself() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let error = try await errorOf { try await world.share(pin, with: "Ann@Example.org") }
            #expect(error?.code == .invalidArgument && error?.message == "email: it is your own; name another account")
            for id in ["", String(repeating: "x", count: 65)] {
                let end = DeleteGrantRequest(id: id)
                let refused = try await errorOf { try await world.grants.deleteGrant(end, world.of(world.ann)) }
                #expect(refused?.code == .invalidArgument && refused?.message.hasPrefix("id: ") == true)
            }
            let long = try await errorOf { try await world.share(pin, with: String(repeating: "x", count: 4_000_000)) }
            #expect(long?.message == "email: 4000000 characters are not allowed; at most 254 are")
            let longer = try await errorOf {
                try await world.share(pin, with: String(repeating: "x", count: 10_000_000))
            }
            #expect(longer?.message.hasPrefix("the request is longer than the 4194304 bytes") == true)
        }
    }
}
