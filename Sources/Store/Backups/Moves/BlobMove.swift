internal import Crypto
internal import Storage

/// Moves the bytes of pictures from one place to another, and reads all of them there.
struct BlobMove: Sendable {
    /// Blobs that are under way at the same time.
    private static let width = 8
    private static let part = 1 << 20

    let source: any Blobs
    let target: any Blobs
    /// Called with the bytes of each.
    let report: @Sendable (_ bytes: Int) -> Void

    /// Stores what is not there yet. A place that is listed while it is written to may name one twice.
    func copy() async throws {
        try await each { name in
            guard try await !target.contains(name) else { return report(0) }
            let blob = try await source.open(name, count: nil, behind: [], limit: 0).blob
            try await target.put(blob)
            report(blob.count)
        }
    }

    /// Compares the bytes of all with their names; gives how many bytes these are.
    func verify() async throws -> (count: Int, bytes: Int) {
        try await each { name in
            let blob = try await target.open(name, count: nil, behind: [], limit: 0).blob
            var digest = RunningSHA256()
            for start in stride(from: 0, to: blob.count, by: Self.part) {
                digest.update(try await blob.bytes(behind: [], from: start, limit: Self.part)[...])
            }
            guard digest.digest == name.bytes else { throw BlobError.damaged(name) }
            report(blob.count)
            return blob.count
        }
    }

    /// Whether there is any at all.
    static func isEmpty(_ blobs: any Blobs) async throws -> Bool {
        var page: String?
        repeat {
            let found = try await blobs.list(page)
            guard found.blobs.isEmpty else { return false }
            page = found.next
        } while page != nil
        return true
    }

    private func each(_ body: @escaping @Sendable (BlobName) async throws -> Void) async throws {
        _ = try await each { name in
            try await body(name)
            return 0
        }
    }

    private func each(_ body: @escaping @Sendable (BlobName) async throws -> Int) async throws -> (
        count: Int, bytes: Int
    ) {
        var (count, bytes): (Int, Int) = (0, 0)
        var page: String?
        repeat {
            let found = try await source.list(page)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, blob) in found.blobs.enumerated() {
                    if index >= Self.width, let done = try await group.next() { bytes += done }
                    group.addTask { try await body(blob.name) }
                }
                while let done = try await group.next() { bytes += done }
            }
            count += found.blobs.count
            page = found.next
        } while page != nil
        return (count, bytes)
    }
}
