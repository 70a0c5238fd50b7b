import Contracts
import RPC
import TestSupport
import Testing

@Suite("P32 P49 who has something shared with them reaches that alone", .timeLimit(.minutes(3)))
struct GrantScopeTests {
    @Test("which is the pin's content, and with the right its album for photos; all else is as if it never was")
    func guest() async throws {
        try await ScopeWorld.with { world in
            let (things, shared) = (world.things, SharedWithMeServiceClient(world.client))
            let grants = GrantServiceClient(world.client)
            let request = CreateGrantRequest(pinId: things.pin, email: "bob@example.org")
            let grant = try #require(try await grants.createGrant(request, world.anna.options).grant)
            let seen = try await shared.getSharedWithMe(GetSharedWithMeRequest(id: grant.id), world.bob.options)
            #expect(seen.content?.name == "where anna lives" && seen.shared?.ownerName == "Anna A")
            #expect(seen.content?.photos.isEmpty == false)
            let text = "\(seen)"
            for secret in [things.pin, things.photo, things.folderPhoto, things.libraryPhoto, things.account] {
                #expect(!text.contains(secret))
            }
            let add = AddSharedPhotoRequest(id: grant.id, uploadId: things.photo)
            let readOnly = try await errorOf { try await shared.addSharedPhoto(add, world.bob.options) }
            #expect(readOnly?.code == .permissionDenied)
            // Another pin is not in what is shared.
            let other = GetSharedWithMeRequest(id: grant.id, pinId: ScopeThings.never.pin)
            #expect(try await errorOf { try await shared.getSharedWithMe(other, world.bob.options) }?.code == .notFound)

            try await Self.reachesNothingElse(world)
            _ = try await grants.changeGrant(
                ChangeGrantRequest(id: grant.id, right: .addPhotos), world.anna.options)
            try await Self.reachesNothingElse(world)
            // Her own photo is not Bob's to add.
            let hers = try await errorOf { try await shared.addSharedPhoto(add, world.bob.options) }
            #expect(hers?.code == .notFound)

            _ = try await grants.deleteGrant(DeleteGrantRequest(id: grant.id), world.anna.options)
            let gone = try await errorOf {
                try await shared.getSharedWithMe(GetSharedWithMeRequest(id: grant.id), world.bob.options)
            }
            #expect(gone?.code == .notFound)
        }
    }

    /// All methods of the gateway, by Bob with Anna's things: he sees what he saw before.
    private static func reachesNothingElse(_ world: ScopeWorld) async throws {
        // What is shared with him is shown there.
        let shown = "waymark.shares.v1.GrantService/ListSharedWithMe"
        for row in ScopeTable.rows where world.gateway.methods[row.path] != nil && row.path != shown {
            try await ScopeTests.others(world, world.gateway, row)
        }
    }
}
