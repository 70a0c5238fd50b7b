package import EventLoops
import Glibc
package import Terminal

/// Where the services' programs are.
package struct ProgramFolder: Sendable {
    package let path: String

    /// The given folder, else the one that contains this program.
    package init(_ path: String?) throws(SystemError) {
        if let path { self.path = path } else { self.path = try Self.own() }
    }

    /// The file of a program, which must exist and be executable.
    package func path(of name: String) throws(CommandFailure) -> String {
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
        return file.unicodeScalars.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    }
}

/// A folder that a flag names, and that a service must be able to read.
package struct ReadableFolder: Sendable {
    /// Absolute, without symbolic links.
    package let path: String

    /// - Parameters:
    ///   - given: must be a readable folder.
    ///   - flag: the flag that named it: "--pictures".
    package init(_ given: String, flag: String) throws(CommandFailure) {
        guard let resolved = unsafe realpath(given, nil) else {
            throw CommandFailure("\(SystemError(call: flag, code: errno, subject: given))")
        }
        path = unsafe String(cString: resolved)
        unsafe free(resolved)
        // The path with the dot is accessible only in a folder that can be searched.
        guard unsafe access("\(path)/.", R_OK | X_OK) == 0 else {
            let reason = errno == ENOTDIR ? "is no folder" : "is a folder that can't be read"
            throw CommandFailure("\(flag) \(given) \(reason)")
        }
    }
}

/// Finds out early that a port is taken, with a clear error.
package enum PortCheck {
    /// Binds the address and releases it. Blocks while the name is looked up.
    package static func check(_ endpoint: Endpoint, flag: String) throws {
        guard let address = try endpoint.resolve().first else {
            throw CommandFailure("\(endpoint.host) has no address")
        }
        let taken = try isTaken(address)
        if taken {
            throw CommandFailure(
                "port \(endpoint.port) is taken on \(endpoint.host); \(flag) N chooses another, 0 a free one")
        }
    }

    private static func isTaken(_ address: SocketAddress) throws(SystemError) -> Bool {
        do {
            close(try Socket.listening(on: address).release())
            return false
        } catch  where error.code == EADDRINUSE {
            return true
        }
    }
}
