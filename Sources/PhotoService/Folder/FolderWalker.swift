import EventLoops
import Glibc

/// One walk through the folder of pictures: down into each folder in the order of the names, never through a link.
struct FolderWalker {
    /// The folder itself, for error messages.
    let root: String
    let isCancelled: () -> Bool
    let report: (FoundFile) -> Void
    private(set) var walk = FolderWalk()
    private var entryCount = 0

    init(_ root: String, isCancelled: @escaping () -> Bool, report: @escaping (FoundFile) -> Void) {
        self.root = root
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
        for entry in entries {
            if isCancelled() { throw .cancelled }
            entryCount += 1
            guard entryCount <= FolderLimit.entries else {
                return miss(path, .unreadable("there are more than \(FolderLimit.entries) files"))
            }
            try visit(entry, in: descriptor, path, depth: depth)
        }
    }

    private mutating func visit(
        _ entry: FolderEntry, in folder: Int32, _ parent: String, depth: Int
    ) throws(FolderProblem) {
        guard entry.kind != .other else { return }
        var status = stat()
        let path = (parent.isEmpty ? "" : parent + "/") + String(decoding: entry.name, as: UTF8.self)
        guard unsafe fstatat(folder, Self.terminated(entry.name), &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno != ENOENT { try fail(path, errno) }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: if entry.isPictureName { found(entry, path, status) }
        case S_IFDIR: try descend(entry, in: folder, path, depth: depth + 1)
        default: break
        }
    }

    private mutating func found(_ entry: FolderEntry, _ path: String, _ status: stat) {
        let size = Int64(status.st_size)
        let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        reportOne(FoundFile(path: path, size: size, modifiedNs: modified, problem: problem(entry, path, size)))
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

/// A name in a folder.
struct FolderEntry {
    /// What it names; never followed when it is a link.
    enum Kind { case file, folder, other, unknown }

    /// Bytes, as on the disk, without a zero.
    let name: [UInt8]
    let kind: Kind

    /// Reads all names of an open folder except hidden ones, sorted by their bytes; nil when reading fails.
    static func all(in stream: OpaquePointer) -> [FolderEntry]? {
        var entries: [FolderEntry] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") {
                entries.append(FolderEntry(name: name, kind: kind(unsafe entry.pointee.d_type)))
            }
            errno = 0
        }
        guard errno == 0 else { return nil }
        return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Whether it has the extension of a JPEG.
    var isPictureName: Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return Self.endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
    }

    /// Why it can't be part of a photo's id; nil when it can.
    var problem: PictureProblem? {
        guard let text = String(validating: name, as: UTF8.self) else { return .badName("is not UTF-8") }
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? .badName("contains a control character") : nil
    }

    private static let endings: Set<String> = ["jpg", "jpeg", "jpe", "jfif"]

    private static func kind(_ type: UInt8) -> Kind {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_UNKNOWN): .unknown
        default: .other
        }
    }
}

/// The limits of a walk through a folder of pictures.
enum FolderLimit {
    /// Folders in folders.
    static let depth = 32
    /// Files, folders and everything else.
    static let entries = 1_000_000
    /// How much of a file is read at first for its metadata; nearly always it is enough.
    static let firstBytes = 64 << 10
}
