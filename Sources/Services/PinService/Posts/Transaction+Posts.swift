import Geo
import Requests
import Storage
import Stores

// Rows of posts.

extension Transaction {
    /// Stores a post in place of the one that its account had.
    func putPost(_ post: Post) throws(SQLError) {
        try execute(
            """
            INSERT INTO posts (account, id, author, place, link, latitude_e7, longitude_e7, cell, updated_ms, version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (account) DO UPDATE SET id = excluded.id, author = excluded.author, place = excluded.place,
                link = excluded.link, latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                cell = excluded.cell, updated_ms = excluded.updated_ms, version = excluded.version
            """, post.account, post.id, post.author, post.place, post.link, Int64(post.position.latitudeE7),
            Int64(post.position.longitudeE7), Cell.id(of: post.position), post.updatedMilliseconds,
            try nextVersion(of: NearPosts.subject))
    }

    func post(of account: String) throws(SQLError) -> Post? {
        try first(
            """
            SELECT id, account, author, place, link, latitude_e7, longitude_e7, updated_ms FROM posts WHERE account = ?1
            """, account
        ) { row throws(SQLError) in try row.post }
    }

    /// The last posts, the newest first.
    func posts(limit: Int) throws(SQLError) -> [Post] {
        try rows(
            """
            SELECT id, account, author, place, link, latitude_e7, longitude_e7, updated_ms FROM posts
            ORDER BY updated_ms DESC, id LIMIT ?1
            """, limit
        ) { row throws(SQLError) in try row.post }
    }

    /// Returns whether there was one.
    func deletePost(of account: String) throws(SQLError) -> Bool {
        try recordRemovals(postIDs(deletedOf: account))
    }

    /// Deletes the post of an account that goes, and keeps not even its id: those who follow the posts read all again.
    func erasePost(of account: String) throws(SQLError) {
        if try postIDs(deletedOf: account).isEmpty { return }
        try execute(
            """
            INSERT INTO post_removals (id, version) VALUES ('', ?1)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version
            """, try nextVersion(of: NearPosts.subject))
    }

    /// Whether a post was erased since a version.
    func hasErasedPosts(since version: Int64) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM post_removals WHERE id = '' AND version > ?1", version) { row throws(SQLError) in
            try row.integer(0)
        } != nil
    }

    private func postIDs(deletedOf account: String) throws(SQLError) -> [String] {
        try rows("DELETE FROM posts WHERE account = ?1 RETURNING id", account) { row throws(SQLError) in
            try row.text(0)
        }
    }

    func deletePost(_ id: String) throws(SQLError) -> Bool {
        try recordRemovals(
            rows("DELETE FROM posts WHERE id = ?1 RETURNING id", id) { row throws(SQLError) in try row.text(0) })
    }

    private func recordRemovals(_ ids: [String]) throws(SQLError) -> Bool {
        for id in ids {
            let version = try nextVersion(of: NearPosts.subject)
            try execute("INSERT INTO post_removals (id, version) VALUES (?1, ?2)", id, version)
            try execute("DELETE FROM post_removals WHERE version < ?1", version - NearPosts.rememberedVersions)
        }
        return !ids.isEmpty
    }

    /// Posts within the radius, nearest first, and whether there are more.
    func posts(near query: NearQuery) throws(SQLError) -> (posts: [(Post, metres: Double)], isTruncated: Bool) {
        var selection = NearestSelection<String>(
            centre: query.centre, radiusMetres: query.radiusMetres, limit: query.limit)
        let bounds = CellBounds(around: query.centre, radiusMetres: query.radiusMetres)
        let ranges: [(any SQLParameter)?] = bounds.numbers.map { $0 }
        try forEach(
            """
            WITH ranges (first, last) AS (VALUES (CAST(?1 AS BIGINT), CAST(?2 AS BIGINT)), (?3, ?4), (?5, ?6), (?7, ?8),
                (?9, ?10), (?11, ?12), (?13, ?14), (?15, ?16), (?17, ?18), (?19, ?20), (?21, ?22), (?23, ?24),
                (?25, ?26), (?27, ?28), (?29, ?30), (?31, ?32))
            SELECT posts.latitude_e7, posts.longitude_e7, posts.id
            FROM ranges CROSS JOIN posts WHERE posts.cell BETWEEN ranges.first AND ranges.last
            """, parameters: ranges
        ) { row throws(SQLError) in
            try selection.offer(try row.coordinate(0)) { () throws(SQLError) in try row.text(2) }
        }
        var posts: [(Post, metres: Double)] = []
        for hit in selection.nearest {
            if let post = try post(hit.id) { posts.append((post, hit.metres)) }
        }
        return (posts, selection.isTruncated)
    }

    func post(_ id: String) throws(SQLError) -> Post? {
        try first(
            "SELECT id, account, author, place, link, latitude_e7, longitude_e7, updated_ms FROM posts WHERE id = ?1",
            id
        ) { row throws(SQLError) in try row.post }
    }
}

extension Row {
    /// The columns id, account, author, place, link, latitude_e7, longitude_e7, updated_ms.
    fileprivate var post: Post {
        get throws(SQLError) {
            Post(
                id: try text(0), account: try text(1), author: try text(2), place: try text(3), link: try text(4),
                position: try coordinate(5), updatedMilliseconds: try integer(7))
        }
    }
}
