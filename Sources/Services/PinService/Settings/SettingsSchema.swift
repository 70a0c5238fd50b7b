import Storage

/// The table of what accounts have chosen.
enum SettingsSchema {
    // `networks` is '' before the first choice, '*' for all, or their names; "-folder" says that the folder of pictures
    // was declined.
    static let migration = Migration(
        "0.2.0 settings of accounts",
        """
        CREATE TABLE account_settings (
            account TEXT PRIMARY KEY,
            networks TEXT NOT NULL,
            units BIGINT NOT NULL,
            language TEXT NOT NULL,
            start_view BIGINT NOT NULL,
            version BIGINT NOT NULL
        );
        """)
}
