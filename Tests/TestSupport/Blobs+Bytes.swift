package import Storage

extension Blobs {
    /// Stores bytes.
    package func put(_ bytes: [UInt8]) async throws(BlobError) -> BlobName {
        let blob = HeldBlob(bytes)
        try await put(blob)
        return blob.name
    }

    /// All bytes of a blob, read in parts of so many.
    package func read(_ name: BlobName, inPartsOf part: Int = 1 << 20) async throws(BlobError) -> [UInt8] {
        let opened = try await open(name, count: nil, behind: [], limit: part)
        var bytes = opened.first
        while bytes.count < opened.blob.count {
            bytes = try await opened.blob.bytes(behind: bytes, from: bytes.count, limit: part)
        }
        return bytes
    }

    package func remove(_ name: BlobName) async throws(BlobError) -> Bool {
        try await remove(name, ifStoredBefore: .max)
    }

    /// The names of all blobs, page by page.
    package func allNames() async throws(BlobError) -> [BlobName] {
        var (names, token): ([BlobName], String?) = ([], nil)
        repeat {
            let page = try await list(token)
            names += page.blobs.map(\.name)
            token = page.next
        } while token != nil
        return names
    }
}
