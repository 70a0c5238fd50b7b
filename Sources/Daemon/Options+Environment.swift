import Glibc

extension Options {
    /// The process's environment.
    package static func environment() -> [String: String] {
        var found: [String: String] = [:]
        var index = 0
        while let text = unsafe environ[index] {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            index += 1
        }
        return found
    }
}
