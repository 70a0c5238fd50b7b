import Files

/// The files of the sources.
enum SourceFiles {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

    /// The Swift files below a folder, from the root.
    static func paths(under folder: String) -> [String] {
        ((try? SmallFile.names(under: "\(root)/\(folder)")) ?? []).filter { $0.hasSuffix(".swift") }.map {
            "\(folder)/\($0)"
        }
    }
}
