import PhotoContracts
import FieldRules
import Refusals
import Requests

// The fields of requests about albums, validated.

extension AlbumSubject {
    init(request text: String) throws(Refusal) {
        guard let subject = AlbumSubject(text) else {
            throw FieldForm.albumSubject.rule.refusal("subject", text)
        }
        self = subject
    }
}

extension AlbumWatch {
    init(_ request: WatchAlbumRequest, account: String) throws(Refusal) {
        let version = try StoredVersion.checked(request.fromVersion)
        self.init(try AlbumSubject(request: request.subject), account: account, after: version)
    }
}

extension WatchSummariesRequest {
    /// The version to continue from: from the start when the caller's is of other data.
    func cursor(epoch stored: Int64) throws(Refusal) -> Int64 {
        let version = try StoredVersion.checked(fromVersion)
        return UInt64(stored) == epoch ? version : 0
    }
}

/// The version in an answer.
private enum StoredVersion {
    static func checked(_ version: UInt64) throws(Refusal) -> Int64 {
        guard let version = Int64(exactly: version) else {
            throw Refusal("from_version", version, allowed: "`version` of an answer is")
        }
        return version
    }
}

extension AlbumPage {
    init(_ request: GetAlbumRequest, account: String) throws(Refusal) {
        let subject = try AlbumSubject(request: request.subject)
        guard !request.bestFirst || request.pageToken.isEmpty && !request.removed else {
            throw Refusal("best_first", "it is not allowed beside page_token or removed")
        }
        let end = try Self.tokens(subject, isOfRemoved: request.removed).end(in: request.pageToken) {
            Int64(ordinal: $0)
        }
        self.init(
            subject: subject, account: account, after: end ?? .min,
            size: Int(request.pageSize ?? GetAlbumRequest.pageSizeDefault), isOfRemoved: request.removed,
            isBestFirst: request.bestFirst)
    }

    /// The token of the page after a photo's ordinal; empty when there is none. Ordinals are never reused, so a token
    /// stays valid whatever was added, removed or swapped meanwhile.
    func token(after ordinal: Int64?) -> String {
        guard let ordinal else { return "" }
        return Self.tokens(subject, isOfRemoved: isOfRemoved).text(after: Array("\(ordinal)".utf8))
    }

    private static func tokens(_ subject: AlbumSubject, isOfRemoved: Bool) -> PageToken {
        PageToken(of: "photos of \(subject.text) \(isOfRemoved)")
    }
}

extension Int64 {
    fileprivate init?(ordinal bytes: [UInt8]) {
        guard let number = Int64(String(decoding: bytes, as: UTF8.self)) else { return nil }
        self = number
    }
}

extension CollectionWish {
    init(_ request: NewCollectionRequest, account: String) {
        self.init(
            size: Int(request.size ?? NewCollectionRequest.sizeDefault), includesRemoved: request.includeRemoved,
            account: account)
    }
}

extension PhotoID {
    /// The photos that a request names.
    static func all(_ texts: [String]) throws(Refusal) -> [PhotoID] {
        var ids: [PhotoID] = []
        for (index, text) in texts.enumerated() {
            ids.append(try PhotoID(request: text, field: "photo_ids[\(index)]"))
        }
        return ids
    }
}
