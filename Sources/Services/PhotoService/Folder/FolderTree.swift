import EventLoops
import Glibc
import PictureCalls
import Synchronization

/// The folders of a folder of pictures that a scan looks into, named some at a time. All of it blocks.
final class FolderTree: Sendable {
    /// Folders of a turn.
    private static let foldersOfTurn = 64

    private let folder: PictureFolder
    /// Paths in the folder that were not visited yet; that of the folder itself is empty.
    private let paths = Mutex([""])

    init(_ folder: PictureFolder) { self.folder = folder }

    /// Hands the next folders to `body`; false when there are none any more.
    func next(_ body: (String) throws -> Void) throws -> Bool {
        try paths.withLock { paths in
            for _ in 0..<Self.foldersOfTurn {
                guard let path = paths.popLast() else { return false }
                let full = path.isEmpty ? folder.path : "\(folder.path)/\(path)"
                try body(full)
                guard path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < FolderLimit.depth else { continue }
                for name in folders(in: full) {
                    let inner = path.isEmpty ? name : "\(path)/\(name)"
                    if !folder.leftOut.leaveOut(last: inner), paths.count < FolderLimit.entries { paths.append(inner) }
                }
            }
            return true
        }
    }

    /// The names of its folders; none when it can't be read.
    private func folders(in path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        let entries = try? unsafe FolderEntry.all(in: stream, limit: FolderLimit.entries) { false }
        return (entries ?? []).lazy.filter { $0.problem == nil && self.isFolder($0, path) }.map {
            String(decoding: $0.name, as: UTF8.self)
        }
    }

    private func isFolder(_ entry: FolderEntry, _ path: String) -> Bool {
        guard entry.kind == .unknown else { return entry.kind == .folder }
        var status = stat()
        let inner = "\(path)/\(String(decoding: entry.name, as: UTF8.self))"
        return unsafe lstat(inner, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
