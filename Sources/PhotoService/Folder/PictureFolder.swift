import EventLoops
import Glibc

/// A folder of pictures on this machine, with its subfolders. It is only read, and links are not followed, so nothing
/// outside of it is read. All of it blocks.
struct PictureFolder: Sendable {
    let path: String

    /// `path` itself may be a link. It is looked up again each time, since a disk may be mounted or unmounted.
    init(_ path: String) { self.path = path }

    /// Reports every JPEG, by name, in the order of the names. Hidden files and folders are skipped.
    @discardableResult
    func walk(
        isCancelled: () -> Bool = { false }, _ body: (FoundFile) -> Void
    ) throws(FolderProblem) -> FolderWalk {
        let root = try openRoot()
        return try withoutActuallyEscaping(isCancelled) { isCancelled throws(FolderProblem) in
            try withoutActuallyEscaping(body) { body throws(FolderProblem) in
                var walker = FolderWalker(path, isCancelled: isCancelled, report: body)
                try walker.look(into: root, "", depth: 0)
                return walker.walk
            }
        }
    }

    /// All bytes of a picture, and its time of modification, in nanoseconds since 1970.
    func read(_ relativePath: String) throws(PictureProblem) -> (bytes: [UInt8], modifiedNs: Int64) {
        let file = try open(relativePath)
        return (try file.bytes(limit: PictureLimit.bytes), file.modifiedNs)
    }

    /// What the picture and its metadata say; no more of the file is read than that needs.
    func facts(_ relativePath: String) throws(PictureProblem) -> PictureFacts {
        let file = try open(relativePath)
        var count = FolderLimit.firstBytes
        while true {
            let bytes = try file.bytes(limit: count)
            do throws(PictureProblem) {
                return try PictureFacts(bytes)
            } catch {
                guard error == .truncated, bytes.count == count, count < PictureLimit.bytes else { throw error }
                count = min(count * 8, PictureLimit.bytes)
            }
        }
    }

    /// A missing file counts as gone only if the folder contains another picture.
    private func open(_ relativePath: String) throws(PictureProblem) -> PictureFile {
        let root: Int32
        do throws(FolderProblem) {
            root = try openRoot()
        } catch {
            throw .noFolder(error)
        }
        defer { close(root) }
        do throws(PictureProblem) {
            return try PictureFile(relativePath, beneath: root)
        } catch {
            throw error == .gone && isEmpty ? .noFolder(.empty(folder: path)) : error
        }
    }

    /// Whether it contains no picture; the first one found ends the walk.
    private var isEmpty: Bool {
        var isEmpty = true
        _ = try? walk(isCancelled: { !isEmpty }) { _ in isEmpty = false }
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

/// Why a folder of pictures can't be scanned. It says nothing about the pictures: they are not gone.
enum FolderProblem: Error, Equatable {
    /// It does not exist, is not a folder, or may not be read.
    case unreadable(folder: String, reason: String)
    /// It contains no picture, though photos of it are known: the mount point of a disk that is not mounted.
    case empty(folder: String)
    /// The caller cancelled.
    case cancelled
}

extension FolderProblem: CustomStringConvertible {
    /// A text for people.
    var description: String {
        switch self {
        case .unreadable(let folder, let reason): "the folder of pictures \(folder) can't be read: \(reason)"
        case .empty(let folder):
            """
            the folder of pictures \(folder) has no picture, but photos of it are known: is its disk mounted? If all \
            of them are deleted for good, put a file into it whose name ends with .jpg; an empty one will do
            """
        case .cancelled: "the scan was stopped"
        }
    }
}

/// A file of the folder that looks like a picture by its name, or something in it that can't be used.
struct FoundFile: Equatable, Sendable {
    /// Its path in the folder: "2024/helsinki.jpg". What is not UTF-8 in it is replaced, and then it is a problem.
    let path: String
    /// Bytes.
    let size: Int64
    /// When it was last modified, in nanoseconds since 1970.
    let modifiedNs: Int64
    /// Why it can't be used, as far as can be seen without opening it.
    let problem: PictureProblem?
}

/// The result of a walk through the folder.
struct FolderWalk: Equatable, Sendable {
    /// How many entries it reported: pictures, and files that can't be used.
    var foundCount = 0
    /// Whether it saw everything: then a picture that it did not report was deleted. Otherwise a folder could not be
    /// read, was too deep, or there were too many entries.
    var isComplete = true
}
