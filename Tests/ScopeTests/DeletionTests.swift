import Contracts
import EventLoops
import RPC
import TestSupport
import Testing

@Suite("P52 the deletion of an account leaves nothing of it at any service", .timeLimit(.minutes(3)))
struct DeletionTests {
    @Test("which is all that it had, and what it had shared; what others have is as it was")
    func everything() async throws {
        try await ScopeWorld.with { world in
            let (things, accounts) = (world.things, AccountServiceClient(world.client))
            let others = try await Self.pins(of: world.bob, world)
            try await Self.starAndImport(world)
            try await Self.share(world)
            // Ids that nobody else has, as they are in the rows.
            let marks = [
                things.account, things.email, things.upload, things.photo, things.post, things.share, things.grant,
            ]
            let before = try world.processes.rows(with: marks)
            #expect(Set(before.map(Self.table)).count > 12, "\(Set(before.map(Self.table)))")

            let wrong = DeleteAccountRequest(email: "bob@example.org")
            let error = try await errorOf { _ = try await accounts.deleteAccount(wrong, world.anna.options) }
            #expect(error?.code == .invalidArgument && error?.message.contains("bob@example.org") == true)
            let right = DeleteAccountRequest(email: things.email.uppercased())
            _ = try await accounts.deleteAccount(right, world.anna.options)

            // Nothing lets her in any more, and no one sees what she had shared.
            let profile = GetProfileRequest()
            let refused = try await errorOf { _ = try await accounts.getProfile(profile, world.anna.options) }
            #expect(refused?.code == .unauthenticated)
            let login = LogInRequest(email: things.email, password: ScopeMaker.password(of: "anna"))
            let noAccount = try await errorOf { _ = try await accounts.logIn(login, world.bob.options) }
            #expect(noAccount?.code == .unauthenticated)

            // What is left is the job that looks once more for what calls on the way have stored.
            while try world.processes.rows(with: marks).contains(where: { !$0.contains("erase") }) {
                await Task.yield()
            }
            #expect(try await Self.pins(of: world.bob, world) == others)
            let shared = GetSharedPinRequest(token: things.shareToken)
            let gone = try await errorOf { _ = try await SharedServiceClient(world.client).getSharedPin(shared) }
            #expect(gone?.code == .notFound)
        }
    }

    @Test(
        "also when the services that have it are killed as soon as it is asked for",
        arguments: [["pins"], ["photos", "pins"]])
    func killed(names: [String]) async throws {
        try await ScopeWorld.with { world in
            let things = world.things
            let marks = [things.account, things.email, things.upload, things.photo, things.post, things.share]
            _ = try await AccountServiceClient(world.client).deleteAccount(
                DeleteAccountRequest(email: things.email), world.anna.options)
            for name in names { try await world.processes.restart(name) }
            while try world.processes.rows(with: marks).contains(where: { !$0.contains("erase") }) {
                await Task.yield()
            }
        }
    }

    /// A star, and a file of pins that has come in part.
    private static func starAndImport(_ world: ScopeWorld) async throws {
        let place = StarredPlace(id: world.things.place, position: Coordinate(latitude: 1, longitude: 1))
        _ = try await StarServiceClient(world.client).starPlace(StarPlaceRequest(place: place), world.anna.options)
        let files = PinFileServiceClient(world.client)
        let begun = try await files.startPinImport(
            StartPinImportRequest(fileName: "a.gpx", byteCount: 10), world.anna.options)
        let id = try #require(begun.`import`).id
        _ = try await files.addPinImportPart(AddPinImportPartRequest(id: id, data: [1, 2]), world.anna.options)
    }

    /// Each shares a pin with the other, and a photo of hers is in his album.
    private static func share(_ world: ScopeWorld) async throws {
        let grants = GrantServiceClient(world.client)
        let hers = CreateGrantRequest(pinId: world.things.pin, email: "bob@example.org")
        _ = try await grants.createGrant(hers, world.anna.options)
        let his = try #require(try await pins(of: world.bob, world).first)
        let request = CreateGrantRequest(pinId: his, email: world.things.email, right: .addPhotos)
        let grant = try #require(try await grants.createGrant(request, world.bob.options).grant)
        _ = try await SharedWithMeServiceClient(world.client).addSharedPhoto(
            AddSharedPhotoRequest(id: grant.id, uploadId: world.things.photo), world.anna.options)
    }

    private static func pins(of caller: ScopeCaller, _ world: ScopeWorld) async throws -> [String] {
        try await PinServiceClient(world.client).listPins(ListPinsRequest(), caller.options).pins.map(\.id)
    }

    /// The table of a row in a dump.
    private static func table(_ row: String) -> Substring {
        row.split(separator: " ").dropFirst(2).first?.split(separator: ".").last?.split(separator: "(").first ?? ""
    }
}
