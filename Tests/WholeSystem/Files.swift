import Glibc
import TestTools

/// What the test does to files beside reading and writing them. Blocks.
package enum Files {
    package static func makeFolder(_ path: String) { unsafe mkdir(path, 0o700) }

    package static func move(_ path: String, to other: String) throws {
        guard unsafe rename(path, other) == 0 else { throw RunFailure.file("rename", path, errno) }
    }

    /// Gives a file another name too, in folders that are made.
    package static func link(_ path: String, at other: String) throws {
        if unsafe Glibc.link(path, other) == 0 { return }
        let parts = other.split(separator: "/").dropLast()
        for count in 1...max(1, parts.count) { makeFolder("/" + parts.prefix(count).joined(separator: "/")) }
        guard unsafe Glibc.link(path, other) == 0 else { throw RunFailure.file("link", path, errno) }
    }

    package static func remove(_ path: String) throws {
        guard unsafe unlink(path) == 0 else { throw RunFailure.file("unlink", path, errno) }
    }

    /// The files below a folder, sorted, each with its path from there.
    package static func below(_ folder: String) -> [String] { below(folder, prefix: "").sorted() }

    private static func below(_ folder: String, prefix: String) -> [String] {
        TemporaryFolder.names(in: folder).flatMap { name in
            var facts = stat()
            guard unsafe lstat("\(folder)/\(name)", &facts) == 0 else { return [String]() }
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            return isFolder ? below("\(folder)/\(name)", prefix: "\(prefix)\(name)/") : [prefix + name]
        }
    }

    /// Makes a file look as if nobody had touched it for two hours. One that is gone is left alone.
    package static func makeOld(_ path: String) {
        var times = [timespec(tv_sec: time(nil) - 7_200, tv_nsec: 0), timespec(tv_sec: time(nil) - 7_200, tv_nsec: 0)]
        unsafe utimensat(AT_FDCWD, path, &times, 0)
    }
}
