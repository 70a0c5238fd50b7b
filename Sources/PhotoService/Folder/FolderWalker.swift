import EventLoops
import Glibc
import PictureCalls

/// One walk through the folder of pictures: down into each folder in the order of the names, never through a link.
struct FolderWalker {
    /// The folder itself, for error messages.
    let root: String
    let leftOut: LeftOutNames
    let isCancelled: () -> Bool
    let report: (FoundFile) -> Void
    private(set) var walk = FolderWalk()
    private var entryCount = 0

    init(
        _ root: String, _ leftOut: LeftOutNames, isCancelled: @escaping () -> Bool,
        report: @escaping (FoundFile) -> Void
    ) {
        self.root = root
        self.leftOut = leftOut
        self.isCancelled = isCancelled
        self.report = report
    }

    /// Walks an open folder, which it closes. `path` is empty for the root, which has to be readable.
    mutating func look(into descriptor: Int32, _ path: String, depth: Int) throws(FolderProblem) {
        guard let stream = unsafe fdopendir(descriptor) else {
            close(descriptor)
            return try fail(path, ENOMEM)
        }
        defer { unsafe closedir(stream) }
        guard let entries = unsafe FolderEntry.all(in: stream) else {
            return try fail(path, errno)
        }
        let sidecars = Sidecars(entries)
        for entry in entries {
            if isCancelled() { throw .cancelled }
            entryCount += 1
            guard entryCount <= FolderLimit.entries else {
                return miss(path, .unreadable("there are more than \(FolderLimit.entries) files"))
            }
            try visit(entry, in: descriptor, path, depth: depth, sidecars)
        }
    }

    private mutating func visit(
        _ entry: FolderEntry, in folder: Int32, _ parent: String, depth: Int, _ sidecars: Sidecars
    ) throws(FolderProblem) {
        guard entry.kind != .other else { return }
        var status = stat()
        let path = Self.path(parent, entry.name)
        if leftOut.leaveOut(last: path) { return }
        guard unsafe fstatat(folder, Self.terminated(entry.name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno != ENOENT { try fail(path, errno) }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if entry.isPictureName { found(entry, path, status, sidecars.of(entry), in: folder, parent) }
        case S_IFDIR: try descend(entry, in: folder, path, depth: depth + 1)
        default: break
        }
    }

    private mutating func found(
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
            file.size += Int64(beside.st_size)
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
        return size > Int64(PictureLimit.bytes) ? .tooLarge(limit: PictureLimit.bytes) : nil
    }

    private mutating func descend(
        _ entry: FolderEntry, in folder: Int32, _ path: String, depth: Int
    ) throws(FolderProblem) {
        if let problem = entry.problem {
            return reportOne(FoundFile(path: path, size: 0, modifiedNs: 0, problem: problem))
        }
        guard depth <= FolderLimit.depth else {
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
        try look(into: descriptor, path, depth: depth)
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
        report(file)
    }

    private static func terminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
