import Glibc
import TestSupport
import Testing

@testable import ObjectStore
@testable import Storage

@Suite(
    "Blobs, wherever they are kept", .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"), .timeLimit(.minutes(5)))
struct BlobContractTests {
    private static let part = 8 << 20

    private static func bytes(_ count: Int, seed: Int = 31) -> [UInt8] {
        var (bytes, state) = ([UInt8](), UInt64(seed))
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }

    @Test(
        "come back as they were put, whatever their size", arguments: Engine.tested,
        [0, 1, 300_000, part - 1, part, part + 1, 2 * part + 5])
    func comeBack(engine: Engine, count: Int) async throws {
        try await withBlobs(engine) { blobs in
            let bytes = Self.bytes(count)
            let name = try await blobs.put(bytes)
            let read = try await blobs.read(name, inPartsOf: 1 << 20)
            #expect(name == BlobName(of: bytes))
            #expect(read == bytes)
            let names = try await blobs.allNames()
            #expect(names == [name])
        }
    }

    @Test("are kept once however often they are put, also by many at once", arguments: Engine.tested)
    func once(engine: Engine) async throws {
        try await withBlobs(engine) { blobs in
            try await withThrowingTaskGroup { group in
                for number in 0..<16 {
                    group.addTask { _ = try await blobs.put(Self.bytes(1_000, seed: number / 4)) }
                }
                try await group.waitForAll()
            }
            let names = try await blobs.allNames()
            #expect(Set(names) == Set((0..<4).map { BlobName(of: Self.bytes(1_000, seed: $0)) }))
            #expect(names.count == 4)
        }
    }

    @Test("are read from any place on, behind what the reader puts before them", arguments: Engine.tested)
    func parts(engine: Engine) async throws {
        try await withBlobs(engine) { blobs in
            let bytes = Self.bytes(600_000)
            let name = try await blobs.put(bytes)
            let opened = try await blobs.open(name, count: bytes.count, behind: [7], limit: 1_000)
            #expect(opened.first == [7] + bytes.prefix(1_000))
            for start in [1_000, 500_000, 3, 599_999] {
                let part = try await opened.blob.bytes(behind: [1, 2], from: start, limit: 70_000)
                #expect(part == [1, 2] + bytes[start...].prefix(70_000))
            }
            for start in [600_000, -1, Int.max] {
                let none = try await opened.blob.bytes(behind: [9], from: start, limit: 10)
                #expect(none == [9])
            }
        }
    }

    @Test("that are not there are not found, and removing them is fine", arguments: Engine.tested)
    func missing(engine: Engine) async throws {
        try await withBlobs(engine) { blobs in
            let name = BlobName(of: [9])
            await #expect(throws: BlobError.notFound(name)) { try await blobs.read(name) }
            let isThere = try await blobs.contains(name)
            let isRemoved = try await blobs.remove(name)
            #expect(!isThere && !isRemoved)
        }
    }

    @Test("are removed, unless they were stored since", arguments: Engine.tested)
    func removed(engine: Engine) async throws {
        try await withBlobs(engine) { blobs in
            let name = try await blobs.put([1, 2])
            let tooYoung = try await blobs.remove(name, ifStoredBefore: 1_000)
            let stays = try await blobs.contains(name)
            #expect(!tooYoung && stays)
            let isRemoved = try await blobs.remove(name)
            let isThere = try await blobs.contains(name)
            #expect(isRemoved && !isThere)
        }
    }

    @Test("are listed in pages, each once", arguments: Engine.tested)
    func pages(engine: Engine) async throws {
        var settings = S3Settings.ofTests
        settings.pageObjects = 3
        try await withBlobs(engine, settings: settings) { blobs in
            var put: Set<BlobName> = []
            for number in 0..<10 { put.insert(try await blobs.put([UInt8(number)])) }
            var (names, token, pages): ([BlobName], String?, Int) = ([], nil, 0)
            repeat {
                let page = try await blobs.list(token)
                names += page.blobs.map(\.name)
                (token, pages) = (page.next, pages + 1)
            } while token != nil
            #expect(names.count == 10 && Set(names) == put)
            #expect(pages >= 4)
        }
    }

    @Test("are swept when they are old and not used, by the clock of their store", arguments: Engine.tested)
    func swept(engine: Engine) async throws {
        try await withBlobs(engine) { blobs in
            let used = try await blobs.put([1])
            let unused = try await blobs.put([2])
            let kept = try await blobs.sweep(olderThan: 60_000, now: Self.now()) { _ in [] }
            #expect(kept == BlobSweep(removed: 0, kept: 2, unfinished: 0))
            // Stores count in seconds; a sweep is what shows that one has passed.
            var swept = BlobSweep()
            for _ in 0..<10_000 where swept.removed == 0 {
                swept = try await blobs.sweep(olderThan: 0, now: Self.now()) { _ in [used] }
            }
            #expect(swept == BlobSweep(removed: 1, kept: 1, unfinished: 0))
            let isThere = try await blobs.contains(unused)
            #expect(!isThere)
            let read = try await blobs.read(used)
            #expect(read == [1])
        }
    }

    @Test("are refused when they are not those of their name, and nothing of them stays", arguments: Engine.tested)
    func lies(engine: Engine) async throws {
        try await withBlobs(engine) { blobs in
            for count in [10, Self.part + 10] {
                let name = BlobName(of: [5])
                await #expect(throws: BlobError.damaged(name)) {
                    try await blobs.put(OtherBlob(name: name, held: HeldBlob(Self.bytes(count))))
                }
                let isThere = try await blobs.contains(name)
                #expect(!isThere)
            }
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A blob that is read part by part, which may lie about its name, and about which something is known when it is read.
struct OtherBlob: ReadableBlob {
    let name: BlobName
    let held: HeldBlob
    var whenRead: @Sendable (_ start: Int) async -> Void = { _ in }
    var count: Int { held.count }

    func bytes(behind head: [UInt8], from start: Int, limit: Int) async throws(BlobError) -> [UInt8] {
        await whenRead(start)
        return try await held.bytes(behind: head, from: start, limit: limit)
    }

    func bytesInMemory(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8]? { nil }
}
