import Glibc
import TestTools

/// The folder of a run, which stays when something went wrong.
final class RunFolder {
    let path: String
    var isKept = false

    init() {
        let above = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(above)/waymark-kill-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { preconditionFailure("no temporary folder: errno \(errno)") }
        path = String(cString: made)
        // PostgreSQL runs as a user of its own and has to reach its folder in it.
        chmod(path, 0o711)
    }

    deinit { if !isKept { TemporaryFolder.remove(path) } }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
