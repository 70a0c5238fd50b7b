import Storage

// Rows of challenges. One is found by its digest alone, and is gone once it was found.

extension Transaction {
    /// Stores a challenge. The asker's oldest ones go, and now and then the oldest of all.
    func insert(_ challenge: PasskeyChallenge, digest: [UInt8]) throws(SQLError) {
        try execute(
            """
            INSERT INTO passkey_challenges (digest, purpose, asker, session, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5)
            """, digest, challenge.purpose.rawValue, challenge.asker, challenge.session,
            challenge.expiresMilliseconds)
        try execute(
            """
            DELETE FROM passkey_challenges WHERE digest IN
                (SELECT digest FROM passkey_challenges WHERE asker = ?1 ORDER BY expires_ms DESC LIMIT 100 OFFSET ?2)
            """, challenge.asker, PasskeyChallenge.maximumOfAsker)
        // One in 64: to look at all of them makes calls that come at the same time wait for each other.
        if digest.first.map({ $0 < 4 }) ?? true { try limitPasskeyChallenges(PasskeyChallenge.maximum) }
    }

    /// Deletes the oldest of more than `maximum`.
    func limitPasskeyChallenges(_ maximum: Int) throws(SQLError) {
        try execute(
            """
            DELETE FROM passkey_challenges WHERE digest IN
                (SELECT digest FROM passkey_challenges ORDER BY expires_ms DESC LIMIT 1000 OFFSET ?1)
            """, maximum)
    }

    /// Uses a challenge up. Returns whether there was one for this purpose and this session.
    func usePasskeyChallenge(
        _ digest: [UInt8], for purpose: PasskeyChallenge.Purpose, session: String = "", at time: Int64
    ) throws(SQLError) -> Bool {
        try change(
            """
            DELETE FROM passkey_challenges WHERE digest = ?1 AND purpose = ?2 AND session = ?3 AND expires_ms > ?4
            """, digest, purpose.rawValue, session, time) > 0
    }

    /// Deletes some of those that were not answered. Returns how many.
    func deleteExpiredPasskeyChallenges(at time: Int64, limit: Int) throws(SQLError) -> Int {
        try change(
            """
            DELETE FROM passkey_challenges WHERE digest IN
                (SELECT digest FROM passkey_challenges WHERE expires_ms <= ?1 LIMIT ?2)
            """, time, limit)
    }
}
