import Contracts
import Daemon
import RPC

extension AlbumSubject {
    init(request text: String) throws(RPCError) {
        guard let subject = AlbumSubject(text) else {
            throw .invalid(
                "subject",
                "\"\(text.prefix(100))\" is given, \"pin/<id of the pin>\" or \"place/<id of the place>\" is needed")
        }
        self = subject
    }
}

extension AlbumWatch {
    init(_ request: WatchAlbumRequest, account: String) throws(RPCError) {
        guard let version = Int64(exactly: request.fromVersion) else {
            throw .invalid("from_version", "\(request.fromVersion) is given, `version` of an answer is needed")
        }
        self.init(try AlbumSubject(request: request.subject), account: account, after: version)
    }
}

extension AlbumPage {
    init(_ request: GetAlbumRequest, account: String) throws(RPCError) {
        let size = request.pageSize ?? Self.sizeRange.upperBound
        guard Self.sizeRange.contains(size) else {
            throw .invalid("page_size", "\(size) is given, 1 to 250 photos are allowed")
        }
        self.init(
            subject: try AlbumSubject(request: request.subject), account: account,
            after: try AlbumPageToken.ordinal(request.pageToken), size: Int(size), isOfRemoved: request.removed)
    }
}

/// Where a page of an album ended, in a form that clients carry without looking into it. Ordinals are never used twice,
/// so a token leads on through whatever was added, removed or swapped meanwhile.
enum AlbumPageToken {
    /// -1 for an empty token.
    static func ordinal(_ text: String) throws(RPCError) -> Int64 {
        if text.isEmpty { return -1 }
        guard let bytes = Base64URL.decode(text), let number = Int64(String(decoding: bytes, as: UTF8.self)),
            number >= 0
        else { throw .invalid("page_token", "\"\(text.prefix(50))\" is none that an answer gave") }
        return number
    }

    static func text(_ ordinal: Int64?) -> String {
        ordinal.map { Base64URL.encode(Array("\($0)".utf8)) } ?? ""
    }
}

extension CollectionWish {
    init(_ request: NewCollectionRequest, account: String) throws(RPCError) {
        let size = request.size ?? Self.defaultSize
        guard Self.sizeRange.contains(size) else {
            throw .invalid("size", "\(size) is given, 1 to 250 photos are allowed")
        }
        self.init(size: Int(size), includesRemoved: request.includeRemoved, account: account)
    }
}

/// The photos that a request names.
enum NamedPhotos {
    static let limit = 250

    static func ids(_ texts: [String]) throws -> [PhotoID] {
        guard texts.count <= limit else {
            throw RPCError.invalid("photo_ids", "\(texts.count) are given, at most \(limit) are allowed")
        }
        return try texts.enumerated().map { try PhotoID(request: $1, field: "photo_ids[\($0)]") }
    }
}
