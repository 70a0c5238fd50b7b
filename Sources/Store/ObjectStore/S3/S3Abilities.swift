import Bytes
import HTTPClient
import Storage
import TLS

/// What a store can and can't, found out by trying.
package struct S3Abilities: Equatable, Sendable {
    /// Whether it refuses to put an object over another when asked to. Without, a put that was repeated overwrites what
    /// the same bytes have stored already, which costs a transfer and nothing else.
    package internal(set) var conditionalPut = false
    /// Whether it names what it received by its MD5. Without, everything that was put is read back.
    package internal(set) var namesByMD5 = false
    /// Whether it gives an object from a byte in the middle on. Without, a transfer that broke off fails.
    package internal(set) var ranges = false
    /// Whether it refuses who has no key.
    package internal(set) var asksForKeys = false

    /// What it can't, in words for the log; empty when nothing is missing.
    package var lacks: [String] {
        [
            conditionalPut ? nil : "it ignores If-None-Match",
            namesByMD5 ? nil : "it does not say the MD5 of what it received; all is read back",
            ranges ? nil : "it gives no parts of objects",
            asksForKeys ? nil : "it gives objects to everyone, without a key",
        ].compactMap(\.self)
    }
}

extension S3Bucket {
    /// Tries on an object of its own, which is removed, what the store can. A store that can't be used at all is an
    /// error that says what to do.
    func probe() async throws(BlobError) -> S3Abilities {
        let key = "\(address.prefix)probe/\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let blob = HeldBlob(Array("what this store can\n".utf8))
        var can = S3Abilities()
        _ = try await list("\(address.prefix)probe/", after: nil)
        guard let etag = try await put(key, blob.bytes, hash: blob.name.text) else { throw strange("a PUT") }
        can.namesByMD5 = etag.lowercased() == MD5.text(blob.bytes[...])
        can.conditionalPut = try await put(key, blob.bytes, hash: blob.name.text, onlyNew: true) == nil
        can.ranges = try await givesParts(of: key, blob.bytes)
        var unsigned = S3Request("GET", key, right: "s3:GetObject")
        unsigned.isSigned = false
        can.asksForKeys = try await !isAnswered(unsigned)
        try await delete(key)
        return can
    }

    private func givesParts(of key: String, _ bytes: [UInt8]) async throws(BlobError) -> Bool {
        var request = S3Request("GET", key, right: "s3:GetObject")
        request.headers.append(("Range", "bytes=5-"))
        let answer = try await send(request)
        return answer.headers["content-range"]?.begins(with: "bytes 5-") == true && answer.body == Array(bytes[5...])
    }

    private func isAnswered(_ request: S3Request) async throws(BlobError) -> Bool {
        do throws(BlobError) {
            return try await send(request).status == 200
        } catch {
            guard case .refused = error else { throw error }
            return false
        }
    }
}
