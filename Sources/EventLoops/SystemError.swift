import Glibc

/// A system call that failed for a reason that a peer, a disk or the network can cause.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The system call: "bind".
    package let call: String
    /// Its errno.
    package let code: Int32
    /// What it concerned: an address or a path. Empty when there is nothing to name.
    package let subject: String

    package init(call: String, code: Int32, subject: String = "") {
        self.call = call
        self.code = code
        self.subject = subject
    }

    package var description: String {
        let reason = unsafe String(cString: strerror(code))
        return subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
