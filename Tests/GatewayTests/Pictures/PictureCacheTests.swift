import Contracts
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("P37 A bounded cache of pictures", .timeLimit(.minutes(3)))
struct PictureCacheTests {
    private let bytes = ScriptedPictures.bytes(200_000)

    @Test("asks the photo service once for a picture, and gives it from its file then")
    func keeps() async throws {
        try await CacheWorld.with { world in
            world.service.set("a", .init(bytes: bytes))
            let first = try await world.open("a")
            #expect(!first.isFile)
            #expect(first.sha256 == ScriptedPictures.digest(bytes))
            #expect(first.byteCount == bytes.count)
            #expect(first.mediaType == "image/jpeg")
            #expect(try await first.bytes() == bytes)
            let kept = try await world.kept("a")
            #expect(try await kept.bytes() == bytes)
            #expect(world.service.calls.count == 1)
            #expect(world.cache.usedBytes == bytes.count)
            #expect(try world.names() == [first.sha256])
            #expect(world.service.callers.withLock { $0 } == ["gateway"])
        }
    }

    @Test("keeps the WebP of a picture beside its JPEG, and gives each to who can show it")
    func webP() async throws {
        try await CacheWorld.with { world in
            let webP = ScriptedPictures.bytes(5_000, seed: 9)
            world.service.set("a", .init(bytes: bytes, webP: webP))
            for _ in 0..<2 {
                let (plain, small) = (try await world.open("a"), try await world.open("a", allowsWebP: true))
                #expect(plain.mediaType == "image/jpeg" && small.mediaType == "image/webp")
                #expect(plain.sha256 != small.sha256)
                #expect(try await plain.bytes() == bytes)
                #expect(try await small.bytes() == webP)
            }
            #expect(world.service.calls.count == 2)
        }
    }

    @Test("gives the first part before the last has come, and a range of it")
    func follows() async throws {
        try await CacheWorld.with { world in
            let gate = Tally()
            world.service.set("a", .init(bytes: bytes, before: { if $0 == 100 { try await gate.wait() } }))
            let picture = try await world.open("a")
            #expect(try await picture.bytes(500..<1_500) == Array(bytes[500..<1_500]))
            #expect(try await picture.bytes(99_000..<100_000) == Array(bytes[99_000..<100_000]))
            #expect(try await picture.bytes(7..<7).isEmpty)
            gate.add()
            #expect(try await picture.bytes(150_000..<200_000) == Array(bytes[150_000...]))
            #expect(world.service.calls.count == 1)
        }
    }

    @Test("keeps nothing of a picture that is shown through, or of one account's, and asks for it each time")
    func shownThrough() async throws {
        try await keepsNothing(of: .init(bytes: bytes, isShownThrough: true))
        try await keepsNothing(of: .init(bytes: bytes, isOwn: true))
    }

    private func keepsNothing(of picture: ScriptedPictures.Picture) async throws {
        try await CacheWorld.with { world in
            world.service.set("a", picture)
            for _ in 0..<2 {
                let picture = try await world.open("a")
                #expect(try await picture.bytes() == bytes)
            }
            #expect(world.service.calls.count >= 2)
            #expect(world.cache.usedBytes == 0)
            #expect(try world.names().isEmpty)
        }
    }

    @Test("fetches a picture once for all who wait for it")
    func together() async throws {
        try await CacheWorld.with { world in
            let (arrived, gate) = (Tally(), Tally())
            world.service.set("a", .init(bytes: bytes, before: { if $0 == 0 { try await gate.wait() } }))
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        arrived.add()
                        return try await world.bytes("a")
                    }
                }
                try await arrived.wait(for: 20)
                gate.add()
                for try await read in group { #expect(read == bytes) }
            }
            #expect(world.service.calls.count == 1)
        }
    }

    @Test("knows by its digest a picture that came under another name, and reads no more of it")
    func sameBytes() async throws {
        try await CacheWorld.with { world in
            world.service.set("a", .init(bytes: bytes))
            _ = try await world.kept("a")
            world.service.set("b", .init(bytes: bytes, hangsBefore: 1))
            let other = try await world.open("b")
            #expect(other.isFile)
            #expect(try await other.bytes() == bytes)
            try await world.service.unfinished.wait()
            #expect(try await world.open("b").isFile)
            #expect(world.service.calls.count == 2)
        }
    }

    @Test("goes on for the others when one leaves; ends when the last one does")
    func leaving() async throws {
        try await CacheWorld.with { world in
            let gate = Tally()
            world.service.set("a", .init(bytes: bytes, before: { if $0 == 50 { try await gate.wait() } }))
            var first: OpenPicture? = try await world.open("a")
            let second = try await world.open("a")
            #expect(try await first?.bytes(0..<10) == Array(bytes[..<10]))
            first = nil
            gate.add()
            #expect(try await second.bytes() == bytes)
            world.service.set("b", .init(bytes: bytes.reversed(), hangsBefore: 50))
            var last: OpenPicture? = try await world.open("b")
            _ = try await last?.bytes(0..<10)
            last = nil
            try await world.service.unfinished.wait()
            #expect(await eventually { (try? world.names().count) == 1 })
            world.service.set("b", .init(bytes: bytes.reversed()))
            #expect(try await world.bytes("b") == bytes.reversed())
        }
    }

    @Test("a reader that is cancelled while it waits leaves at once")
    func cancelled() async throws {
        try await CacheWorld.with { world in
            world.service.set("a", .init(bytes: bytes, hangsBefore: 0))
            let reader = Task { try await world.bytes("a") }
            try await world.service.calls.wait()
            reader.cancel()
            await #expect(throws: (any Error).self) { try await reader.value }
            try await world.service.unfinished.wait()
        }
    }

    @Test("drops what was used longest ago; who reads it reads on")
    func evicts() async throws {
        try await CacheWorld.with(limitBytes: 1_000) { world in
            for number in 0..<4 {
                world.service.set("\(number)", .init(bytes: ScriptedPictures.bytes(300, seed: UInt8(number))))
            }
            let first = try await world.kept("0")
            for number in 1..<4 { _ = try await world.kept("\(number)") }
            #expect(world.cache.usedBytes == 900)
            #expect(await eventually { (try? world.names().count) == 3 })
            #expect(try await first.bytes() == ScriptedPictures.bytes(300))
            #expect(try await world.bytes("0") == ScriptedPictures.bytes(300))
            #expect(world.service.calls.count == 5)
        }
    }

    @Test("after a start knows what is there, and removes what was half written; other files are nobody's business")
    func restart() async throws {
        try await TemporaryFolder.with { folder in
            let path = "\(folder)/cache"
            try await CacheWorld.with(folder: path) { world in
                world.service.set("a", .init(bytes: bytes))
                _ = try await world.kept("a")
                try WholeFile.write([1], to: "\(path)/draft-17")
                try WholeFile.write([1], to: "\(path)/notes.txt")
            }
            let service = ScriptedPictures()
            try await CacheWorld.with(folder: path, service) { world in
                #expect(try world.names() == [ScriptedPictures.digest(bytes), "notes.txt"])
                #expect(world.cache.usedBytes == bytes.count)
                service.set("a", .init(bytes: bytes, hangsBefore: 1))
                #expect(try await world.open("a").isFile)
                try await service.unfinished.wait()
            }
            try await CacheWorld.with(folder: path, limitBytes: 10) { world in
                #expect(world.cache.usedBytes == 0)
                let names = try world.names()
                #expect(names == ["notes.txt"])
            }
        }
    }
}
