internal import Glibc

/// Everything that can go wrong in Geo, each with a message that names the field, the value and what is allowed.
package enum GeoError: Error, Equatable, CustomStringConvertible {
    /// A value from outside is beyond its limits. `allowed` has its verb: "1 to 255 bytes are".
    case outOfRange(field: String, value: String, allowed: String)
    /// A snapshot file's bytes contradict its format.
    case corrupt(path: String, reason: String)
    /// A file of a format version that this build does not read.
    case unsupportedVersion(path: String, found: UInt32, supported: UInt32)
    /// The system refused a call; `code` is its errno.
    case system(call: String, code: Int32, path: String)
    /// A resolved filter was used with another set of snapshots than the one it was resolved for.
    case staleFilter

    package var description: String {
        switch self {
        case .outOfRange(let field, let value, let allowed): "\(field): \(value) is not allowed; \(allowed)"
        case .corrupt(let path, let reason): "\(path) is damaged: \(reason)"
        case .unsupportedVersion(let path, let found, let supported):
            "\(path) has format version \(found); this build reads version \(supported)"
        case .system(let call, let code, let path): "\(call) of \(path) failed: \(ErrnoText(code))"
        case .staleFilter: "the filter was resolved for another generation of the datasets; resolve it again"
        }
    }
}

/// An errno in words, from the C library.
struct ErrnoText: CustomStringConvertible {
    private let code: Int32

    init(_ code: Int32) { self.code = code }

    var description: String {
        guard let text = unsafe strerror(code) else { return "errno \(code)" }
        return unsafe String(cString: text) + " (errno \(code))"
    }
}
