import PlaceContracts

/// What is known of the .osm.pbf that a dataset was made of, which is kept so that changes can be applied to it.
struct SourceFacts: Codable, Hashable, Sendable {
    var byteCount: UInt64 = 0
    /// The SHA-256 of the file, where that is in a bucket.
    var blob: String?
    /// Up to when it has all changes, in milliseconds since 1970; nil when it does not say.
    var dataTime: Int64?
    /// The last diff of its folder that it has; nil when it does not say.
    var sequence: Int64?
    /// Address of the folder with its diffs; nil when none is known.
    var updates: String?
    /// Whether that is another folder than the file names.
    var isOfOtherFolder = false
    /// Whether they are fetched every day.
    var isFollowed = false
    /// Bad rows that are skipped, as its import was allowed; nil for the default.
    var maximumBadRows: UInt64?
}

extension SourceFacts {
    /// - Parameter updates: the address that a user gave; empty for what the file says.
    init(updates: String, isFollowed: Bool) {
        self.updates = updates.isEmpty ? nil : updates
        self.isFollowed = isFollowed
    }

    /// What the header of a file says, with what was wished for.
    init(_ header: PbfHeader?, byteCount: UInt64, _ wish: SourceFacts?) {
        self.byteCount = byteCount
        // A file can say any number.
        dataTime = header?.replicationTimestamp.flatMap { Self.milliseconds(seconds: $0) }
        sequence = header?.replicationSequenceNumber.flatMap { DiffFolder.numbers.contains($0) ? $0 : nil }
        let named = header?.replicationBaseUrl.flatMap { $0.isEmpty ? nil : $0 }
        updates = wish?.updates ?? named
        isOfOtherFolder = wish?.isOfOtherFolder ?? false || updates != named
        isFollowed = wish?.isFollowed ?? false
    }

    /// Why it can't be brought up to date though that is wished for.
    var problem: String? {
        guard isFollowed else { return nil }
        if updates == nil { return "it can't be followed: it names no folder of diffs, and none was given" }
        return sequence == nil ? "it can't be followed: it does not say which diffs it has" : nil
    }

    /// From 1970 to the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    private static func milliseconds(seconds: Int64) -> Int64? {
        let (milliseconds, isTooMuch) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooMuch || !times.contains(milliseconds) ? nil : milliseconds
    }
}
