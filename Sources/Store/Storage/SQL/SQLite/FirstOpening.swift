internal import CLinux
internal import Files
internal import Glibc

/// Distinguishes a database that is being created from one that lost all its bytes: SQLite takes an empty file for an
/// empty database, and would start over silently.
///
/// Next to a database that is being created there is a file `….making`, until its schema is there. So a kill at any
/// moment leaves either that mark or a file that is not empty.
struct FirstOpening {
    private let path: String
    private let mark: String
    private let isFirst: Bool

    /// Must run before SQLite opens the file. Throws when the file has been emptied.
    init(_ path: String) throws(SQLError) {
        self.path = path
        mark = "\(path).making"
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        let isMarked = (try? DiskFile.exists(mark)) ?? false
        if isThere, status.st_size == 0, status.st_mode & S_IFMT == S_IFREG, !isMarked, Self.isEmptyLog(path) {
            throw SQLError(
                .cannotOpen,
                "database \(path) has 0 bytes: what it held is lost. Bring it back from a backup, or remove the file to "
                    + "begin with an empty database")
        }
        isFirst = !isThere || isMarked
        guard !isThere else { return }
        let descriptor = unsafe open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        // If no file can be created, SQLite reports it better.
        guard descriptor >= 0 else { return }
        close(descriptor)
        try? DiskFile.syncFolder(of: path)
    }

    /// The schema has been created.
    func finish() {
        guard isFirst else { return }
        try? DiskFile.remove(mark)
    }

    /// When all of a database is still in its log, its file may be empty.
    private static func isEmptyLog(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat("\(path)-wal", &status) != 0 || status.st_size == 0
    }
}
