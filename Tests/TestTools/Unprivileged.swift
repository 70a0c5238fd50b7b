internal import Glibc

/// A user without rights to others' files. Root may read what no one else may, so tests of missing rights need one.
package enum Unprivileged {
    package static let userID: UInt32 = 65_534

    /// Runs a body as this user, as far as files are concerned. Only this thread is, so it must not wait.
    package static func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard geteuid() == 0 else { return try body() }
        become(userID)
        defer { become(0) }
        return try body()
    }

    /// Gives a file or folder to this user, where that is needed.
    package static func own(_ path: String) {
        if geteuid() == 0 { unsafe chown(path, userID, userID) }
    }

    private static func become(_ user: UInt32) {
        typealias Setter = @convention(c) (UInt32) -> Int32
        guard let symbol = unsafe dlsym(nil, "setfsuid") else { preconditionFailure("no setfsuid") }
        _ = unsafe unsafeBitCast(symbol, to: Setter.self)(user)
    }
}
