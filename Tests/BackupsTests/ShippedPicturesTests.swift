import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 Pictures, stored beside the log of their rows", .timeLimit(.minutes(5)))
struct ShippedPicturesTests {
    private static func blobs(_ house: ShippedHouse) async throws -> ShippedBlobs {
        ShippedBlobs(try await DirectoryBlobs.opened(house.folder.file("blobs"), BlockingCalls.ofTested))
    }

    private static func picture(_ text: String) -> HeldBlob { HeldBlob(Array(text.utf8)) }

    @Test("hold up no page while their store is away; what is stored then says that some may be missing")
    func beside() async throws {
        try await ShippedHouse.with { house in
            let blobs = try await Self.blobs(house)
            try await blobs.put(Self.picture("of before"))
            house.arePicturesAway.set(true)
            let shipper = try house.ship(blobs: blobs)
            try await blobs.put(Self.picture("new"))
            try await house.add(20)
            try await house.stored(all: true)
            let lacking = try await house.states(1)
            #expect(lacking.remarks.contains { $0.contains("Pictures") })
            #expect(try await house.restored(lacking, "lacking") == house.acknowledged())
            try await house.until { shipper.shipper.status.trouble != nil }
            #expect(shipper.shipper.status.waitingPictures > 0)
            house.arePicturesAway.set(false)
            // Said though nothing changes any more.
            try await house.until { try await house.states(2).remarks.isEmpty }
            #expect(try await house.vault.store.pictures.list("pictures").count == 2)
            await shipper.end()
        }
    }

    @Test("of before the process are not counted as waiting, and nothing is called whole before they are there")
    func before() async throws {
        try await ShippedHouse.with { house in
            try await Self.blobs(house).put(Self.picture("of before"))
            house.arePicturesAway.set(true)
            let shipper = try house.ship(blobs: try await Self.blobs(house))
            #expect(!shipper.shipper.status.isWhole)
            try await house.add(1)
            try await house.stored(all: true)
            #expect(await eventually { shipper.shipper.status.trouble != nil })
            #expect(shipper.shipper.status.waitingPictures == 0 && !shipper.shipper.status.isWhole)
            house.arePicturesAway.set(false)
            try await house.until { try await house.states(2).remarks.isEmpty }
            #expect(shipper.shipper.status.isWhole)
            await shipper.end()
        }
    }

    @Test("that were put just now are waited for before all is called whole")
    func new() async throws {
        try await ShippedHouse.with { house in
            let blobs = try await Self.blobs(house)
            let shipper = try house.ship(blobs: blobs)
            try await house.add(1)
            try await house.stored(all: true)
            #expect(await eventually { shipper.shipper.status.isWhole })
            house.arePicturesAway.set(true)
            try await blobs.put(Self.picture("new"))
            #expect(shipper.shipper.status.waitingPictures == 1 && !shipper.shipper.status.isWhole)
            await shipper.end()
        }
    }

    @Test("hold up a change that waits for its copy")
    func awaited() async throws {
        try await ShippedHouse.with(mode: .before) { house in
            let blobs = try await Self.blobs(house)
            let shipper = try house.ship(blobs: blobs)
            try await house.add(1)
            house.arePicturesAway.set(true)
            try await blobs.put(Self.picture("new"))
            await #expect(throws: SQLError.self) { try await house.add(1) }
            house.arePicturesAway.set(false)
            try await house.until { (try? await house.add(1)) != nil }
            #expect(try await house.states(1).states.allSatisfy { !$0.lacksPictures })
            await shipper.end()
        }
    }

    @Test("are kept as long as a moment that is kept has them, and then removed")
    func kept() async throws {
        try await ShippedHouse.with { house in
            let blobs = try await Self.blobs(house)
            let pictures = ShippingPictures(blobs: blobs, vault: house.vault)
            let (one, two) = (Self.picture("one"), Self.picture("two"))
            for blob in [one, two] { try await blobs.put(blob) }
            func names() async throws -> Set<String> { Set(try await house.objects.list("pictures").map(\.name)) }
            let run = Task { await pictures.run() }
            #expect(await pictures.wait(for: 2, patience: .seconds(60)))
            run.cancel()
            await run.value
            var absent: [String: Int64] = [:]
            let all = try await names()
            #expect(all.count == 2)
            _ = try await blobs.remove(one.name, ifStoredBefore: .max)
            // It was removed just now, and an earlier moment has it, though it was stored long ago.
            try await pictures.sweep(&absent, before: 1_000, last: 2_000)
            try await pictures.sweep(&absent, before: 1_999, last: 2_999)
            #expect(try await names() == all)
            try await pictures.sweep(&absent, before: 2_001, last: 3_001)
            #expect(try await names() == [house.vault.objectName(of: two.name)])
        }
    }
}
