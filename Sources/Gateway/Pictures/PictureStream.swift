import Contracts
import EventLoops
import RPC

/// The bytes of a picture that is on its way. As long as one of its readers is there, it is fetched.
final class PictureStream: Sendable {
    /// Bytes that are read at once.
    private static let chunk = 64 << 10

    let download: PictureDownload
    private let blocking: BlockingPool
    /// Fetches the picture for this reader alone.
    private let fetch: @Sendable () -> ResponseStream<GetPictureResponse>
    private let leave: @Sendable () -> Void

    init(
        _ download: PictureDownload, _ blocking: BlockingPool,
        fetch: @escaping @Sendable () -> ResponseStream<GetPictureResponse>, leave: @escaping @Sendable () -> Void
    ) {
        self.download = download
        self.blocking = blocking
        self.fetch = fetch
        self.leave = leave
    }

    deinit { leave() }

    /// Gives the bytes of a part of the picture to `body`, in order, as they come. `range` is within the picture.
    func read(_ range: Range<Int>, _ body: ([UInt8]) async throws -> Void) async throws {
        var start = range.lowerBound
        while start < range.upperBound {
            switch try await download.progress(beyond: start) {
            case .written(let file, let count):
                let (from, limit) = (start, min(count, range.upperBound, start + Self.chunk) - start)
                let bytes = try await blocking.run { try file.bytes(from: from, limit: limit) }
                guard !bytes.isEmpty else { throw RPCError(.dataLoss, "a picture in the cache was cut off") }
                try await body(bytes)
                start += bytes.count
            case .unwritable: return try await readDirectly(start..<range.upperBound, body)
            }
        }
    }

    private func readDirectly(_ range: Range<Int>, _ body: ([UInt8]) async throws -> Void) async throws {
        let facts = try await download.beginning().facts
        var position = 0
        for try await part in fetch() {
            if let info = part.info, info.sha256 != facts.sha256 {
                throw RPCError(.unavailable, "the picture was replaced by another one; ask again")
            }
            let wanted = range.clamped(to: position..<position + part.data.count)
            if !wanted.isEmpty {
                try await body(Array(part.data[wanted.lowerBound - position..<wanted.upperBound - position]))
            }
            position += part.data.count
            if position >= range.upperBound { return }
        }
        throw RPCError(.unavailable, "the picture ended before its end; ask again")
    }
}
