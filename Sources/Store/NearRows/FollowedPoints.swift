import EventLoops
import Geo
import Storage
import Synchronization

/// Keeps the positions of a table in memory: indexes that follow the versions of its subjects, and the rows that were
/// read last. The table is the truth; all of this can be rebuilt at any time.
///
/// Where this process alone writes, its commits say what has to be read before a search. Where several do, each search
/// asks for the last version. What lacks more than a search should read is brought up to date by `follow`, which no
/// search's deadline ends.
final class FollowedPoints: Sendable {
    /// The indexes of a subject at one of its versions.
    struct View: Sendable {
        let subject: String
        let version: Int64
        /// Whether the transaction that it was made in sees the same; else others have applied what came after it.
        var isOfTransaction = false
        fileprivate let indexes: [String: PointIndex]

        /// Those of some owners.
        func indexes(of owners: [String]) -> [PointIndex] { owners.compactMap { indexes[$0] } }
    }

    private struct Followed {
        /// The last version that was applied; -1 when nothing was read yet.
        var version: Int64 = -1
        var indexes: [String: PointIndex] = [:]
        /// How often a commit of this process has changed the subject.
        var noted = 0
        /// Changes that were committed before so many notices are applied.
        var applied = -1

        func view(_ subject: String) -> View { View(subject: subject, version: version, indexes: indexes) }
    }

    private struct State {
        var subjects: [String: Followed] = [:]
        /// Subjects that change while all rows are read at the start; nil after that.
        var early: Set<String>? = []
        var rows: RowCache
        var edition = ""
        /// Those that lack much.
        var behind: Set<String> = []
        var isFollowing = false
    }

    /// More changes are not read by a search.
    private static let maximumChanges: Int64 = 2_000

    private let bell = Bell()
    private let table: any NearTable
    private let isShared: Bool
    private let state: Mutex<State>

    init(_ table: any NearTable, _ database: Database, cacheBytes: Int) {
        self.table = table
        isShared = database.isShared
        state = Mutex(State(rows: RowCache(maximumBytes: cacheBytes)))
        database.notices.listen { [weak self] subjects in self?.count(subjects) }
    }

    /// Reads all rows. Only once, and before the first search.
    func load(_ transaction: borrowing Transaction) throws(SQLError) {
        let all = try table.load(transaction)
        state.withLock { state in
            for loaded in all {
                // What is changed meanwhile is perhaps not among them.
                let noted = state.early?.contains(loaded.subject) ?? true ? 1 : 0
                state.subjects[loaded.subject] = Followed(
                    version: loaded.version, indexes: loaded.indexes, noted: noted, applied: 0)
            }
            state.early = nil
        }
    }

    /// The indexes with all that was committed before the call; nil when the table has to be asked.
    func current(_ subject: String) -> View? {
        if isShared { return nil }
        return state.withLock { state in
            guard let followed = state.subjects[subject], followed.applied == followed.noted else { return nil }
            return followed.view(subject)
        }
    }

    /// The view once all is applied that this transaction sees. Others may have applied what came after it. Nil when so
    /// much is lacking that it is read by `follow` now.
    func current(_ subject: String, _ transaction: borrowing Transaction) throws(SQLError) -> View? {
        let view = try current(subject, transaction, atMost: isFollowing ? Self.maximumChanges : .max)
        if view == nil {
            state.withLock { _ = $0.behind.insert(subject) }
            bell.ring()
        }
        return view
    }

    private func current(
        _ subject: String, _ transaction: borrowing Transaction, atMost limit: Int64
    ) throws(SQLError) -> View? {
        let last = try transaction.lastVersion(of: subject)
        while true {
            let before = state.withLock { state in
                if state.subjects[subject] == nil { state.subjects[subject] = Followed() }
                return state.subjects[subject] ?? Followed()
            }
            var indexes = before.indexes
            var changes: PointChanges?
            if last > before.version {
                let read = try table.changes(
                    of: subject, above: before.version, atMost: limit == .max ? limit : limit + 1, transaction)
                if read.count > limit { return nil }
                indexes = Self.applied(read, to: indexes)
                changes = read
            }
            if let view = end(subject, before, changes, indexes, last) { return view }
        }
    }

    /// Whether `follow` runs: else each search reads all that is lacking.
    var isFollowing: Bool { state.withLock { $0.isFollowing } }

