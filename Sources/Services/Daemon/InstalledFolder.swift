import Glibc

/// Finds files that come with the programs.
package enum InstalledFolder {
    /// The folders to search: installed next to the program, installed for the machine, or in the package that the
    /// program was built in.
    /// - Parameters:
    ///   - installed: the folder's name under share/waymark; empty for that folder itself.
    ///   - package: its name in the package: "Web".
    package static func candidates(installed: String, package: String) -> [String] {
        guard let program = programFolder else { return [] }
        let name = installed.isEmpty ? "" : "/\(installed)"
        var candidates = ["\(program)/../share/waymark\(name)", "/usr/share/waymark\(name)"]
        var ancestor = program[...]
        while let slash = ancestor.unicodeScalars.lastIndex(of: "/") {
            ancestor = ancestor[..<slash]
            candidates.append("\(ancestor)/\(package)")
        }
        return candidates
    }

    private static var programFolder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return nil }
        let text = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.unicodeScalars.lastIndex(of: "/").map { String(text[..<$0]) }
    }
}
