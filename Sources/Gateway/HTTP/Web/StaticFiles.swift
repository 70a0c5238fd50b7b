import Compression
import Crypto
import FoundationEssentials
import HTTP
import ServiceRuntime

/// The files of the web app, read once at start: what is not in the table can't be reached, whatever a path says.
struct StaticFiles: Sendable {
    /// One file, ready to be sent.
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
        /// The same in gzip, where that is smaller.
        let packed: [UInt8]?
        let tag: String

        init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
            let packed = MediaType.isText(type) && bytes.count >= Gzip.worthwhile ? Gzip.pack(bytes, level: 6) : nil
            self.packed = packed.flatMap { $0.count < bytes.count ? $0 : nil }
            tag = Base64URL.encode(Array(SHA256.digest(bytes).prefix(16)))
        }
    }

    private var files: [String: File] = [:]

    /// Files that are larger than this are none of a web app's.
    private static let limit = 8 << 20

    /// Adds what lies under `folder` and is not hidden, reached under `prefix`. Blocks.
    mutating func add(_ folder: String, under prefix: String, where isWanted: (String) -> Bool = { _ in true }) throws {
        for name in SmallFile.names(under: folder) where isWanted(name) {
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, let type = MediaType.of(name) else { continue }
            files[prefix + name] = File(type: type, bytes: try SmallFile.read("\(folder)/\(name)", limit: Self.limit))
        }
    }

    mutating func add(_ file: File, at path: String) { files[path] = file }

    subscript(path: String) -> File? { files[path] }

    var isEmpty: Bool { files.isEmpty }
}

extension StaticFiles.File {
    /// The answer to a GET. It may be kept, and has to be asked for again: an unchanged one is 304. Parts are given of
    /// the bytes as they are.
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
        return ByteRange.response(to: request, of: bytes.count, tag: tag, headers) { range in
            .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
        }
    }
}