    /// Brings up to date what lacks much, until the task is cancelled.
    func follow(_ database: Database) async {
        state.withLock { $0.isFollowing = true }
        defer {
            state.withLock { state in (state.isFollowing, state.behind) = (false, []) }
            bell.ring()
        }
        while !Task.isCancelled {
            let rung = bell.count
            guard let subject = state.withLock({ $0.behind.first }) else {
                await bell.wait(after: rung)
                continue
            }
            // What fails here fails for who asks next, too.
            _ = try? await database.read { [self] transaction throws(SQLError) in
                _ = try current(subject, transaction, atMost: .max)
            }
            state.withLock { _ = $0.behind.remove(subject) }
            bell.ring()
        }
    }

    /// Returns when nothing much is lacking of a subject, or the deadline has passed.
    func followed(_ subject: String, before deadline: ContinuousClock.Instant?) async {
        while true {
            let rung = bell.count
            guard state.withLock({ $0.behind.contains(subject) }), !Task.isCancelled else { return }
            guard let deadline else {
                await bell.wait(after: rung)
                continue
            }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return }
            await bell.wait(after: rung, timeout: left)
        }
    }

    /// Drops what is known of a subject: the next search reads all of it.
    func forget(_ subject: String) {
        state.withLock { state in
            state.subjects[subject] = nil
            state.rows.removeAll()
        }
    }

    /// The rows of hits as an account saw them at this view's version, packed; nil when one is not in memory.
    func packed(_ hits: [PointHit], limit: Int, for account: String, at view: View) -> PackedRows? {
        let edition = table.edition
        return state.withLock { state in
            guard state.edition == edition, state.subjects[view.subject]?.version == view.version else { return nil }
            return state.rows.packed(
                hits, limit: limit, isInOrder: table.isOrderedByPointID, table.distance, for: account)
        }
    }

    /// The rows themselves; nil where one is not in memory.
    func rows(_ hits: [PointHit], for account: String, at view: View) -> [NearRow?] {
        let edition = table.edition
        return state.withLock { state in
            guard view.isOfTransaction, state.edition == edition, state.subjects[view.subject]?.version == view.version
            else { return hits.map { _ in nil } }
            return hits.map { state.rows.row($0, for: account) }
        }
    }

    /// Keeps rows that were read from the transaction that this view was made in, under an edition.
    func keep(_ rows: [(PointID, NearRow)], for account: String, at view: View, _ edition: String) {
        guard view.isOfTransaction, edition == table.edition else { return }
        state.withLock { state in
            if state.edition != edition { state.rows.removeAll() }
            state.edition = edition
            guard state.subjects[view.subject]?.version == view.version else { return }
            for (id, row) in rows { state.rows.put(row, id, for: account) }
        }
    }

    /// How many points and rows there are in memory, and how many bytes the indexes take.
    var size: (points: Int, bytes: Int, rows: Int) {
        let (subjects, rows) = state.withLock { ($0.subjects, $0.rows.count) }
        let indexes = subjects.values.flatMap(\.indexes.values)
        return (indexes.reduce(0) { $0 + $1.storedCount }, indexes.reduce(0) { $0 + $1.byteCount }, rows)
    }

    private func count(_ subjects: Set<String>) {
        state.withLock { state in
            state.early?.formUnion(subjects)
            for subject in subjects { state.subjects[subject]?.noted += 1 }
        }
    }

    private static func applied(_ changes: PointChanges, to known: [String: PointIndex]) -> [String: PointIndex] {
        var indexes = changes.isWhole ? [:] : known
        for (owner, points) in changes.points {
            indexes[owner, default: PointIndex()].apply(points)
            if indexes[owner]?.isEmpty ?? false { indexes[owner] = nil }
        }
        return indexes
    }

    /// Puts down what was read up to a version. Nil when another has applied something else meanwhile, and not all of
    /// this.
    private func end(
        _ subject: String, _ before: Followed, _ changes: PointChanges?, _ indexes: [String: PointIndex], _ last: Int64
    ) -> View? {
        state.withLock { state in
            var now = state.subjects[subject] ?? Followed()
            if let changes, now.version == before.version {
                (now.version, now.indexes) = (last, indexes)
                switch changes.messages {
                case .all: state.rows.removeAll()
                case .listed:
                    for id in changes.points.values.joined().map(\.key) {
                        state.rows.remove(id, for: subject)
                    }
                }
            }
            guard now.version >= last else { return nil }
            now.applied = max(now.applied, before.noted)
            state.subjects[subject] = now
            var view = now.view(subject)
            view.isOfTransaction = view.version == last
            return view
        }
    }
}
