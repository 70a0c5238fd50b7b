import Storage

/// The table of posts: one of each account.
enum PostSchema {
    /// Those who keep positions in memory read what has changed by version, and of deleted posts the ids.
    static let migration = Migration(
        "0.2.0 posts",
        """
        CREATE TABLE posts (
            account TEXT PRIMARY KEY,
            id TEXT NOT NULL,
            author TEXT NOT NULL,
            place TEXT NOT NULL,
            link TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            cell BIGINT NOT NULL,
            updated_ms BIGINT NOT NULL,
            version BIGINT NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX posts_by_id ON posts (id);
        CREATE INDEX posts_by_time ON posts (updated_ms, id);
        CREATE INDEX posts_by_cell ON posts (cell, latitude_e7, longitude_e7, id);
        CREATE INDEX posts_by_version ON posts (version);
        CREATE TABLE post_removals (id TEXT PRIMARY KEY, version BIGINT NOT NULL);
        CREATE INDEX post_removals_by_version ON post_removals (version);
        """)
}
