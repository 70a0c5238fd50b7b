import Bytes
import PinContracts
import Geo
import NearRows
import Requests
import Storage
import Stores
import Wire

/// Posts as rows that are searched from memory: all accounts see all. All changes are one subject's.
struct NearPosts: NearTable {
    /// `Post.distance_m`.
    let distance = DistanceField(8, omitsZero: true)
    /// No account has this name.
    static let subject = "all posts"
    /// How many versions back deleted posts are remembered. An index that is further behind is made again.
    static let rememberedVersions: Int64 = 100_000

    let content = "posts"
    let isOrderedByPointID = false

    func subject(of account: String) -> String { Self.subject }

    func owners(seenBy account: String) -> [String] { [""] }

    func load(_ transaction: borrowing Transaction) throws(SQLError) -> [LoadedPoints] {
        var points: [IndexedPoint] = []
        try transaction.scan("SELECT id, latitude_e7, longitude_e7 FROM posts") { row throws(SQLError) in
            points.append(IndexedPoint(try row.postPoint(0), at: try row.coordinate(1)))
        }
        let version = try transaction.lastVersion(of: Self.subject)
        return [LoadedPoints(of: Self.subject, version: version, ["": points])]
    }

    func changes(
        of subject: String, above version: Int64, atMost limit: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> PointChanges {
        let remembered = try transaction.lastVersion(of: subject) - Self.rememberedVersions
        let isWhole = version < max(0, remembered) ? true : try transaction.hasErasedPosts(since: version)
        var changes = PointChanges(isWhole: isWhole, messages: .all)
        if !isWhole {
            try transaction.forEach("SELECT id FROM post_removals WHERE version > ?1 LIMIT ?2", version, limit) {
                row throws(SQLError) in changes.put(try row.postPoint(0), of: "", at: nil)
            }
        }
        try transaction.forEach(
            "SELECT id, latitude_e7, longitude_e7 FROM posts WHERE version > ?1 LIMIT ?2", isWhole ? -1 : version,
            limit
        ) { row throws(SQLError) in changes.put(try row.postPoint(0), of: "", at: try row.coordinate(1)) }
        return changes
    }

    func row(
        _ id: PointID, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearRow? {
        let text = Base64URL.encode(BigEndian.bytes(id.high) + BigEndian.bytes(id.low))
        return try transaction.post(text).map { NearRow($0, for: account) }
    }

    func nearest(
        _ query: NearQuery, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearHits {
        let found = try transaction.posts(near: query)
        return NearHits(
            found.posts.map { NearHits.Hit(NearRow($0, for: account), metres: $1) }, isTruncated: found.isTruncated)
    }
}

extension NearRow {
    fileprivate init(_ post: Post, for account: String) {
        self.init(
            id: post.id, position: post.position, message: PinContracts.Post(post, for: account).packedBytes())
    }
}

extension Row {
    /// From a column with the id of a post: 16 bytes, as text.
    fileprivate func postPoint(_ column: Int) throws(SQLError) -> PointID {
        let text = try text(column)
        guard let bytes = Base64URL.decode(text), bytes.count == 16 else {
            throw SQLError(.corrupt, "a stored post has the id \(text), which is none")
        }
        return PointID(high: BigEndian.number(bytes[..<8]), low: BigEndian.number(bytes[8...]))
    }
}
