import Crypto
import EventLoops
import Glibc
import PictureCalls
import Synchronization

/// A folder of pictures on this machine, with its subfolders. It is only read, and links are not followed, so nothing
/// outside of it is read. All of it blocks.
struct PictureFolder: Sendable {
    let path: String
    let leftOut: LeftOutNames

    /// `path` itself may be a link. It is looked up again each time, since a disk may be mounted or unmounted.
    init(_ path: String, leftOut: LeftOutNames = .bySystems) {
        self.path = path
        self.leftOut = leftOut
    }

    /// Reports every picture that is not left out, by name, in the order of the names.
    @discardableResult
    func walk(
        isCancelled: () -> Bool = { false }, _ body: (FoundFile) -> Void
    ) throws(FolderProblem) -> FolderWalk {
        try walk(openRoot(), isCancelled: isCancelled, body)
    }

    /// Closes `root`.
    private func walk(
        _ root: Int32, isCancelled: () -> Bool, _ body: (FoundFile) -> Void
    ) throws(FolderProblem) -> FolderWalk {
        var walker = FolderWalker(path, leftOut)
        try walker.begin(in: root, isCancelled: isCancelled)
        while let files = try walker.next(1, isCancelled: isCancelled) { files.forEach(body) }
        return walker.walk
    }

    /// A walk that has begun.
    func walker(isCancelled: () -> Bool) throws(FolderProblem) -> FolderWalker {
        var walker = FolderWalker(path, leftOut)
        try walker.begin(in: openRoot(), isCancelled: isCancelled)
        return walker
    }

    /// All bytes of a picture that has at most `limit`, and its time of modification, in nanoseconds since 1970.
    func read(
        _ relativePath: String, limit: Int = PictureLimit.ownBytes
    ) throws(PictureProblem) -> (bytes: [UInt8], modifiedNs: Int64) {
        let file = try open(relativePath)
        return (try file.bytes(limit: limit, whole: limit), file.modifiedNs)
    }

    /// What the picture and its notes say, as `read` finds it in its bytes and those of the file beside it. At first no
    /// more is read than most JPEGs need; of other kinds everything.
    func notes(
        _ file: FoundFile, _ read: (_ picture: [UInt8], _ sidecar: [UInt8]) throws(PictureProblem) -> PictureNotes
    ) throws(PictureProblem) -> PictureNotes {
        let opened = try open(file.path)
        let sidecar = file.sidecar.flatMap { try? open($0).bytes(limit: FolderLimit.sidecarBytes) } ?? []
        var count = FolderLimit.firstBytes
        if !(try opened.bytes(limit: 3)).elementsEqual([0xff, 0xd8, 0xff]) { count = PictureLimit.bytes }
        while true {
            let bytes = try opened.bytes(limit: count)
            do throws(PictureProblem) {
                return try read(bytes, sidecar)
            } catch {
                guard bytes.count == count else { throw error }
                if count == PictureLimit.bytes { break }
                guard error == .truncated else { throw error }
                count = min(count * 8, PictureLimit.bytes)
            }
        }
        // Whatever a part of it seemed to be. Files of such a size are held one at a time.
        return try Self.largeFile.withLock { _ throws(PictureProblem) in
            try read(try opened.bytes(limit: PictureLimit.ownBytes), sidecar)
        }
    }

    private static let largeFile = Mutex(())

    /// Of all bytes of a picture, and of those of the file beside it.
    func digest(_ file: FoundFile) throws(PictureProblem) -> FileDigest {
        FileDigest(picture: try digest(of: file.path), notes: try file.sidecar.map(digest))
    }

    private func digest(of path: String) throws(PictureProblem) -> [UInt8] {
        var digest = RunningSHA256()
        try open(path).forEachPart { digest.update($0) }
        return digest.digest
    }

    /// A missing file counts as gone only if the folder contains another picture.
    private func open(_ relativePath: String) throws(PictureProblem) -> PictureFile {
        let root: Int32
        do throws(FolderProblem) {
            root = try openRoot()
        } catch {
            throw .noFolder(error)
        }
        do throws(PictureProblem) {
            let file = try PictureFile(relativePath, beneath: root)
            close(root)
            return file
        } catch {
            guard error == .gone else {
                close(root)
                throw error
            }
            throw isEmpty(root) ? .noFolder(.empty(folder: path)) : error
        }
    }

    /// Whether the folder that is open as `root` contains no picture; the first one found ends the walk. Its path may
    /// lead to another one by now: that of the disk that was just mounted. Closes `root`.
    private func isEmpty(_ root: Int32) -> Bool {
        var isEmpty = true
        _ = try? walk(root, isCancelled: { !isEmpty }) { _ in isEmpty = false }
        return isEmpty
    }

    private func openRoot() throws(FolderProblem) -> Int32 {
        do throws(SystemError) {
            return try syscall("open") { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        } catch {
            throw .unreadable(folder: path, reason: error.description)
        }
    }
}

/// A file of the folder that looks like a picture by its name, or something in it that can't be used.
struct FoundFile: Equatable, Sendable {
    /// Its path in the folder: "2024/helsinki.jpg". What is not UTF-8 in it is replaced, and then it is a problem.
    let path: String
    /// Bytes, those of the sidecar too: so a change of either is seen.
    var size: Int64
    /// Of these, those of the sidecar.
    var sidecarSize: Int64 = 0
    /// When it, or its sidecar, was last modified, in nanoseconds since 1970.
    var modifiedNs: Int64
    /// Why it can't be used, as far as can be seen without opening it.
    let problem: PictureProblem?
    /// The path of a file of XMP beside it; nil when there is none.
    var sidecar: String?
    /// Whether another picture of the folder has as many bytes: it may be a copy.
    var hasTwin = false
}

/// What tells the bytes of a picture, and of the file of XMP beside it, from all others: SHA-256.
struct FileDigest: Equatable, Sendable {
    let picture: [UInt8]
    /// Nil when there is no such file.
    let notes: [UInt8]?
}

/// The result of a walk through the folder.
struct FolderWalk: Equatable, Sendable {
    /// How many entries it reported: pictures, and files that can't be used.
    var foundCount = 0
    /// Whether it saw everything: then a picture that it did not report was deleted. Otherwise a folder could not be
    /// read, was too deep, or there were too many entries.
    var isComplete = true
}
