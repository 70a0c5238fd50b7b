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

@Suite("P49 a link to a pin or a list", .timeLimit(.minutes(2)))
struct ShareTests {
    /// The services of pins and links on a real socket with a real database.
    private struct World {
        let pins: PinServiceClient
        let shares: ShareServiceClient
        let links: ShareLinkServiceClient
        let lists: ListServiceClient
        let accounts: AccountServiceClient
        let clock: ManualClock
        let signer: IdentitySigner

        func of(_ account: String) -> CallOptions { by(.account(account, .ofAccounts, by: .session("s"))) }
        var service: CallOptions { by(.service("gateway", for: nil)) }

        func by(_ claim: IdentityClaim) -> CallOptions {
            CallOptions(deadline: .now + .seconds(100), signedIdentity: signer.sign(claim))
        }

        func pin(of account: String = "ann") async throws -> String {
            let request = CreatePinRequest(60, 25, name: "Esplanadi")
            return try #require(try await pins.createPin(request, of(account)).pin).id
        }

        func share(_ pin: String, life: Duration? = nil, password: String = "") async throws -> PinContracts.Share {
            let request = CreateShareRequest(pinId: pin, life: life.map { DurationMessage($0) }, password: password)
            return try #require(try await shares.createShare(request, of("ann")).share)
        }

        func open(_ share: PinContracts.Share, _ password: String = "", from address: String = "a") async throws
            -> OpenLinkResponse
        {
            try await links.openLink(
                OpenLinkRequest(token: String(share.path.dropFirst(3)), password: password, address: address), service)
        }

        func isLive(_ share: PinContracts.Share) async throws -> Bool {
            try await links.checkShare(CheckShareRequest(id: share.id), service).valid
        }

        var listed: [PinContracts.Share] {
            get async throws { try await shares.listShares(ListSharesRequest(), of("ann")).shares }
        }
    }

    private static func with(isOn: Bool = true, _ body: (World) async throws -> Void) async throws {
        let (folder, clock, hasher) = (TemporaryFolder(), ManualClock(), PasswordHasher())
        let key = try #require(RunningPinService.key)
        let place = try PostgresServer.place(of: "\(folder.path)/pins.db")
        var settings = DatabaseSettings()
        settings.schema = place.schema
        let store = try await PinStore.open(place.address, settings: settings, clock: clock.clock)
        let accounts = AccountStore(store.database, hasher, clock: clock.clock, key: key, signUp: .open)
        let handler = ShareHandler(store: store, clock: clock.clock, key: key, passwords: hasher, isOn: isOn)
        let router = Router([
            PinHandler(store, clock: clock.clock), handler, ShareLinkHandler(shares: handler), AccountHandler(accounts),
            ListHandler(store: store, clock: clock.clock),
        ])
        let result: Result<Void, any Error>
        do {
            try await TestServer.with(router, interceptors: [IdentityCheck(key, clock: clock.clock)]) { server in
                try await server.withClient { client in
                    try await body(
                        World(
                            pins: PinServiceClient(client), shares: ShareServiceClient(client),
                            links: ShareLinkServiceClient(client), lists: ListServiceClient(client),
                            accounts: AccountServiceClient(client),
                            clock: clock, signer: IdentitySigner(key, clock: clock.clock)))
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

    @Test("leads to the pin of the account that made it, is counted, and ends when its owner says so")
    func life() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let share = try await world.share(pin)
            #expect(share.pinName == "Esplanadi" && share.openCount == 0 && share.path.hasPrefix("/s/"))
            let opened = try await world.open(share)
            #expect(opened.account == "ann" && opened.share?.pinId == pin)
            let preview = OpenLinkRequest(token: String(share.path.dropFirst(3)), preview: true)
            _ = try await world.links.openLink(preview, world.service)
            #expect(try await world.listed.map(\.openCount) == [1])
            let another = try await world.shares.deleteShare(DeleteShareRequest(id: share.id), world.of("ben"))
            #expect(!another.deleted)
            #expect(try await world.isLive(share))
            let ended = try await world.shares.deleteShare(DeleteShareRequest(id: share.id), world.of("ann"))
            #expect(ended.deleted)
            #expect(try await !world.isLive(share))
            #expect(try await errorOf { try await world.open(share) }?.code == .notFound)
            #expect(try await world.listed.isEmpty)
        }
    }

    @Test("ends with its time, and with its pin")
    func ends() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let (short, long) = (try await world.share(pin, life: .seconds(60)), try await world.share(pin))
            world.clock.move(by: 59_999)
            #expect(try await world.isLive(short))
            world.clock.move(by: 1)
            #expect(try await !world.isLive(short))
            #expect(try await errorOf { try await world.open(short) }?.code == .notFound)
            #expect(try await world.listed.map(\.id) == [long.id])
            _ = try await world.pins.deletePin(DeletePinRequest(id: pin), world.of("ann"))
            #expect(try await !world.isLive(long))
            #expect(try await errorOf { try await world.open(long) }?.code == .notFound)
        }
    }

