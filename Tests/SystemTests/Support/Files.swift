import Glibc
import TestTools

/// What the test does to files beside reading and writing them. Blocks.
enum Files {
    static func makeFolder(_ path: String) { mkdir(path, 0o700) }

    static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else { throw RunFailure.file("rename", path, errno) }
    }

    /// Gives a file another name too, in folders that are made.
    static func link(_ path: String, at other: String) throws {
        if Glibc.link(path, other) == 0 { return }
        let parts = other.split(separator: "/").dropLast()
        for count in 1...max(1, parts.count) { makeFolder("/" + parts.prefix(count).joined(separator: "/")) }
        guard Glibc.link(path, other) == 0 else { throw RunFailure.file("link", path, errno) }
    }

    static func remove(_ path: String) throws {
        guard unlink(path) == 0 else { throw RunFailure.file("unlink", path, errno) }
    }

    /// The files below a folder, sorted, each with its path from there.
    static func below(_ folder: String) -> [String] { below(folder, prefix: "").sorted() }

    private static func below(_ folder: String, prefix: String) -> [String] {
        TemporaryFolder.names(in: folder).flatMap { name in
            var facts = stat()
            guard lstat("\(folder)/\(name)", &facts) == 0 else { return [String]() }
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            return isFolder ? below("\(folder)/\(name)", prefix: "\(prefix)\(name)/") : [prefix + name]
        }
    }

    /// Makes a file look as if nobody had touched it for two hours. One that is gone is left alone.
    static func makeOld(_ path: String) {
        var times = [timespec(tv_sec: time(nil) - 7_200, tv_nsec: 0), timespec(tv_sec: time(nil) - 7_200, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, &times, 0)
    }
}
