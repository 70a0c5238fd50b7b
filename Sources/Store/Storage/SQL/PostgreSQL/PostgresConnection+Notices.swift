internal import CLinux
internal import EventLoops
internal import Glibc
internal import Synchronization

extension PostgresConnection {
    /// The channel of the replicas of one service. A schema's name needs no more quotes.
    private var channel: String { "waymark_\(address.schema)" }

    func listen() throws(SQLError) { try control("LISTEN \"\(channel)\"") }

    func notify(_ text: String) throws(SQLError) {
        _ = try statement("SELECT pg_notify(?1, ?2)", [channel, text])
    }

    func notifications(within time: Duration) throws(SQLError) -> [String] {
        try open().notifications(milliseconds: Int32(clamping: time.wholeMilliseconds))
    }

    /// The versions of those of these subjects that have one.
    func versions(of subjects: [String]) throws(SQLError) -> [String: Int64] {
        if subjects.isEmpty { return [:] }
        let result = try statement(
            "SELECT name, version FROM subjects WHERE name = ANY (string_to_array(?1, chr(10)))",
            [subjects.joined(separator: "\n")])
        var versions: [String: Int64] = [:]
        for index in 0..<result.rowCount {
            let row = unsafe Row(result.row(index))
            versions[try row.text(0)] = try row.integer(1)
        }
        return versions
    }

    /// How far the server's clock is ahead, within the time of a question.
    static func clockLead(
        of session: PostgresSession, _ look: PostgresSession.Look
    ) throws(SQLError) -> Int64 {
        let before = wallMilliseconds
        let sql = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::text"
        let result = try session.run(sql, look: look)
        let row = unsafe Row(result.row(0))
        guard result.rowCount == 1, let there = Int64(try row.text(0)) else { return 0 }
        withExtendedLifetime(result) {}
        return there.addingClamped(-(before + (wallMilliseconds - before) / 2))
    }

    private static var wallMilliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// How far the clock of the server is ahead of this machine's: the same for all connections of a process, so that a
/// time that one has written is not in the future of another.
final class SharedClock: Sendable {
    /// Differences below this are those of measuring, in milliseconds.
    private static let tolerance: Int64 = 500
    /// Ten years: no server's clock is farther off, whatever it says.
    private static let farthest: Int64 = 315_576_000_000

    private let milliseconds = Atomic<Int64>(0)

    var lead: Int64 { milliseconds.load(ordering: .relaxed) }

    func set(_ measured: Int64) {
        let bounded = max(-Self.farthest, min(Self.farthest, measured))
        guard abs(bounded - lead) > Self.tolerance else { return }
        milliseconds.store(bounded, ordering: .relaxed)
    }
}