    @Test("that was guessed, or made with another key, leads nowhere; nor does one to another's pin come to be")
    func guessed() async throws {
        try await Self.with { world in
            let share = try await world.share(try await world.pin())
            let token = String(share.path.dropFirst(3))
            let other = try #require(DeploymentKey(bytes: Array(1...32)))
            let last = token.last == "A" ? "B" : "A"
            let guesses = [
                "", "x", share.id, token.dropLast() + last, token + "A", String(repeating: "A", count: 100_000),
                ShareToken.make(share.id, other), "é" + token,
            ]
            for guess in guesses {
                let error = try await errorOf {
                    try await world.links.openLink(OpenLinkRequest(token: guess), world.service)
                }
                #expect(error?.code == .notFound, "\(guess.prefix(50))")
            }
            let pin = try await world.pin(of: "ben")
            #expect(try await errorOf { try await world.share(pin) }?.code == .notFound)
        }
    }

    @Test("with a password opens with it alone, and wrong ones are counted, told to the owner, and limited")
    func password() async throws {
        try await Self.with { world in
            let share = try await world.share(try await world.pin(), password: "swordfish")
            #expect(share.hasPassword)
            let missing = try await errorOf { try await world.open(share) }
            #expect(missing?.code == .unauthenticated && missing?.message == "password: this link needs one")
            for _ in 0..<10 {
                let wrong = try await errorOf { try await world.open(share, "trout") }
                #expect(wrong?.code == .unauthenticated && wrong?.message == "password: it is wrong")
            }
            let limited = try await errorOf { try await world.open(share, "swordfish") }
            #expect(limited?.code == .resourceExhausted && limited?.message.contains("minute") == true)
            #expect(try await world.open(share, "swordfish", from: "b").account == "ann")
            let events = try await world.accounts.listSecurityEvents(ListSecurityEventsRequest(), world.of("ann"))
            let refused = events.events.filter { $0.kind == .shareRefused }
            #expect(refused.count == 10 && refused.allSatisfy { $0.address == "a" })
            #expect(events.events.contains { $0.kind == .shareCreated && $0.device == "Esplanadi" })
        }
    }

