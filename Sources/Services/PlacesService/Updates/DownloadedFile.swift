import EventLoops
import HTTPClient

/// A file that is fetched from elsewhere.
enum DownloadedFile {
    private static let longestSilence: Duration = .seconds(60)
    /// Bytes that are written at once.
    private static let pieceBytes = 1 << 20

    static func newPath(in folder: String) -> String { "\(folder)/\(UInt64.random(in: 0 ... .max)).fetched" }

    /// Fetches it to `path`.
    /// - Parameter limit: the most bytes that it may have.
    static func fetch(
        _ request: HTTPClientRequest, to path: String, limit: UInt64, _ client: HTTPClient, _ blocking: BlockingPool
    ) async throws {
        var request = request
        request.timeout = longestSilence
        // What is packed stays so: it is the file.
        request.headers.append(("Accept-Encoding", "identity"))
        request.maximumBytes = Int(clamping: limit)
        let answer = try await client.open(request)
        guard answer.status == 200 else { throw UpdateProblem.status(answer.status, request.url) }
        let file = try await blocking.run { try DraftFile(path) }
        var (piece, offset) = ([UInt8](), 0)
        while true {
            let bytes = try await answer.next()
            piece += bytes
            guard UInt64(offset + piece.count) <= limit else {
                throw PlacesError.badFile(reason: "\(request.url) has more than \(limit) bytes")
            }
            guard bytes.isEmpty || piece.count >= pieceBytes else { continue }
            try await blocking.run { [piece, offset] in try file.write(piece, at: offset) }
            offset += piece.count
            piece = []
            if bytes.isEmpty { return }
        }
    }
}
