import EventLoops
import Glibc
import PictureCalls

/// One walk through the folder of pictures: down into each folder in the order of the names, never through a link. It
/// goes some entries at a time, so that no thread is kept by a large folder or a slow disk. All of it blocks.
@safe
struct FolderWalker: ~Copyable {
    /// A folder that is open, and what of it was not looked at yet.
    @safe
    private struct Level {
        let stream: OpaquePointer
        let path: String
        let sidecars: Sidecars
        var entries: ArraySlice<FolderEntry>
    }

    /// The folder itself, for error messages.
    let root: String
    let leftOut: LeftOutNames
    private(set) var walk = FolderWalk()
    private var levels: [Level] = []
    private var entryCount = 0
    private var found: [FoundFile] = []

    init(_ root: String, _ leftOut: LeftOutNames) {
        self.root = root
        self.leftOut = leftOut
    }

    deinit { for level in levels { unsafe closedir(level.stream) } }

    /// Begins with an open folder, which it closes, and which has to be readable.
    mutating func begin(in descriptor: Int32, isCancelled: () -> Bool) throws(FolderProblem) {
        try look(into: descriptor, "", isCancelled)
    }

    /// Looks at the next entries, at most so many, and gives what they are; nil when there are none any more.
    mutating func next(_ most: Int, isCancelled: () -> Bool) throws(FolderProblem) -> [FoundFile]? {
        for _ in 0..<most {
            if isCancelled() { throw .cancelled }
            while levels.last?.entries.isEmpty == true { leave() }
            guard !levels.isEmpty else { break }
            guard entryCount < FolderLimit.entries else {
                miss(levels[levels.count - 1].path, .unreadable("there are more than \(FolderLimit.entries) files"))
                while !levels.isEmpty { leave() }
                break
            }
            entryCount += 1
            let entry = levels[levels.count - 1].entries.removeFirst()
            try visit(entry, levels[levels.count - 1], isCancelled)
        }
        defer { found = [] }
        return found.isEmpty && levels.isEmpty ? nil : found
    }

    /// `path` is empty for the root.
    private mutating func look(
        into descriptor: Int32, _ path: String, _ isCancelled: () -> Bool
    ) throws(FolderProblem) {
        guard let stream = unsafe fdopendir(descriptor) else {
            close(descriptor)
            return try fail(path, ENOMEM)
        }
        var entries: [FolderEntry]?
        var code: Int32 = 0
        do throws(FolderProblem) {
            let room = FolderLimit.entries - entryCount
            entries = try unsafe FolderEntry.all(in: stream, limit: room, isCancelled: isCancelled)
            code = errno
        } catch {
            unsafe closedir(stream)
            throw error
        }
        guard let entries else {
            unsafe closedir(stream)
            return try fail(path, code)
        }
        unsafe levels.append(Level(stream: stream, path: path, sidecars: Sidecars(entries), entries: entries[...]))
    }

    private mutating func leave() { if let level = levels.popLast() { unsafe closedir(level.stream) } }

    private mutating func visit(
        _ entry: FolderEntry, _ level: Level, _ isCancelled: () -> Bool
    ) throws(FolderProblem) {
        guard entry.kind != .other else { return }
        let (folder, parent) = (unsafe dirfd(level.stream), level.path)
        var status = stat()
        let path = Self.path(parent, entry.name)
        if leftOut.leaveOut(last: path) { return }
        guard unsafe fstatat(folder, Self.terminated(entry.name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno != ENOENT { try fail(path, errno) }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if entry.isPictureName {
                take(entry, path, status, level.sidecars.of(entry), in: folder, parent)
            } else if let kind = entry.otherKind {
                reportOne(
                    FoundFile(
                        path: path, size: Int64(status.st_size), modifiedNs: Self.modifiedNs(status),
                        problem: entry.problem ?? .otherKind(kind)))
            }
        case S_IFDIR: try descend(entry, in: folder, path, isCancelled)
        default: break
        }
    }

    private mutating func take(
        _ entry: FolderEntry, _ path: String, _ status: stat, _ sidecar: [UInt8]?, in folder: Int32, _ parent: String
    ) {
        let size = Int64(status.st_size)
        var file = FoundFile(
            path: path, size: size, modifiedNs: Self.modifiedNs(status), problem: problem(entry, path, size))
        var beside = stat()
        if let sidecar, String(validating: sidecar, as: UTF8.self) != nil,
            unsafe fstatat(folder, Self.terminated(sidecar), &beside, AT_SYMLINK_NOFOLLOW) == 0,
            beside.st_mode & S_IFMT == S_IFREG
        {
            file.sidecar = Self.path(parent, sidecar)
            file.sidecarSize = Int64(beside.st_size)
            file.size += file.sidecarSize
            file.modifiedNs = max(file.modifiedNs, Self.modifiedNs(beside))
        }
        reportOne(file)
    }

    private static func modifiedNs(_ status: stat) -> Int64 {
        Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    private static func path(_ parent: String, _ name: [UInt8]) -> String {
        (parent.isEmpty ? "" : parent + "/") + String(decoding: name, as: UTF8.self)
    }

    private func problem(_ entry: FolderEntry, _ path: String, _ size: Int64) -> PictureProblem? {
        if let problem = entry.problem { return problem }
        guard path.utf8.count <= PhotoID.providerLimit else {
            return .badName("and those of its folders are longer than \(PhotoID.providerLimit) bytes")
        }
        return size > Int64(PictureLimit.ownBytes) ? .tooLarge(limit: PictureLimit.ownBytes) : nil
    }

    private mutating func descend(
        _ entry: FolderEntry, in folder: Int32, _ path: String, _ isCancelled: () -> Bool
    ) throws(FolderProblem) {
        if let problem = entry.problem {
            return reportOne(FoundFile(path: path, size: 0, modifiedNs: 0, problem: problem))
        }
        guard levels.count <= FolderLimit.depth else {
            return miss(path, .unreadable("it lies more than \(FolderLimit.depth) folders deep"))
        }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try syscall("openat", path) { unsafe openat(folder, Self.terminated(entry.name), flags) }
        } catch {
            if error.code != ENOENT { try fail(path, error.code) }
            return
        }
        try look(into: descriptor, path, isCancelled)
    }

    /// The root has to be readable; an error below it costs only the file or folder concerned.
    private mutating func fail(_ path: String, _ code: Int32) throws(FolderProblem) {
        let reason = unsafe String(cString: strerror(code))
        if path.isEmpty { throw .unreadable(folder: root, reason: reason) }
        miss(path, .unreadable(reason))
    }

    /// Reports something that could not be read completely.
    private mutating func miss(_ path: String, _ problem: PictureProblem) {
        walk.isComplete = false
        reportOne(FoundFile(path: path.isEmpty ? "." : path, size: 0, modifiedNs: 0, problem: problem))
    }

    private mutating func reportOne(_ file: FoundFile) {
        walk.foundCount += 1
        found.append(file)
    }

    private static func terminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
