import Bytes
import EventLoops
package import Files
import Glibc
import Terminal

/// The folder in which `up` keeps everything: a folder for each service, the key, the logs.
package struct UpFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// `$XDG_DATA_HOME/waymark`, else `~/.local/share/waymark` (XDG Base Directory Specification). Nil without a home.
    package static func standard(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_DATA_HOME"], base.begins(with: "/") { return "\(base)/waymark" }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.local/share/waymark" }
    }

    package var key: KeyFile { KeyFile(path: "\(path)/key") }

    /// The token that clients need where not everyone is let in.
    package var token: KeyFile { KeyFile(path: "\(path)/token") }

    /// What other commands read while it runs.
    package var entrance: String { "\(path)/entrance.json" }

    /// Where services say to each other that they replicate something.
    var replicated: String { "\(path)/replicated" }

    package var logs: String { "\(path)/logs" }

    /// Where one service keeps its data.
    package func folder(_ name: String) -> String { "\(path)/\(name)" }

    package func log(_ service: String) -> String { "\(logs)/\(service).log" }

    /// Makes what is missing, and locks the folder for this process: two sets of services must not share it. The lock
    /// is released when the descriptor is closed, also by the process's end.
    package func open(_ names: [String]) throws -> Descriptor {
        try Self.makeFolders(path)
        for name in names + ["logs"] { try Self.makeFolders(folder(name)) }
        let lock = try Descriptor.appending(to: "\(path)/lock")
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw SystemError(call: "flock", code: errno, subject: path) }
            throw CommandFailure("\(path) is in use by another waymark up; --data DIR chooses another folder")
        }
        // It is of the run before.
        try DiskFile.remove(entrance)
        _ = try key.makeIfMissing()
        return lock
    }

    /// Whether a `waymark up` has locked the folder.
    package var isInUse: Bool {
        let file = "\(path)/lock"
        guard unsafe access(file, W_OK) == 0, let lock = try? Descriptor.appending(to: file) else { return false }
        return flock(lock.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Renames the logs of the previous run; those of the run before it are overwritten.
    package func putAsideLogs(of services: [String]) {
        // The only expected failure is that there is none to rename.
        for service in services { _ = unsafe rename(log(service), "\(log(service)).1") }
    }

    /// Makes a folder and all its parents.
    private static func makeFolders(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == -1 else { return }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.unicodeScalars.lastIndex(of: "/"), slash > path.startIndex else { fallthrough }
            try makeFolders(String(path[..<slash]))
            try syscall("mkdir", path) { unsafe mkdir(path, 0o700) }
        default: throw SystemError(call: "mkdir", code: errno, subject: path)
        }
    }
}
