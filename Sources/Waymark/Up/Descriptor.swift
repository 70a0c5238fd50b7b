import EventLoops
import Glibc

/// A descriptor that closes itself.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes over an open descriptor.
    init(owning number: Int32) { self.number = number }

    /// A file to append to, made when it is not there, for its owner only.
    static func appending(to path: String) throws(SystemError) -> Descriptor {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError(call: "open", code: errno, subject: path) }
        return Descriptor(owning: number)
    }

    deinit { close(number) }
}
