internal import Bytes
internal import EventLoops
internal import Synchronization

/// Carries notices between replicas: NOTIFY after commits, many in one, and LISTEN. (Within a transaction NOTIFY would
/// make all commits wait for each other.)
///
/// A process may end between its commit and its NOTIFY, and not every server that speaks PostgreSQL's protocol has
/// LISTEN. So the versions of all watched subjects are read once a second besides, in one statement.
final class PostgresNotices: Sendable {
    /// Longest text of a notification, in bytes; PostgreSQL allows 7,999.
    private static let maximumBytes = 7_500
    private static let rereadEvery = Duration.seconds(1)

    private let address: PostgresAddress
    private let settings: DatabaseSettings
    private let notices: Notices
    private let clock: SharedClock
    private let outgoing: WorkQueue<Set<String>>
    private let isEnding = Atomic(false)
    /// Distinguishes this replica's notifications from those of others.
    private let replica = "\(UInt64.random(in: 0 ... .max))"

    init(_ address: PostgresAddress, _ settings: DatabaseSettings, _ notices: Notices, _ clock: SharedClock) {
        self.clock = clock
        self.address = address
        self.settings = settings
        self.notices = notices
        outgoing = WorkQueue(limit: 4_096)
        let queue = outgoing
        // A full queue costs others a second.
        notices.sendWith { subjects in _ = queue.offer(subjects) }
    }

    /// Ends both loops.
    func close() {
        notices.sendWith(nil)
        isEnding.store(true, ordering: .releasing)
        _ = outgoing.close()
    }

    /// The loop that notifies other replicas.
    func notify() {
        let connection = PostgresConnection(address, settings, clock)
        while let first = outgoing.waitForNext() {
            var subjects = first
            while let more = outgoing.next() { subjects.formUnion(more) }
            do throws(SQLError) {
                if !connection.isOpen {
                    try connection.connect()
                    // A notification is nothing that is kept: it waits for no disk.
                    try connection.control("SET synchronous_commit TO off")
                }
                for text in texts(subjects) { try connection.notify(text) }
            } catch {
                // The others read the versions themselves.
                connection.close()
            }
        }
    }

    /// The loop that hears from other replicas.
    func listen() {
        let connection = PostgresConnection(address, settings, clock)
        var versions: [String: Int64] = [:]
        while !isEnding.load(ordering: .acquiring) {
            do throws(SQLError) {
                if !connection.isOpen {
                    try connection.connect()
                    try connection.listen()
                    notices.deliverAll()
                }
                try hear(connection)
                try reread(connection, &versions)
            } catch {
                connection.close()
                PostgresSession.pause(milliseconds: 100)
            }
        }
        connection.close()
    }

    /// Delivers what comes until the versions are to be read again.
    private func hear(_ connection: PostgresConnection) throws(SQLError) {
        let end = ContinuousClock.now + Self.rereadEvery
        while ContinuousClock.now < end, !isEnding.load(ordering: .acquiring) {
            for text in try connection.notifications(within: .milliseconds(50)) {
                let parts = text.split(at: "\n", omittingEmptySubsequences: false)
                guard let sender = parts.first, sender != replica else { continue }
                notices.deliver(parts.dropFirst().map(String.init))
            }
        }
    }

    private func reread(_ connection: PostgresConnection, _ versions: inout [String: Int64]) throws(SQLError) {
        let watched = Dictionary(grouping: notices.watched, by: Notices.whole)
        let known = versions
        versions = try connection.versions(of: Array(watched.keys))
        // One that is watched since then may have changed before its version was read for the first time.
        for (subject, version) in versions where known[subject] != version { notices.deliver(watched[subject] ?? []) }
    }

    /// As few texts as hold all subjects.
    private func texts(_ subjects: Set<String>) -> [String] {
        var texts: [String] = []
        var text = replica
        for subject in subjects {
            if text.utf8.count + 1 + subject.utf8.count > Self.maximumBytes {
                texts.append(text)
                text = replica
            }
            text += "\n\(subject)"
        }
        return texts + [text]
    }
}
