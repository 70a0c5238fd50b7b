import Crypto
import EventLoops
import HTTPClient
package import Storage
import TLS

extension S3Blobs {
    /// How often bytes are sent that the store did not receive as they are.
    private static let puts = 3
    /// Parts of an object, as S3 allows.
    private static let parts = 10_000
    /// An object that is no older than this, in milliseconds, is young enough for every grace period.
    private static let youth: Int64 = 10_000

    package func put(_ blob: any ReadableBlob) async throws(BlobError) {
        let can = try await abilities()
        guard blob.count <= bucket.settings.partBytes else { return try await putParts(blob, can) }
        let bytes = try await blob.bytes(behind: [], from: 0, limit: blob.count)
        let (name, hashes) = (blob.name, try await hashes(bytes))
        guard hashes.name == name else { throw .damaged(name) }
        let (key, hash, md5) = (key(of: name), name.text, hashes.md5)
        for attempt in 1...Self.puts {
            let onlyNew = attempt == 1 && can.conditionalPut
            guard let etag = try await bucket.put(key, bytes, hash: hash, onlyNew: onlyNew) else {
                if try await isYoung(blob, md5) { return }
                continue
            }
            if can.namesByMD5, let md5 {
                if etag.lowercased() == md5 { return }
            } else if try await isRight(name, blob.count) {
                return
            }
        }
        throw .failed("the store at \(bucket.address.endpoint) received other bytes than were sent, again and again")
    }

    /// Whether the object that is there is whole, and was stored just now: by a try whose answer was lost, or by
    /// another machine. One that is older is stored again, which makes it young.
    private func isYoung(_ blob: any ReadableBlob, _ md5: String?) async throws(BlobError) -> Bool {
        guard let facts = try await bucket.facts(key(of: blob.name)), let now = facts.now, let md5 else { return false }
        return facts.count == blob.count && facts.etag.lowercased() == md5 && now - facts.modified <= Self.youth
    }

    /// Reads a blob to its end, which compares it with its name.
    private func isRight(_ name: BlobName, _ count: Int) async throws(BlobError) -> Bool {
        do throws(BlobError) {
            let opened = try await open(name, count: count, behind: [], limit: bucket.settings.partBytes)
            for start in stride(from: opened.first.count, to: count, by: bucket.settings.partBytes) {
                _ = try await opened.blob.bytes(behind: [], from: start, limit: bucket.settings.partBytes)
            }
            return true
        } catch {
            guard error.isLoss else { throw error }
            return false
        }
    }

    /// A longer blob never is in memory as a whole, and there is no object before all of its parts are right.
    private func putParts(_ blob: any ReadableBlob, _ can: S3Abilities) async throws(BlobError) {
        let key = key(of: blob.name)
        let size = max(bucket.settings.partBytes, (blob.count + Self.parts - 1) / Self.parts)
        let id = try await bucket.beginParts(key)
        do throws(BlobError) {
            var (digest, etags) = (RunningSHA256(), [String]())
            for start in stride(from: 0, to: blob.count, by: size) {
                let bytes = try await blob.bytes(behind: [], from: start, limit: size)
                let hashes = try await hashes(bytes, digest)
                digest = hashes.digest
                etags.append(try await putPart(key, id, etags.count + 1, bytes, hashes, can))
            }
            guard digest.digest == blob.name.bytes else { throw .damaged(blob.name) }
            try await bucket.endParts(key, id, etags)
        } catch {
            // What can't be dropped now is swept later; the first error says more.
            _ = try? await bucket.dropParts(key, id)
            throw error
        }
        // Parts whose MD5 was compared may still be put together wrongly, and a lost answer may be one of failure.
        guard let facts = try await bucket.facts(key), facts.count == blob.count else {
            throw .failed("the store at \(bucket.address.endpoint) put the parts of a blob together wrongly")
        }
        if !can.namesByMD5, try await !isRight(blob.name, blob.count) { throw .damaged(blob.name) }
    }

    private func putPart(
        _ key: String, _ id: String, _ number: Int, _ bytes: [UInt8], _ hashes: Hashes, _ can: S3Abilities
    ) async throws(BlobError) -> String {
        for _ in 1...Self.puts {
            let etag = try await bucket.putPart(key, id, number, bytes, hash: hashes.name.text)
            guard can.namesByMD5, let md5 = hashes.md5, etag.lowercased() != md5 else { return etag }
        }
        throw .failed("the store at \(bucket.address.endpoint) received other bytes than were sent, again and again")
    }

    private struct Hashes: Sendable {
        let name: BlobName
        let md5: String?
        /// Of all parts so far.
        let digest: RunningSHA256
    }

    /// Takes tens of milliseconds for a whole part, where that may take time.
    private func hashes(
        _ bytes: [UInt8], _ running: RunningSHA256 = RunningSHA256()
    ) async throws(BlobError) -> Hashes {
        do {
            return try await blocking.run {
                var digest = running
                digest.update(bytes[...])
                return Hashes(name: BlobName(of: bytes), md5: MD5.text(bytes[...]), digest: digest)
            }
        } catch {
            throw error is CancellationError ? .cancelled : .failed("there is too much to do: \(error)")
        }
    }
}
