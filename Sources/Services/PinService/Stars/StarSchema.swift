import Storage

/// The table of stars.
enum StarSchema {
    // Places with a star, as they were when they got it; `ordinal` is their position in the order.
    static let migration = Migration(
        "0.2.0 stars of places",
        """
        CREATE TABLE stars (
            account TEXT NOT NULL,
            place TEXT NOT NULL,
            name TEXT NOT NULL,
            categories TEXT NOT NULL,
            latitude_e7 BIGINT NOT NULL,
            longitude_e7 BIGINT NOT NULL,
            whereabouts TEXT NOT NULL,
            starred_ms BIGINT NOT NULL,
            ordinal BIGINT NOT NULL,
            PRIMARY KEY (account, place)
        );
        CREATE INDEX stars_by_ordinal ON stars (account, ordinal);
        """)
}
