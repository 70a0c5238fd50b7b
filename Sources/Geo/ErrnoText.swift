internal import Glibc

/// An errno in words, as the C library says it.
struct ErrnoText: CustomStringConvertible {
    private let code: Int32

    init(_ code: Int32) { self.code = code }

    var description: String {
        guard let text = unsafe strerror(code) else { return "errno \(code)" }
        return unsafe String(cString: text) + " (errno \(code))"
    }
}