    @Test("is made once for each name of a change, at most 500 times, and never where the operator has none")
    func bounds() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let request = CreateShareRequest(pinId: pin, requestId: "once")
            let first = try await world.shares.createShare(request, world.of("ann"))
            #expect(try await world.shares.createShare(request, world.of("ann")) == first)
            for _ in 1..<500 { _ = try await world.share(pin) }
            #expect(try await errorOf { try await world.share(pin) }?.code == .resourceExhausted)
            world.clock.move(by: 1)
            #expect(try await world.listed.count == 500)
        }
        try await Self.with(isOn: false) { world in
            let error = try await errorOf { try await world.share(try await world.pin()) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("--sharing on") == true)
        }
    }

    @Test("leads to a list of the account that made it, with the name that it has then, and ends with the list")
    func list() async throws {
        try await Self.with { world in
            let made = try await world.lists.createList(CreateListRequest(name: "Summer"), world.of("ann"))
            let list = try #require(made.list)
            let request = CreateShareRequest(withNote: true, listId: list.id)
            let share = try #require(try await world.shares.createShare(request, world.of("ann")).share)
            #expect(share.listId == list.id && share.listName == "Summer" && share.pinId == "" && share.pinName == "")
            let ofPin = try await world.share(try await world.pin())
            let found = try await world.shares.listShares(ListSharesRequest(listId: list.id), world.of("ann")).shares
            #expect(found.map(\.id) == [share.id])
            #expect(Set(try await world.listed.map(\.id)) == [share.id, ofPin.id])
            let change = ChangeListRequest(id: list.id, name: "Summer 2026")
            _ = try await world.lists.changeList(change, world.of("ann"))
            let opened = try await world.open(share)
            #expect(opened.account == "ann" && opened.share?.listName == "Summer 2026")
            let others = try await errorOf { try await world.shares.createShare(request, world.of("ben")) }
            #expect(others?.code == .notFound && others?.message == "there is no list \(list.id)")
            _ = try await world.lists.deleteList(DeleteListRequest(id: list.id), world.of("ann"))
            #expect(try await !world.isLive(share))
            #expect(try await world.isLive(ofPin))
        }
    }

    @Test("shows the pin's album alone, when it was made so")
    func album() async throws {
        try await Self.with { world in
            let pin = try await world.pin()
            let request = CreateShareRequest(pinId: pin, albumOnly: true)
            let share = try #require(try await world.shares.createShare(request, world.of("ann")).share)
            #expect(share.albumOnly && !share.withNote)
            #expect(try await world.open(share).share?.albumOnly == true)
            let whole = try await world.share(pin)
            #expect(!whole.albumOnly)
            #expect(try await world.open(whole).share?.albumOnly == false)
            #expect(try await world.listed.filter(\.albumOnly).map(\.id) == [share.id])
        }
    }

    private static let pin = "0190163d-8694-739b-aea5-966c26f8ad91"
    private static let bad: [(CreateShareRequest, String)] = [
        (CreateShareRequest(), "pin_id: it is missing; the id of a pin, or list_id with that of a list, is needed"),
        (CreateShareRequest(pinId: pin, listId: pin), "list_id: there must be none with pin_id"),
        (CreateShareRequest(listId: pin, albumOnly: true), "album_only: a list has no album"),
        (
            CreateShareRequest(pinId: pin, withNote: true, albumOnly: true),
            "with_note: there must be none with album_only"
        ),
        (CreateShareRequest(listId: "l1"), "list_id: \"l1\" is not allowed; a UUID is"),
        (CreateShareRequest(pinId: "p1"), "pin_id: \"p1\" is not allowed; a UUID is"),
        (CreateShareRequest(pinId: pin, life: DurationMessage(.seconds(59))), "life: 59 s and 0 ns"),
        (CreateShareRequest(pinId: pin, life: DurationMessage(.seconds(315_360_001))), "life: 315360001 s"),
        (CreateShareRequest(pinId: pin, life: DurationMessage(seconds: .max, nanos: -1)), "life: "),
        (
            CreateShareRequest(pinId: pin, password: String(repeating: "x", count: 201)),
            "password: 201 characters are not allowed; at most 200 are"
        ),
    ]

    @Test("what is not allowed is refused with its field", arguments: bad)
    func badInput(request: CreateShareRequest, message: String) async throws {
        try await Self.with { world in
            let error = try await errorOf { try await world.shares.createShare(request, world.of("ann")) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }
}
