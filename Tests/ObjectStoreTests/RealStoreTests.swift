import EventLoops
import Storage
import TestSupport
import Testing

@testable import ObjectStore

@Suite(
    "Stores that nobody here wrote", .enabled(if: S3Server.isInstalled, "\(S3Server.hint)"), .timeLimit(.minutes(5)))
struct RealStoreTests {
    @Test(
        "are known for what they can: rclone for no conditions, all others for everything",
        arguments: S3Server.Kind.tested)
    func abilities(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace) { blobs in
            let can = try await blobs.abilities()
            #expect(can.lacks == (kind == .rclone ? ["it ignores If-None-Match"] : []))
        }
    }

    @Test("keep nothing of a probe", arguments: S3Server.Kind.tested)
    func probe(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace) { blobs in
            _ = try await blobs.abilities()
            let objects = try await blobs.bucket.list(blobs.bucket.address.prefix, after: nil).objects
            #expect(objects.map(\.key) == [])
        }
    }

    @Test(
        "put an object over no other when asked to, also of many at once",
        arguments: S3Server.Kind.complete)
    func conditions(kind: S3Server.Kind) async throws {
        try await withS3(try S3Server.shared(kind).newPlace) { blobs in
            let bucket = blobs.bucket
            let put = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    let blob = HeldBlob([UInt8(number)])
                    group.addTask {
                        try await bucket.put(
                            "\(bucket.address.prefix)one", blob.bytes, hash: blob.name.text, onlyNew: true) != nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(put == 1)
        }
    }

    @Test("find a bucket by the host's name too", arguments: S3Server.Kind.complete)
    func hosts(kind: S3Server.Kind) async throws {
        let port = try S3Server.shared(kind).port
        let place = "s3://waymark/hosts?endpoint=http://s3.localhost:\(port)&style=host"
        try await withS3(place) { blobs in
            let name = try await blobs.put([1, 2, 3])
            let read = try await blobs.read(name)
            #expect(read == [1, 2, 3])
        }
    }

    @Test(
        "never give other bytes than a blob's, and have the right ones once they are put again",
        arguments: S3Server.Kind.tested, [10, 300_000])
    func damaged(kind: S3Server.Kind, count: Int) async throws {
        try await withS3(try S3Server.shared(kind).newPlace) { blobs in
            let bytes = [UInt8](repeating: 1, count: count)
            let name = try await blobs.put(bytes)
            let other = HeldBlob([UInt8](repeating: 2, count: count))
            _ = try await blobs.bucket.put(blobs.key(of: name), other.bytes, hash: other.name.text)
            await #expect(throws: BlobError.damaged(name)) { try await blobs.read(name, inPartsOf: 1_000) }
            _ = try await blobs.bucket.put(blobs.key(of: name), [3], hash: HeldBlob([3]).name.text)
            await #expect(throws: BlobError.damaged(name)) {
                try await blobs.open(name, count: count, behind: [], limit: 1)
            }
            _ = try await blobs.put(bytes)
            let read = try await blobs.read(name)
            #expect(read == bytes)
        }
    }

    @Test("refuse a wrong secret, and the sentence does not hold it", arguments: S3Server.Kind.tested)
    func wrongSecret(kind: S3Server.Kind) async throws {
        let server = try S3Server.shared(kind)
        try await withS3(server.newPlace, secret: "mistaken") { blobs in
            let error = await #expect(throws: BlobError.self) { try await blobs.abilities() }
            #expect(
                error?.refusal
                    == "the store at http://127.0.0.1:\(server.port) refuses the signature; correct the secret of the"
                    + " access key")
        }
    }

    @Test(
        "refuse what has no rights, do not know the key, or have no such bucket, each with what to do",
        arguments: S3Server.Kind.complete)
    func refusals(kind: S3Server.Kind) async throws {
        let server = try S3Server.shared(kind)
        let store = "http://127.0.0.1:\(server.port)"
        try await withS3(server.newPlace, keyID: S3Server.readerKeyID) { blobs in
            let error = await #expect(throws: BlobError.self) { _ = try await blobs.put([1]) }
            #expect(
                error?.refusal
                    == "the access key has no right to do this in the bucket waymark at \(store); give it s3:PutObject")
        }
        try await withS3(server.newPlace, keyID: "STRANGER") { blobs in
            let error = await #expect(throws: BlobError.self) { try await blobs.abilities() }
            #expect(error?.refusal == "the store at \(store) does not know the access key; correct its id")
        }
        try await withS3(server.address(bucket: "nowhere")) { blobs in
            let error = await #expect(throws: BlobError.self) { try await blobs.abilities() }
            #expect(
                error?.refusal == "there is no bucket nowhere at \(store); make it, or correct the address")
        }
    }

    @Test("that are killed in the middle of a put have nothing of it, are away, and take it when they are back")
    func killed() async throws {
        let server = try S3Server(.seaweedFS)
        var settings = S3Settings.ofTests
        settings.partBytes = 5 << 20
        try await withS3(server.newPlace, settings: settings) { blobs in
            let earlier = try await blobs.put([1, 2, 3])
            let held = HeldBlob([UInt8](repeating: 7, count: 12 << 20))
            let error = await #expect(throws: BlobError.self) {
                try await blobs.put(
                    OtherBlob(name: held.name, held: held) { start in
                        if start > 5 << 20 { try? server.kill() }
                    })
            }
            #expect(error?.absence?.hasPrefix("the store at http://127.0.0.1:\(server.port) ") == true)
            let away = await #expect(throws: BlobError.self) { try await blobs.contains(held.name) }
            #expect(away?.absence != nil)
            try server.start()
            let names = try await eventually { () async throws(BlobError) in try await blobs.allNames() }
            #expect(names == [earlier])
            let removed = try await blobs.removeUnfinished(before: .max)
            #expect(removed == 1)
            try await blobs.put(held)
            let read = try await blobs.read(held.name)
            #expect(read == held.bytes)
        }
    }

    /// What a store answers once it is back.
    private func eventually<Value>(_ body: () async throws(BlobError) -> Value) async throws -> Value {
        let end = MonotonicTime.now + .seconds(30)
        while true {
            do throws(BlobError) {
                return try await body()
            } catch {
                guard error.absence != nil, .now < end else { throw error }
                await Task.yield()
            }
        }
    }

    @Test("give a blob over a connection that breaks again and again", arguments: S3Server.Kind.complete)
    func breaking(kind: S3Server.Kind) async throws {
        let server = try S3Server.shared(kind)
        let prefix = "breaking-\(UInt32.random(in: 0 ... .max))"
        let held = HeldBlob((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await withS3(server.address(prefix: prefix)) { try await $0.put(held) }
        try await FaultProxy.with(to: server.port, .reset(after: 300_000)) { proxy in
            let address = "s3://waymark/\(prefix)?endpoint=http://127.0.0.1:\(proxy.endpoint.port)"
            try await withS3(address) { blobs in
                let read = try await blobs.read(held.name, inPartsOf: 100_000)
                #expect(read == held.bytes)
            }
        }
    }
}
