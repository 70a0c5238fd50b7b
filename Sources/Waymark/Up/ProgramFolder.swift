import EventLoops
import Glibc
import Terminal

/// Where the services' programs are.
struct ProgramFolder: Sendable {
    let path: String

    /// The folder given, else the one that this program is in.
    init(_ path: String?) throws(SystemError) {
        if let path { self.path = path } else { self.path = try Self.own() }
    }

    /// The file of a program; it must be there and may be run.
    func path(of name: String) throws(CommandFailure) -> String {
        let file = "\(path)/\(name)"
        guard unsafe access(file, X_OK) == 0 else {
            throw CommandFailure(
                "\(name) is not in \(path); --bin-dir DIR names the folder with the services' programs")
        }
        return file
    }

    private static func own() throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let link = "/proc/self/exe"
        let count = try syscall("readlink", link) { unsafe readlink(link, &buffer, buffer.count) }
        let file = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    }
}
