import Glibc

/// The process's environment variables.
enum Environment {
    static var ofProcess: [String: String] {
        var found: [String: String] = [:]
        var index = 0
        while let entry = unsafe environ[index] {
            let parts = unsafe String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            index += 1
        }
        return found
    }
}
