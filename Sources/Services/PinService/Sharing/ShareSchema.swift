import Storage

/// The tables of links that show a pin or a list, and of what accounts share with each other.
enum ShareSchema {
    static let migrations = [shares, grants]

    // A share shows a pin, its album alone, or a list.
    private static let shares = Migration(
        "0.2.0 shares",
        """
        CREATE TABLE shares (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            subject BYTEA NOT NULL,
            created_ms BIGINT NOT NULL,
            expires_ms BIGINT,
            password TEXT NOT NULL,
            with_note BOOLEAN NOT NULL,
            with_immich BOOLEAN NOT NULL,
            opened BIGINT NOT NULL,
            opened_ms BIGINT,
            is_list BOOLEAN NOT NULL DEFAULT FALSE,
            album_only BOOLEAN NOT NULL DEFAULT FALSE
        );
        CREATE INDEX shares_by_account ON shares (account, created_ms, id);
        CREATE INDEX shares_by_pin ON shares (subject);
        """)

    // A pin or a list that an account shares with the one of an e-mail address; `guest` is '' when there was none.
    private static let grants = Migration(
        "0.2.0 grants",
        """
        CREATE TABLE grants (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            subject BYTEA NOT NULL,
            is_list BOOLEAN NOT NULL,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            guest TEXT NOT NULL,
            access BIGINT NOT NULL,
            created_ms BIGINT NOT NULL
        );
        CREATE UNIQUE INDEX grants_by_subject ON grants (subject, email_key);
        CREATE INDEX grants_by_account ON grants (account, created_ms, id);
        CREATE INDEX grants_by_guest ON grants (guest, created_ms, id);
        """)
}
