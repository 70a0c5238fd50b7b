internal import Bytes
internal import EventLoops
internal import Files
internal import FoundationEssentials
internal import Glibc
import Storage

/// Brings the files of a backup back into a folder that has none.
///
/// They come into a folder beside it, which gets its name when all are there and on the disk: a kill or a fault before
/// leaves nothing that looks whole.
package struct RestoreRun: Sendable {
    /// A part of a backup that can't be read.
    package struct Damage: Sendable {
        let pack: BlobName
        /// The files that need it.
        package let paths: [String]

        /// "packs/0123…"
        package var object: String { "packs/\(pack)" }
    }

    /// Packs that are fetched at the same time.
    private static let maximumInFlight = 6

    private let vault: BackupVault

    package init(_ vault: BackupVault) { self.vault = vault }

    /// How far it has come.
    package enum Progress: Sendable {
        /// Bytes of the backup.
        case backup(done: Int, of: Int)
        /// Objects of the log.
        case log(done: Int, of: Int)
    }

    /// Brings a backup back to a folder that is empty or not there, and what was written since.
    /// - Parameters:
    ///   - backup: nil where there is the log alone.
    ///   - log: what was written since; nil for the backup alone.
    ///   - leavesOutDamaged: whether files that are damaged are left out; a damaged database is always an error.
    /// - Returns: the files that were left out.
    package func run(
        _ backup: StoredBackup?, log: LogRestore.Plan? = nil, to folder: String, leavesOutDamaged: Bool = false,
        _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> [String] {
        var folder = folder
        while folder.utf8.count > 1, folder.ends(with: "/") { folder.removeLast() }
        let target = folder
        let partial = "\(target).restoring"
        let byteCount = backup?.backup.byteCount ?? 0
        let lock = try await vault.blocking.run { try Self.prepare(target, partial, byteCount: byteCount) }
        defer { withExtendedLifetime(lock) {} }
        var damage: [Damage] = []
        if let backup {
            damage = try await fetch(backup, to: partial) { report(.backup(done: $0, of: $1)) }
            try await vault.require(backup)
        }
        var databases = Set(backup?.backup.databases.keys.map { $0 } ?? [])
        if let log {
            // Pictures that are not whole may be whole there.
            try await vault.blocking.run { [damage] in
                for path in Set(damage.flatMap(\.paths)) where DataFiles.isNamedByContent(path) {
                    try DiskFile.remove("\(partial)/\(path)")
                }
            }
            try await LogRestore(vault).run(log, to: partial) { report(.log(done: $0, of: $1)) }
            databases.formUnion(log.databases)
        }
        // What the log has is whole, whatever the backup had of it.
        var lost = Set(damage.flatMap(\.paths)).subtracting(log?.databases ?? []).sorted()
        if log != nil {
            lost = try await vault.blocking.run { [lost] in
                try lost.filter { try !DataFiles.isNamedByContent($0) || !DiskFile.exists("\(partial)/\($0)") }
            }
        }
        guard lost.isEmpty || leavesOutDamaged && !lost.contains(where: DataFiles.isDatabase) else {
            throw Self.failure(damage, at: vault.store.place)
        }
        try await vault.blocking.run { [databases, lost] in
            for path in lost { try DiskFile.remove("\(partial)/\(path)") }
            for path in databases.sorted() { try SQLiteEpoch.renew("\(partial)/\(path)") }
            try Self.finish(partial, as: target)
        }
        return lost
    }

    /// Writes all files below a folder that is there; gives what is damaged.
    func fetch(
        _ backup: StoredBackup, to folder: String, _ report: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
    ) async throws -> [Damage] {
        let listing = try await vault.listing(of: backup)
        guard listing.files.reduce(0, { $0 + $1.byteCount }) == backup.backup.byteCount else {
            throw BackupError("backups/\(backup.name) at \(vault.store.place) is damaged: its listing has other files")
        }
        let plan = RestorePlan(listing)
        try await vault.blocking.run { try Self.makeFiles(listing, in: folder) }
        let total = listing.files.reduce(0) { $0 + $1.byteCount }
        return try await withThrowingTaskGroup(of: (Int, Damage?).self) { group in
            var (done, damaged): (Int, [Damage]) = (0, [])
            var waiting = plan.packs.makeIterator()
            func take(_ end: (bytes: Int, damage: Damage?)) {
                done += end.bytes
                if let damage = end.damage { damaged.append(damage) }
                report(done, total)
            }
            var inFlight = 0
            while let pack = waiting.next() {
                if inFlight >= Self.maximumInFlight, let end = try await group.next() {
                    inFlight -= 1
                    take(end)
                }
                inFlight += 1
                group.addTask { try await write(plan.needs(pack), of: listing, to: folder) }
            }
            while let end = try await group.next() { take(end) }
            return damaged
        }
    }

    /// Fetches a pack, and writes its chunks to their files. How many bytes these are, and whether it is damaged.
    private func write(
        _ needs: ArraySlice<RestorePlan.Need>, of listing: Listing, to folder: String
    ) async throws -> (Int, Damage?) {
        guard let number = needs.first?.pack else { return (0, nil) }
        let name = listing.packs[Int(number)].name
        let bytes: [UInt8]
        do {
            bytes = try await vault.get(name, as: .pack)
        } catch let error as BlobError where error.isLoss {
            return (0, Self.damage(name, needs, listing))
        }
        return try await vault.blocking.run {
            guard let chunks = Pack.chunks(of: bytes) else { return (0, Self.damage(name, needs, listing)) }
            var count = 0
            var open: (file: UInt32, descriptor: Descriptor)?
            for need in needs {
                let file = listing.files[Int(need.file)]
                let place = file.chunks[Int(need.index)]
                guard Int(need.slot) < chunks.count else { return (count, Self.damage(name, needs, listing)) }
                let chunk = chunks[Int(need.slot)]
                guard ChunkHash(of: chunk) == place.hash, chunk.count == file.byteCount(ofChunk: Int(need.index)) else {
                    return (count, Self.damage(name, needs, listing))
                }
                let path = "\(folder)/\(file.path)"
                if open?.file != need.file {
                    open = (need.file, try file.isOfOneChunk ? .making(path) : .writing(to: path))
                }
                if let open {
                    try DiskFile.writeAll(
                        Array(chunk), to: open.descriptor.number, at: Int(need.index) * file.chunkBytes, path)
                }
                count += chunk.count
            }
            return (count, nil)
        }
    }

    private static func damage(
        _ pack: BlobName, _ needs: ArraySlice<RestorePlan.Need>, _ listing: Listing
    ) -> Damage {
        Damage(pack: pack, paths: Set(needs.map { listing.files[Int($0.file)].path }).sorted())
    }

    private static func failure(_ damage: [Damage], at place: String) -> BackupError {
        let parts = damage.prefix(5).map { "\($0.object), which has parts of \(shown($0.paths))" }
        let more = damage.count > parts.count ? ", and \(damage.count - parts.count) more" : ""
        return BackupError(
            "the backup is damaged at \(place): \(parts.joined(separator: "; "))\(more). Nothing was brought back; an"
                + " earlier or later backup may be whole (waymark backup list), and --without-damaged brings back all but"
                + " these files")
    }

    /// "a, b and 3 more"
    static func shown(_ paths: [String]) -> String {
        let first = paths.prefix(3).joined(separator: ", ")
        return paths.count > 3 ? "\(first) and \(paths.count - 3) more" : first
    }
}

extension Listing.File {
    fileprivate var isOfOneChunk: Bool { chunks.count == 1 }
}

// MARK: The folder

extension RestoreRun {
    /// A file that is left where a restore was killed right at its end; it says nothing then.
    static let mark = "waymark-is-restoring"

    /// Makes the folder that files come into.
    private static func prepare(_ folder: String, _ partial: String, byteCount: Int) throws -> FileLock {
        if DiskFile.isLink(folder) { throw BackupError("\(folder) is a link; name the folder that it leads to") }
        if try DiskFile.exists(folder) {
            guard DiskFile.disk(of: folder) == DiskFile.disk(of: DiskFile.folder(of: folder)) else {
                throw BackupError("\(folder) is where a disk is mounted; name a folder in it")
            }
            guard DiskFile.isFolder(folder), try DiskFile.names(in: folder).isEmpty else {
                throw BackupError("\(folder) is not empty; name a folder that is empty or not there yet")
            }
        }
        if try DiskFile.exists(partial) {
            guard try DiskFile.exists("\(partial)/\(mark)") else {
                throw BackupError("\(partial) is in the way; move it elsewhere")
            }
            // Of a restore that was killed, unless it still goes on.
            guard try FileLock("\(partial)/\(mark)") != nil else {
                throw BackupError("another waymark restore writes to \(partial)")
            }
            try FileManager.default.removeItem(atPath: partial)
        }
        try DiskFile.makeFolder(partial)
        guard let lock = try FileLock("\(partial)/\(mark)") else {
            throw BackupError("another waymark restore writes to \(partial)")
        }
        let free = try DiskFile.freeBytes(in: partial)
        guard UInt64(byteCount) + ScratchFolder.margin < free else {
            try FileManager.default.removeItem(atPath: partial)
            throw BackupError(
                "the backup has \(byteCount) bytes, and the disk of \(folder) has room for \(free); make room")
        }
        return lock
    }

    /// Makes those that several packs may have parts of, and empty ones. Most have one part: they are made with it, as
    /// to make a file and to open it again costs half as much as all else that a small one does.
    private static func makeFiles(_ listing: Listing, in folder: String) throws {
        var made: Set<String> = []
        for file in listing.files {
            let path = "\(folder)/\(file.path)"
            let parent = DiskFile.folder(of: path)
            if made.insert(parent).inserted { try DiskFile.makeFolder(parent) }
            if !file.isOfOneChunk { try DiskFile.create(path, byteCount: file.byteCount) }
        }
    }

    /// Gives the folder its name once all in it is on the disk.
    private static func finish(_ partial: String, as folder: String) throws {
        (FolderOwner(of: folder) ?? FolderOwner(of: DiskFile.folder(of: folder)))?.give(partial)
        try DiskFile.syncAll(on: partial)
        // An empty folder is replaced.
        try DiskFile.rename(partial, to: folder)
        try DiskFile.syncFolder(of: folder)
        try DiskFile.remove("\(folder)/\(mark)")
    }
}
