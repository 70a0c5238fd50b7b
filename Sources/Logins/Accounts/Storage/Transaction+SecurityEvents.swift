package import Storage

/// Something that matters for an account's security.
package struct SecurityEvent: Equatable, Sendable {
    /// The numbers are those of the .proto.
    package enum Kind: Int64, Sendable {
        case signedUp = 1
        case loggedIn, logInFailed, loggedOut, passwordChanged, passwordReset, sessionsRevoked, resetCodeMade, locked
        case unlocked, rolesChanged, keyMade, keyRevoked
        case resetMailed = 30
        case invitationMailed, mailFailed
        case passkeyAdded = 20
        case passkeyRemoved, passkeyLoggedIn, passkeyCopied, passkeysCleared
        case identityLinked = 40
        case identityUnlinked, providerLoggedOut
        case shareCreated = 50
        case shareDeleted, shareRefused, grantCreated, grantDeleted

        /// Whether it names something of the account's own, such as a pin.
        var isAboutOwnThings: Bool {
            switch self {
            case .shareCreated, .shareDeleted, .shareRefused, .grantCreated, .grantDeleted: true
            default: false
            }
        }
    }

    let id: String
    /// Milliseconds since 1970.
    let time: Int64
    let kind: Kind
    /// Empty when an e-mail address has none.
    let account: String
    var address = ""
    var device = ""
}

extension SecurityEvent {
    /// As an administrator reads it: what an account calls its pins and lists is its own.
    var forAdministrators: SecurityEvent {
        var event = self
        if kind.isAboutOwnThings { event.device = "" }
        return event
    }

    /// Something that an account's owner reads of, and that happens at `time`, in milliseconds since 1970.
    package init(_ kind: Kind, of account: String, from address: String, about what: String, at time: Int64) {
        self.init(id: RandomID.make(), time: time, kind: kind, account: account, address: address, device: what)
    }
}

extension Transaction {
    package func record(_ event: SecurityEvent) throws(SQLError) {
        try execute(
            """
            INSERT INTO security_events (id, time_ms, account, kind, address, device) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, event.id, event.time, event.account, event.kind.rawValue, event.address, event.device)
    }

    /// The newest events of an account.
    func securityEvents(of account: String, limit: Int) throws(SQLError) -> [SecurityEvent] {
        try rows(
            """
            SELECT id, time_ms, account, kind, address, device FROM security_events WHERE account = ?1
            ORDER BY time_ms DESC, id DESC LIMIT ?2
            """, account, limit
        ) { row throws(SQLError) in try row.securityEvent }.compactMap(\.self)
    }

    /// The newest events of all accounts.
    func securityEvents(limit: Int) throws(SQLError) -> [SecurityEvent] {
        try rows(
            """
            SELECT id, time_ms, account, kind, address, device FROM security_events
            ORDER BY time_ms DESC, id DESC LIMIT ?1
            """, limit
        ) { row throws(SQLError) in try row.securityEvent }.compactMap(\.self)
    }

    /// Deletes some of what no longer counts: ended sessions and codes, old counts and events. Returns how much.
    func deleteExpired(at time: Int64, _ lifetimes: Lifetimes, limit: Int) throws(SQLError) -> Int {
        let old = time - lifetimes.memory
        var count = try change(
            """
            DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions WHERE expires_ms <= ?1 LIMIT ?2)
            """, time, limit)
        count += try deleteExpiredKeys(at: time)
        count += try deleteOldMail(before: time - 2 * QueuedMail.life)
        count += try deleteExpiredPasskeyChallenges(at: time, limit: limit)
        count += try deleteExpiredLogins(at: time)
        count += try deleteExpiredLogOuts(at: time)
        count += try change("DELETE FROM account_codes WHERE expires_ms <= ?1", time)
        count += try change(
            """
            DELETE FROM log_in_attempts WHERE name IN
                (SELECT name FROM log_in_attempts WHERE since_ms <= ?1 LIMIT ?2)
            """, time - 86_400_000, limit)
        count += try change(
            """
            DELETE FROM security_events WHERE id IN (SELECT id FROM security_events WHERE time_ms <= ?1 LIMIT ?2)
            """, old, limit)
        count += try change("DELETE FROM account_addresses WHERE used_ms <= ?1", old)
        return count
    }
}

extension Row {
    /// Nil for a kind that a later version of the program has stored.
    fileprivate var securityEvent: SecurityEvent? {
        get throws(SQLError) {
            guard let kind = SecurityEvent.Kind(rawValue: try integer(3)) else { return nil }
            return SecurityEvent(
                id: try text(0), time: try integer(1), kind: kind, account: try text(2), address: try text(4),
                device: try text(5))
        }
    }
}
