import Storage

/// The tables of lists.
enum ListSchema {
    // A row of `list_pins` is a pin in a list; `pin_count` is how many of a list there are. `imported_by` is the import
    // that made a list, until its owner has changed it.
    static let migration = Migration(
        "0.2.0 lists of pins",
        """
        CREATE TABLE lists (
            id BYTEA PRIMARY KEY,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            colour BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            pin_count BIGINT NOT NULL,
            imported_by TEXT NOT NULL DEFAULT ''
        );
        CREATE INDEX lists_by_account ON lists (account, created_ms, id);
        CREATE TABLE list_pins (
            list BYTEA NOT NULL,
            pin BYTEA NOT NULL,
            added_ms BIGINT NOT NULL,
            PRIMARY KEY (list, pin)
        );
        CREATE INDEX list_pins_by_time ON list_pins (list, added_ms, pin);
        CREATE INDEX list_pins_by_pin ON list_pins (pin, list);
        """)
}
