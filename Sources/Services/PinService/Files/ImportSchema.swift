import Storage

/// The tables of imports.
enum ImportSchema {
    // The parts of a file are rows until it was read, so that any replica goes on with it.
    static let migration = Migration(
        "0.2.0 imports of pins",
        """
        CREATE TABLE pin_imports (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            file_name TEXT NOT NULL,
            byte_count BIGINT NOT NULL,
            received_bytes BIGINT NOT NULL,
            state BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            used_ms BIGINT NOT NULL,
            pins BIGINT NOT NULL,
            bad BIGINT NOT NULL,
            passed BIGINT NOT NULL,
            shortened BIGINT NOT NULL,
            done BIGINT NOT NULL,
            added BIGINT NOT NULL,
            removed BIGINT NOT NULL,
            lists BIGINT NOT NULL DEFAULT 0,
            left_out_lists BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX pin_imports_by_account ON pin_imports (account, created_ms, id);
        CREATE INDEX pin_imports_with_file ON pin_imports (used_ms) WHERE state < 3;
        CREATE TABLE pin_import_parts (
            import_id TEXT NOT NULL,
            start BIGINT NOT NULL,
            data BYTEA NOT NULL,
            PRIMARY KEY (import_id, start)
        );
        """)
}
