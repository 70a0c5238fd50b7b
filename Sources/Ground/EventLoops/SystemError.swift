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

/// Runs a system call, repeats it while it is interrupted, and turns -1 into an error.
///
/// The errno is read before anything else can change it. EBADF and EFAULT can only be our own fault and trap.
@discardableResult
package func syscall<R: FixedWidthInteger>(
    _ name: StaticString, _ subject: @autoclosure () -> String = "", _ body: () -> R
) throws(SystemError) -> R {
    while true {
        let result = body()
        guard result == -1 else { return result }
        let code = errno
        if code == EINTR { continue }
        precondition(code != EBADF && code != EFAULT, "a closed descriptor or a bad address was used")
        throw SystemError(call: name.description, code: code, subject: subject())
    }
}

/// Runs a system call that may have nothing to do yet; returns nil then.
package func syscallUnlessBlocking<R: FixedWidthInteger>(
    _ name: StaticString, _ body: () -> R
) throws(SystemError) -> R? {
    do {
        return try syscall(name, "", body)
    } catch  where error.code == EAGAIN || error.code == EINPROGRESS {
        return nil
    }
}
