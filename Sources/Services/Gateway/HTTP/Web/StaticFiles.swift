import Bytes
import Compression
import Crypto
import Daemon
import Files
import FoundationEssentials
import HTTP

/// The files of the web app, read once at start: a file that is not in the table can't be reached, whatever the path.
struct StaticFiles: Sendable {
    /// One file, ready to send.
    struct File: Sendable {
        let type: String
        private let whole: Whole
        /// The same compressed with gzip, if that is smaller.
        let packed: [UInt8]?
        let tag: String

        /// - Parameter file: where the bytes are, when they are not to be kept in memory.
        init(type: String, bytes: [UInt8], file: HTTPFile? = nil) {
            self.type = type
            whole = file.map { .file($0, count: bytes.count) } ?? .bytes(bytes)
            packed = Self.packed(bytes, type)
            tag = Base64URL.encode(Array(SHA256.digest(bytes).prefix(16)))
        }

        /// A script that was put together.
        init(script: String) { self.init(type: "text/javascript; charset=utf-8", bytes: Array(script.utf8)) }

        /// A style sheet that was put together.
        init(sheet: String) { self.init(type: "text/css; charset=utf-8", bytes: Array(sheet.utf8)) }

        private static func packed(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
            guard MediaType.isText(type), bytes.count >= Gzip.worthwhile else { return nil }
            let packed = Gzip.pack(bytes, level: 6)
            // The compressor's buffer has room for the worst case; this copy has none to spare.
            return packed.count < bytes.count ? unsafe packed.withUnsafeBytes { unsafe [UInt8]($0) } : nil
        }
    }

    /// The uncompressed bytes of a file.
    private enum Whole {
        case bytes([UInt8])
        /// Read when they are sent: most clients take the compressed form.
        case file(HTTPFile, count: Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let count): count
            }
        }

        func body(_ range: Range<Int>) -> HTTPResponse.Body {
            switch self {
            case .bytes(let bytes): .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
            case .file(let file, _): .file(file, offset: range.lowerBound, count: range.count)
            }
        }
    }

    /// By their paths.
    private(set) var all: [String: File] = [:]

    /// A file larger than this is not part of a web app.
    private static let limit = 8 << 20
    /// Files larger than this are not kept in memory.
    private static let maximumInMemory = 32 << 10

    /// Adds the files below `folder` that are not hidden, served under `prefix`. Blocks.
    mutating func add(_ folder: String, under prefix: String, where isWanted: (String) -> Bool = { _ in true }) throws {
        for name in try SmallFile.names(under: folder) where isWanted(name) {
            let isHidden = name.split(at: "/").contains { $0.begins(with: ".") }
            guard !isHidden, let type = MediaType.of(name) else { continue }
            let path = "\(folder)/\(name)"
            // Opened once: a file that replaces it later has another tag and length.
            let file = HTTPFile(owning: try SmallFile.open(path))
            let bytes = try SmallFile.read(file.descriptor, path, limit: Self.limit)
            all[prefix + name] = File(type: type, bytes: bytes, file: bytes.count > Self.maximumInMemory ? file : nil)
        }
    }

    mutating func add(_ file: File, at path: String) { all[path] = file }
}

extension StaticFiles.File {
    /// The answer to a GET. It may be cached, but must be revalidated: an unchanged file is a 304. Ranges are of the
    /// uncompressed bytes.
    func response(to request: HTTPRequest) -> HTTPResponse {
        let packed = request.headers["range"] == nil && request.headers.accepts(gzip: "accept-encoding") ? packed : nil
        // Other bytes need another tag.
        let tag = packed == nil ? "\"\(tag)\"" : "\"\(tag)-gzip\""
        var headers: HTTPFields = [
            ("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"), ("Accept-Ranges", "bytes"),
        ]
        if EntityTag.isNamed(tag, by: request.headers["if-none-match"]) { return HTTPResponse(304, headers: headers) }
        headers.add("Content-Type", type)
        if let packed {
            headers.add("Content-Encoding", "gzip")
            return HTTPResponse(200, headers: headers, body: .bytes(packed))
        }
        return ByteRange.response(to: request, of: whole.count, tag: tag, headers) { whole.body($0) }
    }
}
