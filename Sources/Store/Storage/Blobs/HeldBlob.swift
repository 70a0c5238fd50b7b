/// A blob whose bytes are in memory.
package struct HeldBlob: ReadableBlob {
    package let name: BlobName
    package let bytes: [UInt8]

    /// Hashes the bytes, some milliseconds for each MiB.
    package init(_ bytes: [UInt8]) {
        name = BlobName(of: bytes)
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    package func bytes(behind head: [UInt8], from start: Int, limit: Int) async throws(BlobError) -> [UInt8] {
        part(behind: head, from: start, limit: limit)
    }

    package func bytesInMemory(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8]? {
        part(behind: head, from: start, limit: limit)
    }

    /// All of them without a copy.
    private func part(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8] {
        if head.isEmpty, start == 0, limit >= bytes.count { return bytes }
        return head + bytes.dropFirst(start < 0 ? bytes.count : start).prefix(max(0, limit))
    }
}
