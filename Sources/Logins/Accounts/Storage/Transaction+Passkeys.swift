import Storage

extension AccountSchema {
    /// `credential` is the id that the device gave, and `handle` names an account to its passkeys. `used_ms` is 0 for
    /// never.
    static let passkeys = Migration(
        "0.2.0 passkeys",
        """
        CREATE TABLE passkeys (
            credential BYTEA PRIMARY KEY,
            id TEXT NOT NULL,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            public_key BYTEA NOT NULL,
            sign_count BIGINT NOT NULL,
            is_backup_eligible BOOLEAN NOT NULL,
            is_backed_up BOOLEAN NOT NULL,
            created_ms BIGINT NOT NULL,
            used_ms BIGINT NOT NULL
        );
        CREATE INDEX passkeys_by_account ON passkeys (account, created_ms, id);
        CREATE TABLE passkey_users (account TEXT PRIMARY KEY, handle BYTEA NOT NULL);
        CREATE TABLE passkey_challenges (
            digest BYTEA PRIMARY KEY,
            purpose TEXT NOT NULL,
            asker TEXT NOT NULL,
            session TEXT NOT NULL,
            expires_ms BIGINT NOT NULL
        );
        CREATE INDEX passkey_challenges_by_asker ON passkey_challenges (asker, expires_ms);
        CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_ms);
        """)
}

// Rows of passkeys.

extension Transaction {
    func insert(_ passkey: StoredPasskey) throws(SQLError) {
        try execute(
            """
            INSERT INTO passkeys (credential, id, account, name, public_key, sign_count, is_backup_eligible,
                is_backed_up, created_ms, used_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """, passkey.credential, passkey.id, passkey.account, passkey.name, passkey.publicKey,
            Int64(passkey.signCount), passkey.isBackupEligible, passkey.isBackedUp, passkey.createdMilliseconds,
            passkey.usedMilliseconds)
    }

    func passkey(credential: [UInt8]) throws(SQLError) -> StoredPasskey? {
        try first(
            """
            SELECT id, account, name, credential, public_key, sign_count, is_backup_eligible, is_backed_up, created_ms,
                used_ms
            FROM passkeys WHERE credential = ?1
            """, credential
        ) { row throws(SQLError) in try row.passkey }
    }

    /// The newest first.
    func passkeys(of account: String) throws(SQLError) -> [StoredPasskey] {
        try rows(
            """
            SELECT id, account, name, credential, public_key, sign_count, is_backup_eligible, is_backed_up, created_ms,
                used_ms
            FROM passkeys WHERE account = ?1 ORDER BY created_ms DESC, id DESC LIMIT ?2
            """, account, StoredPasskey.maximum
        ) { row throws(SQLError) in try row.passkey }
    }

    /// Returns whether it was as it is here: another use may have come in between, and it may be gone.
    func use(
        _ passkey: StoredPasskey, count: UInt32, isBackedUp: Bool, at time: Int64
    ) throws(SQLError) -> Bool {
        try change(
            """
            UPDATE passkeys SET sign_count = ?4, is_backed_up = ?5, used_ms = ?6
            WHERE credential = ?1 AND id = ?2 AND sign_count = ?3
            """, passkey.credential, passkey.id, Int64(passkey.signCount), Int64(count), isBackedUp, time) > 0
    }

    /// Returns it as it is then; nil when the account has none with this id.
    func renamePasskey(_ id: String, of account: String, to name: String) throws(SQLError) -> StoredPasskey? {
        try first(
            """
            UPDATE passkeys SET name = ?3 WHERE account = ?1 AND id = ?2
            RETURNING id, account, name, credential, public_key, sign_count, is_backup_eligible, is_backed_up,
                created_ms, used_ms
            """, account, id, name
        ) { row throws(SQLError) in try row.passkey }
    }

    /// Returns the name of the one that was removed.
    func removePasskey(_ id: String, of account: String) throws(SQLError) -> String? {
        try first("DELETE FROM passkeys WHERE account = ?1 AND id = ?2 RETURNING name", account, id) {
            row throws(SQLError) in try row.text(0)
        }
    }

    /// Returns how many there were.
    func removePasskeys(of account: String) throws(SQLError) -> Int {
        try change("DELETE FROM passkeys WHERE account = ?1", account)
    }

    /// The id under which passkeys know an account; nil when it never asked for one.
    func passkeyHandle(of account: String) throws(SQLError) -> [UInt8]? {
        try first("SELECT handle FROM passkey_users WHERE account = ?1", account) {
            row throws(SQLError) in try row.blob(0)
        }
    }

    func insertPasskeyHandle(_ handle: [UInt8], of account: String) throws(SQLError) {
        try execute("INSERT INTO passkey_users (account, handle) VALUES (?1, ?2)", account, handle)
    }

    /// When a session was begun by logging in to its account; nil when it has ended, and when it was begun otherwise:
    /// with a token of the deployment, which may do less than the account.
    func logInTime(ofSession id: String, of account: String, at time: Int64) throws(SQLError) -> Int64? {
        try first(
            """
            SELECT s.created_ms FROM sessions AS s JOIN accounts AS a ON a.id = s.account AND a.is_locked = FALSE
            WHERE s.account = ?1 AND s.id = ?2 AND s.expires_ms > ?3 AND length(s.deployment_token) = 0
            """, account, id, time
        ) { row throws(SQLError) in try row.integer(0) }
    }
}

extension Row {
    /// The columns id, account, name, credential, public_key, sign_count, is_backup_eligible, is_backed_up, created_ms,
    /// used_ms.
    fileprivate var passkey: StoredPasskey {
        get throws(SQLError) {
            StoredPasskey(
                id: try text(0), account: try text(1), name: try text(2), credential: try blob(3),
                publicKey: try blob(4), signCount: UInt32(truncatingIfNeeded: try integer(5)),
                isBackupEligible: try bool(6), isBackedUp: try bool(7), createdMilliseconds: try integer(8),
                usedMilliseconds: try integer(9))
        }
    }
}
