import Glibc

/// The folder in which a service keeps its database.
package enum DataFolder {
    /// Why there is no folder.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Makes the folder and those above it that are missing; only their owner may look inside. Blocks.
    package static func make(_ path: String) throws(Problem) {
        for end in path.indices where path[end] == "/" && end != path.startIndex { _ = makeOne(String(path[..<end])) }
        let reason = makeOne(path)
        if reason == 0 { return }
        guard reason == EEXIST else {
            throw Problem(
                description: "the data folder \(path) can't be made: \(unsafe String(cString: strerror(reason)))")
        }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(description: "\(path) is not a folder; --data needs one, or a name that is still free")
        }
    }

    /// 0, or the errno that tells why not.
    private static func makeOne(_ path: String) -> Int32 { unsafe mkdir(path, 0o700) == 0 ? 0 : errno }
}
