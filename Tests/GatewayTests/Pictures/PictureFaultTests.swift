import Contracts
import Glibc
import RPC
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("P37 Faults of the picture cache", .timeLimit(.minutes(3)))
struct PictureFaultTests {
    private let bytes = ScriptedPictures.bytes(200_000)

    @Test("a picture whose bytes are not those announced is not kept, and is asked for anew")
    func damaged() async throws {
        let other = ScriptedPictures.digest([1])
        let damaged: [ScriptedPictures.Picture] = [
            .init(bytes: bytes, sha256: other), .init(bytes: bytes, byteCount: 199_999),
            .init(bytes: bytes, byteCount: 200_001), .init(bytes: bytes, byteCount: 1),
        ]
        for picture in damaged {
            try await CacheWorld.with { world in
                world.service.set("a", picture)
                let error = try await errorOf { try await world.bytes("a") }
                #expect(error?.code == .dataLoss)
                #expect(await eventually { (try? world.names()) == [] })
                world.service.set("a", .init(bytes: bytes))
                #expect(try await world.bytes("a") == bytes)
            }
        }
    }

    @Test("no facts, or a digest that is none, is refused", arguments: ["", "../../x", "ABC"])
    func facts(digest: String) async throws {
        try await CacheWorld.with { world in
            world.service.set("a", .init(bytes: bytes, sha256: digest))
            let error = try await errorOf { try await world.bytes("a") }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("what the photo service refuses is told as it is")
    func refused() async throws {
        try await CacheWorld.with { world in
            let error = try await errorOf { try await world.open("none") }
            #expect(error?.code == .notFound)
            world.service.set("none", .init(bytes: bytes))
            #expect(try await world.bytes("none") == bytes)
        }
    }

    @Test("when the photo service fails in the middle the reader learns it, and the next one begins anew")
    func dies() async throws {
        try await CacheWorld.with { world in
            world.service.set(
                "a",
                .init(
                    bytes: bytes,
                    before: {
                        if $0 == 100 { throw RPCError(.unavailable, "gone") }
                    }))
            let picture = try await world.open("a")
            #expect(try await picture.bytes(0..<50_000) == Array(bytes[..<50_000]))
            #expect(try await errorOf { try await picture.bytes() }?.code == .unavailable)
            #expect(await eventually { (try? world.names()) == [] })
            world.service.set("a", .init(bytes: bytes))
            #expect(try await world.bytes("a") == bytes)
        }
    }

    @Test("whoever empties the folder, or removes it, costs a fetch and no more")
    func emptied() async throws {
        try await CacheWorld.with { world in
            world.service.set("a", .init(bytes: bytes))
            let old = try await world.kept("a")
            unlink("\(world.folder)/\(old.sha256)")
            #expect(try await world.bytes("a") == bytes)
            #expect(try await old.bytes() == bytes)
            _ = try await world.kept("a")
            unlink("\(world.folder)/\(old.sha256)")
            rmdir(world.folder)
            #expect(try await world.bytes("a") == bytes)
            #expect(try await world.kept("a").bytes() == bytes)
            #expect(world.service.calls.count == 3)
            #expect(world.cache.usedBytes == bytes.count)
        }
    }

    @Test("a file of another size is not given")
    func cut() async throws {
        try await CacheWorld.with { world in
            world.service.set("a", .init(bytes: bytes))
            let name = try await world.kept("a").sha256
            try #require(truncate("\(world.folder)/\(name)", 10) == 0)
            #expect(try await world.bytes("a") == bytes)
            #expect(try await world.kept("a").bytes() == bytes)
        }
    }

    @Test("a file that a crash has left with other bytes is not given after the next start")
    func torn() async throws {
        try await TemporaryFolder.with { folder in
            let (path, service) = ("\(folder)/cache", ScriptedPictures())
            service.set("a", .init(bytes: bytes))
            try await CacheWorld.with(folder: path, service) { world in
                let name = try await world.kept("a").sha256
                try WholeFile.write([UInt8](repeating: 0, count: bytes.count), to: "\(path)/\(name)")
            }
            try await CacheWorld.with(folder: path, service) { world in
                #expect(world.cache.usedBytes == bytes.count)
                let read = try await world.bytes("a")
                #expect(read == bytes)
                #expect(try await world.kept("a").bytes() == bytes)
            }
        }
    }

    @Test("without a folder, or for a picture that is too large, the reader gets the picture all the same")
    func uncached() async throws {
        try await TemporaryFolder.with { folder in
            try WholeFile.write([1], to: "\(folder)/file")
            for (path, limit) in [
                ("\(folder)/file", 1_000_000), ("\(folder)/file/b", 1_000_000), ("\(folder)/c", 1_000),
            ] {
                try await CacheWorld.with(folder: path, limitBytes: limit) { world in
                    world.service.set("a", .init(bytes: bytes))
                    for _ in 0..<2 {
                        let picture = try await world.open("a")
                        #expect(try await picture.bytes() == bytes)
                        #expect(try await picture.bytes(1_500..<2_700) == Array(bytes[1_500..<2_700]))
                    }
                    #expect(world.cache.usedBytes == 0)
                }
            }
        }
    }

    @Test(
        "a disk that fills up in the middle of a picture costs the file, not the picture",
        .enabled(if: TinyDisk.isPossible, "only root can mount a file system"))
    func full() async throws {
        try await TemporaryFolder.with { folder in
            try await TinyDisk.with(bytes: 100_000, at: folder) { disk in
                try await CacheWorld.with(folder: "\(disk)/cache") { world in
                    world.service.set("a", .init(bytes: bytes))
                    let read = try await world.bytes("a")
                    #expect(read == bytes)
                    #expect(await eventually { (try? world.names()) == [] })
                    let small = Array(bytes[..<10_000])
                    world.service.set("b", .init(bytes: small))
                    #expect(try await world.kept("b").bytes() == small)
                }
            }
        }
    }
}
