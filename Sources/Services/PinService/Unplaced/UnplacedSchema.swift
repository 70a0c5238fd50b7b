import Storage

/// The table of entries without a position.
enum UnplacedSchema {
    // `number` counts them in their file, so that a reading that is repeated adds none. `lists` has a name in each
    // line.
    static let migration = Migration(
        "0.3.0 entries of files without a position",
        """
        CREATE TABLE unplaced_pins (
            import_id TEXT NOT NULL,
            number BIGINT NOT NULL,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            note TEXT NOT NULL,
            link TEXT NOT NULL,
            visited_day TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            lists TEXT NOT NULL,
            PRIMARY KEY (import_id, number)
        );
        CREATE INDEX unplaced_pins_by_account ON unplaced_pins (account, import_id, number);
        ALTER TABLE pin_imports ADD COLUMN unplaced BIGINT NOT NULL DEFAULT 0;
        """)
}
