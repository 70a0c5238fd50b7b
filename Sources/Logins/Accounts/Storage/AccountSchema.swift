import Storage

/// The tables of accounts.
enum AccountSchema {
    static let migrations = [accounts, apiKeys, mail, identities, passkeys, logOuts]

    /// Secrets are there as digests alone. `roles` is a set of bits, and `deployment_token` the digest of the token in
    /// the operator's file that a session was begun with. `issuer`, `subject` and `provider_session` say whose a
    /// session is at the login provider that it was begun with, and its own session there, if it has named one.
    private static let accounts = Migration(
        "0.2.0 accounts",
        """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            first_name TEXT NOT NULL,
            last_name TEXT NOT NULL,
            password TEXT NOT NULL,
            roles BIGINT NOT NULL,
            is_locked BOOLEAN NOT NULL,
            created_ms BIGINT NOT NULL
        );
        CREATE UNIQUE INDEX accounts_by_email ON accounts (email_key);
        CREATE INDEX accounts_administrators ON accounts (is_locked) WHERE (roles & 16) <> 0;
        CREATE TABLE sessions (
            digest BYTEA PRIMARY KEY,
            id TEXT NOT NULL,
            account TEXT NOT NULL,
            roles BIGINT NOT NULL,
            device TEXT NOT NULL,
            address TEXT NOT NULL,
            created_ms BIGINT NOT NULL,
            used_ms BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL,
            deployment_token BYTEA NOT NULL,
            issuer TEXT,
            subject TEXT,
            provider_session TEXT
        );
        CREATE INDEX sessions_by_account ON sessions (account, used_ms, id);
        CREATE INDEX sessions_by_end ON sessions (expires_ms);
        CREATE INDEX sessions_by_subject ON sessions (issuer, subject) WHERE issuer IS NOT NULL;
        CREATE INDEX sessions_by_provider_session ON sessions (issuer, provider_session) WHERE issuer IS NOT NULL;
        CREATE TABLE account_addresses (
            account TEXT NOT NULL,
            address TEXT NOT NULL,
            used_ms BIGINT NOT NULL,
            PRIMARY KEY (account, address)
        );
        CREATE INDEX account_addresses_by_time ON account_addresses (used_ms);
        CREATE TABLE account_codes (
            digest BYTEA PRIMARY KEY,
            kind TEXT NOT NULL,
            account TEXT NOT NULL,
            expires_ms BIGINT NOT NULL
        );
        CREATE INDEX account_codes_by_account ON account_codes (account, kind);
        CREATE INDEX account_codes_by_end ON account_codes (expires_ms);
        CREATE TABLE log_in_attempts (
            name TEXT PRIMARY KEY,
            failures BIGINT NOT NULL,
            since_ms BIGINT NOT NULL
        );
        CREATE INDEX log_in_attempts_by_time ON log_in_attempts (since_ms);
        CREATE TABLE security_events (
            id TEXT PRIMARY KEY,
            time_ms BIGINT NOT NULL,
            account TEXT NOT NULL,
            kind BIGINT NOT NULL,
            address TEXT NOT NULL,
            device TEXT NOT NULL
        );
        CREATE INDEX security_events_by_account ON security_events (account, time_ms, id);
        CREATE INDEX security_events_by_time ON security_events (time_ms, id);
        """)
}
