/// What is known of a log: how far it was looked at, and what changed since the last cut.
struct FollowedLog {
    /// Of the log that was looked at.
    private(set) var salt: UInt64 = 0
    /// Its frames that were looked at.
    private(set) var frames: UInt32 = 0
    /// The last frame of each page in it.
    private(set) var places: [UInt32: UInt32] = [:]
    /// Pages of the database after the last frame.
    private(set) var pageCount: UInt32 = 0
    /// Pages that changed and are in no cut.
    var changed = PageSet()
    /// Pages of the cut that is being stored.
    var taken = PageSet()
    /// Whether something changed and it is not known what: all has to be copied again.
    var isLost = false

    /// Begins with a log of which all up to a frame is known.
    init(from position: LogPosition, _ index: LogIndex, _ files: LogFiles) throws(SQLError) {
        try self.init(nothingOf: index, files)
        changed = position.changed
        // Pages of frames that are known may be in the log alone.
        if !position.isClosed, position.salt == index.salt {
            try look(upTo: position.frames, of: index, files) { _, _ in }
        }
        try look(upTo: index.frames, of: index, files) { $0.changed.insert($1) }
    }

    /// Begins where nothing is known of what changed before.
    private init(nothingOf index: LogIndex, _ files: LogFiles) throws(SQLError) {
        salt = index.salt
        // A log without frames doesn't know.
        pageCount = index.frames > 0 ? index.pageCount : try files.pageCount()
    }

    /// Begins with what changes from now on.
    init(after index: LogIndex, _ files: LogFiles) throws(SQLError) {
        try self.init(nothingOf: index, files)
        try look(upTo: index.frames, of: index, files) { _, _ in }
        isLost = true
    }

    /// Looks at the frames that came. A log that started over had been looked at to its end: `LogFollower` keeps it
    /// from being copied before that.
    mutating func look(upTo end: UInt32, of index: LogIndex, _ files: LogFiles) throws(SQLError) {
        if index.salt != salt {
            (salt, frames) = (index.salt, 0)
            places.removeAll(keepingCapacity: true)
        }
        try look(upTo: end, of: index, files) { $0.changed.insert($1) }
    }

    private mutating func look(
        upTo end: UInt32, of index: LogIndex, _ files: LogFiles,
        _ take: (inout FollowedLog, UInt32) -> Void
    ) throws(SQLError) {
        while frames < end {
            guard let frame = try files.frame(frames + 1, of: index) else { return isLost = true }
            frames += 1
            places[frame.page] = frames
            take(&self, frame.page)
            if frame.pageCount > 0 { pageCount = frame.pageCount }
        }
    }
}
