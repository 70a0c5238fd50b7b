import EventLoops
import Daemon
import PictureCalls
import Storage
import Synchronization

/// Scans the folder for new, changed and missing files. Only files that changed since the last scan are read.
struct ScanJob: Sendable {
    static let key = "folder"
    /// Files compared with the database at once.
    private static let batch = 256
    /// Files that a decoder looks at before it is others' turn: it is a process that has to be started.
    private static let turn = 32
    /// How many batches are looked at while others are stored.
    private static let ahead = 3
    /// The time between two reports of how far it is.
    private static let pace = Duration.milliseconds(250)

    let store: PhotoStore
    let pictures: PictureStore
    let folder: PictureFolder
    let log: Log?

    var kind: JobKind { JobKind("scan", workers: 1, timeout: .seconds(86_400), body: run) }

    private func run(_ lease: JobLease) async throws {
        var progress = try await store.beginScan()
        do {
            try await scan(lease, &progress)
            progress.phase = .done
        } catch {
            progress.phase = .failed("\(error)")
            try? await store.publish(progress)
            throw error
        }
        try await store.publish(progress)
        log?.info(
            "scan finished",
            [
                "files": "\(progress.files)", "read": "\(progress.read)", "added": "\(progress.added)",
                "gone": "\(progress.gone)", "skipped": "\(progress.skippedCount)",
            ])
    }

    private func scan(_ lease: JobLease, _ progress: inout ScanProgress) async throws {
        let walk = try await FolderList.make(folder, pictures)
        try await dropLeftOut(&progress)
        if walk.files.isEmpty { try await checkNothingIsKnown() }
        var unusable: Set<String> = []
        var nextTelling = MonotonicTime.now
        var batches = walk.batches(of: Self.batch).makeIterator()
        try await withThrowingTaskGroup(of: LookedAt.self) { group in
            for _ in 0..<Self.ahead {
                if let files = batches.next() { group.addTask { try await look(at: files, of: walk) } }
            }
            while let looked = try await group.next() {
                if let files = batches.next() { group.addTask { try await look(at: files, of: walk) } }
                try await take(looked, of: walk, &progress, &unusable)
                try await tell(progress, &nextTelling)
            }
        }
        if walk.isComplete {
            try await dropGone(walk.paths.subtracting(unusable), &progress)
            try await forgetUnusable(but: walk.paths)
        }
        try await finish(lease, hasNews: progress.added > 0 || progress.leftOut > 0)
    }

    /// Takes photos from all albums that an earlier scan took, and whose names are left out by now.
    private func dropLeftOut(_ progress: inout ScanProgress) async throws {
        var after = PhotoID.folderNetwork + "/"
        while true {
            let (start, limit) = (after, Self.batch)
            let page = try await store.read { transaction throws(SQLError) in
                try transaction.shownFolderPhotos(after: start, limit: limit)
            }
            guard let last = page.last else { return }
            after = last.text
            let leftOut = page.filter { folder.leftOut.leaveOut(path: $0.providerID) }
            if leftOut.isEmpty { continue }
            try await store.write { transaction throws(SQLError) in
                for id in leftOut { try transaction.leaveOut(id) }
            }
            progress.leftOut += leftOut.count
            progress.gone += leftOut.count
        }
    }

    /// Lets those who wait know how far it is, not too often.
    private func tell(_ progress: ScanProgress, _ next: inout MonotonicTime) async throws {
        guard .now >= next else { return }
        next = .now + Self.pace
        try await store.publish(progress)
    }

    /// The mount point of a disk that is not mounted is an empty folder that can be read.
    private func checkNothingIsKnown() async throws {
        let known = try await store.read { transaction throws(SQLError) in
            try transaction.folderPhotos(after: PhotoID.folderNetwork + "/", limit: 1)
        }
        guard known.isEmpty else { throw FolderProblem.empty(folder: folder.path) }
    }

    /// What a look at some files has found.
    private struct LookedAt: Sendable {
        let files: Int
        let sorted: SortedFiles
        /// The new and the changed ones.
        var read: [ScannedFile] = []
    }

    /// Compares files with the database, and has those looked at that are new or have changed.
    private func look(at files: [FoundFile], of walk: FolderList) async throws -> LookedAt {
        let sorted = try await store.read { transaction throws(SQLError) in try transaction.sorted(files, of: walk) }
        guard !sorted.changed.isEmpty else { return LookedAt(files: files.count, sorted: sorted) }
        var looked = LookedAt(files: files.count, sorted: sorted)
        for start in stride(from: 0, to: sorted.changed.count, by: Self.turn) {
            let files = sorted.changed[start..<min(start + Self.turn, sorted.changed.count)]
            looked.read += try await pictures.decoders.look { [folder] seat in
                files.map { ScannedFile($0, in: folder, &seat) }
            }
        }
        return looked
    }

    private func take(
        _ looked: LookedAt, of walk: FolderList, _ progress: inout ScanProgress, _ unusable: inout Set<String>
    ) async throws {
        progress.files += looked.files
        for file in looked.sorted.unusable {
            progress.skip(file.path, file.reason)
            unusable.insert(file.path)
        }
        let (read, unusableFiles) = (looked.read, looked.sorted.newlyUnusable)
        if read.isEmpty, unusableFiles.isEmpty { return }
        progress.read += read.count
        for file in read {
            guard case .failure(let problem) = file.photo else { continue }
            progress.skip(file.file.path, problem.description)
            // A file that can't be read now may be usable all the same.
            if problem.isFinal { unusable.insert(file.file.path) }
        }
        let time = store.clock.unixMilliseconds
        let copies = try await store.write { transaction throws(SQLError) -> [FolderCopy] in
            for file in unusableFiles {
                try transaction.putUnusable(file, reason: file.problem?.description ?? "")
            }
            var copies: [FolderCopy] = []
            for file in read {
                if let copy = try transaction.takeScannedFile(file, of: walk, at: time) { copies.append(copy) }
            }
            return copies
        }
        for copy in copies {
            progress.skip(copy.path, copy.reason)
            unusable.insert(copy.path)
        }
        progress.added += read.count { (try? $0.photo.get()) != nil } - copies.count
    }

    private func dropGone(_ there: Set<String>, _ progress: inout ScanProgress) async throws {
        var after = PhotoID.folderNetwork + "/"
        while true {
            let (start, limit) = (after, Self.batch)
            let page = try await store.read { transaction throws(SQLError) in
                try transaction.folderPhotos(after: start, limit: limit)
            }
            guard let last = page.last else { return }
            after = last.text
            let gone = page.filter { !there.contains($0.providerID) }
            if gone.isEmpty { continue }
            try await store.write { transaction throws(SQLError) in
                for id in gone { try transaction.setGone(id) }
            }
            progress.gone += gone.count
        }
    }

    /// Forgets files that could not be used and no longer exist.
    private func forgetUnusable(but there: Set<String>) async throws {
        var after = ""
        while true {
            let (start, limit) = (after, Self.batch)
            let page = try await store.read { transaction throws(SQLError) in
                try transaction.unusablePaths(after: start, limit: limit)
            }
            guard let last = page.last else { return }
            after = last
            let gone = page.filter { !there.contains($0) }
            if gone.isEmpty { continue }
            try await store.write { transaction throws(SQLError) in
                for path in gone { try transaction.dropUnusable(path) }
            }
        }
    }

    /// New photos may belong to the places of pins that were searched before.
    private func finish(_ lease: JobLease, hasNews: Bool) async throws {
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            if hasNews { try transaction.searchAgain(at: time) }
        }
    }
}
