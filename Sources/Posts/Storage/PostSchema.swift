package import Storage

/// The table of posts: one of each account.
package enum PostSchema {
    /// Append-only: a released step is never edited.
    package static let migrations = [
        Migration(
            "0024 posts",
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
                updated_ms BIGINT NOT NULL
            );
            CREATE UNIQUE INDEX posts_by_id ON posts (id);
            CREATE INDEX posts_by_time ON posts (updated_ms, id);
            CREATE INDEX posts_by_cell ON posts (cell, latitude_e7, longitude_e7, id);
            """)
    ]
}
