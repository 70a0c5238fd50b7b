package import Geo
package import Requests
package import Storage

/// A table whose rows have positions, to be searched from memory. Its SQL is the truth, and answers by itself where
/// memory can't.
package protocol NearTable: Sendable {
    /// What the rows are, for metrics: "pins".
    var content: String { get }
    /// Where a row's message has its distance.
    var distance: DistanceField { get }
    /// Whether equally near rows are in the order of their `PointID`, and not of `NearRow.id`.
    var isOrderedByPointID: Bool { get }

    /// Packed messages are made again under another one: what they depend on besides the rows.
    var edition: String { get }

    /// Whose versions rise with every change of what an account sees of the rows.
    func subject(of account: String) -> String
    /// The owners whose rows an account sees.
    func owners(seenBy account: String) -> [String]
    /// All rows, by subjects.
    func load(_ transaction: borrowing Transaction) throws(SQLError) -> [LoadedPoints]
    /// What has changed of a subject since a version; -1 for all of it. At most so many points, and one more shows that
    /// there are others; so many are asked for in SQL, too.
    func changes(
        of subject: String, above version: Int64, atMost limit: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> PointChanges
    /// A row as an account sees it; nil when it sees none.
    func row(
        _ id: PointID, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearRow?
    /// Searches without the index.
    func nearest(
        _ query: NearQuery, for account: String, _ transaction: borrowing Transaction
    ) throws(SQLError) -> NearHits
}

extension NearTable {
    /// Messages depend on the rows alone.
    package var edition: String { "" }
}

/// A row as an account sees it.
package struct NearRow: Sendable, Equatable {
    /// Its id in its message; equally near rows are in the order of these bytes.
    package let id: String
    package let position: Coordinate
    /// Its packed message, without the distance.
    package let message: [UInt8]

    package init(id: String, position: Coordinate, message: [UInt8]) {
        self.id = id
        self.position = position
        self.message = message
    }
}

/// Rows around a point.
package struct NearHits: Sendable, Equatable {
    /// A row and how far away it is.
    package struct Hit: Sendable, Equatable {
        package let row: NearRow
        /// Great-circle distance in metres.
        package let metres: Double

        package init(_ row: NearRow, metres: Double) {
            self.row = row
            self.metres = metres
        }
    }

    /// Nearest first; equally near ones by id.
    package var hits: [Hit]
    /// Whether there are more within the radius.
    package var isTruncated: Bool

    package init(_ hits: [Hit], isTruncated: Bool) {
        self.hits = hits
        self.isTruncated = isTruncated
    }
}

/// The points of a subject as they are at the start.
package struct LoadedPoints: Sendable {
    let subject: String
    let version: Int64
    let indexes: [String: PointIndex]

    /// - Parameter points: by owner.
    package init(of subject: String, version: Int64, _ points: [String: [IndexedPoint]]) {
        self.subject = subject
        self.version = version
        indexes = points.mapValues { PointIndex($0) }
    }
}

/// What has changed of a subject since a version.
package struct PointChanges: Sendable {
    /// Which rows have other messages now.
    package enum Changed: Sendable {
        /// Those that are in `points`; the subject is the account that sees them.
        case listed
        /// Perhaps any of the subject's.
        case all
    }

    /// By owner: where points are now; those without a position are gone.
    package var points: [String: [PointID: Coordinate?]] = [:]
    /// Whether these are all points that there are.
    package let isWhole: Bool
    package let messages: Changed
    /// How often a point was put down.
    private(set) var count: Int64 = 0

    package init(isWhole: Bool, messages: Changed) {
        self.isWhole = isWhole
        self.messages = messages
    }

    /// Puts down where a point is.
    package mutating func put(_ id: PointID, of owner: String, at position: Coordinate?) {
        points[owner, default: [:]].updateValue(position, forKey: id)
        count += 1
    }
}
