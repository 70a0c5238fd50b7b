import Contracts
import EventLoops
import RPC

/// The bytes of a picture that is being fetched. The download continues as long as it has a reader.
final class PictureStream: Sendable {
    /// Bytes per read.
    private static let chunk = 64 << 10

    let download: PictureDownload
    private let blocking: BlockingPool
    /// Fetches the picture for this reader only.
    private let fetch: @Sendable () async throws -> PictureParts
    private let leave: @Sendable () -> Void

    init(
        _ download: PictureDownload, _ blocking: BlockingPool,
        fetch: @escaping @Sendable () async throws -> PictureParts, leave: @escaping @Sendable () -> Void
    ) {
        self.download = download
        self.blocking = blocking
        self.fetch = fetch
        self.leave = leave
    }

    deinit { leave() }

    /// Passes the bytes of a part of the picture to `body`, in order, as they arrive. `range` is within the picture.
    func read(_ range: Range<Int>, _ body: (ArraySlice<UInt8>) async throws -> Void) async throws {
        var start = range.lowerBound
        while start < range.upperBound {
            switch try await download.progress(beyond: start) {
            case .written(let file, let count, let last):
                let end = min(count, range.upperBound)
                let bytes =
                    start >= count - last.count
                    ? last.part(start..<end, of: count - last.count)
                    : try await bytes(of: file, start..<min(end, start + Self.chunk))
                try await body(bytes)
                start += bytes.count
            case .unwritable: return try await readDirectly(start..<range.upperBound, body)
            }
        }
    }

    private func bytes(of file: CachedPictureFile, _ range: Range<Int>) async throws -> ArraySlice<UInt8> {
        let bytes = try await blocking.run { try file.bytes(from: range.lowerBound, limit: range.count) }
        guard !bytes.isEmpty else { throw RPCError(.dataLoss, "a picture in the cache was cut off") }
        return bytes[...]
    }

    private func readDirectly(_ range: Range<Int>, _ body: (ArraySlice<UInt8>) async throws -> Void) async throws {
        let parts = try await parts()
        var position = 0
        var next: ArraySlice<UInt8>? = parts.first
        while let data = next {
            let wanted = range.clamped(to: position..<position + data.count)
            if !wanted.isEmpty { try await body(data.part(wanted, of: position)) }
            position += data.count
            if position >= range.upperBound { return }
            next = try await parts.next()
        }
        throw RPCError(.unavailable, "the picture broke off; ask again")
    }

    private func parts() async throws -> PictureParts {
        if let parts = download.takeParts() { return parts }
        let parts = try await fetch()
        guard parts.facts == (try await download.beginning().facts) else {
            throw RPCError(.unavailable, "the picture was replaced by another one; ask again")
        }
        return parts
    }
}

extension ArraySlice<UInt8> {
    /// The bytes in a range, when the first one's position is `start`.
    fileprivate func part(_ range: Range<Int>, of start: Int) -> ArraySlice<UInt8> {
        dropFirst(range.lowerBound - start).prefix(range.count)
    }
}
