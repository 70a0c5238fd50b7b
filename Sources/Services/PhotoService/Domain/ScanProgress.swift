/// The progress of a scan of the folder.
struct ScanProgress: Equatable, Sendable {
    /// The most files that are reported with their reasons, in all.
    static let maximumSkipped = 100

    /// A file that can't be used, and why.
    struct Skipped: Equatable, Sendable {
        let path: String
        let reason: String
    }

    enum Phase: Equatable, Sendable {
        case running
        case done
        /// It begins again later.
        case failed(String)
    }

    /// From 1, for each scan of this store.
    let number: Int64
    var phase = Phase.running
    /// Files checked.
    var files = 0
    /// Files that were opened, because they are new or have changed.
    var read = 0
    /// Photos that are new or changed.
    var added = 0
    /// Photos whose file no longer exists.
    var gone = 0
    /// Of these, those whose names are left out by now.
    var leftOut = 0
    /// Pictures that can't be used.
    var skippedCount = 0
    var skipped: [Skipped] = []

    init(number: Int64) { self.number = number }

    mutating func skip(_ path: String, _ reason: String) {
        skippedCount += 1
        guard skipped.count < Self.maximumSkipped else { return }
        skipped.append(Skipped(path: path, reason: reason))
    }
}
