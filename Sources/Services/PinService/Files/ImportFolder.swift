import EventLoops
import Files

/// Files of imports on the disk of this process while they are read: archives are not read from one end to the other.
struct ImportFolder: Sendable {
    private let path: String

    /// Makes the folder, and removes what an earlier process left there. Blocks.
    init(_ path: String) throws(SystemError) {
        self.path = path
        try DiskFile.makeFolder(path)
        for name in try DiskFile.names(in: path) { try DiskFile.remove("\(path)/\(name)") }
    }

    /// A path for a new file.
    func newPath() -> String { "\(path)/\(String(UInt64.random(in: 0 ... .max), radix: 16))" }
}
