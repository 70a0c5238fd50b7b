import FoundationEssentials
import Testing

/// One text file of the repository.
struct TextFile: CustomTestStringConvertible {
    /// From the repository's root: `Sources/Net/RPC/Frame/ByteBuffer.swift`.
    let path: String
    let text: String
    let lines: [Substring]
    /// The lines without texts and comments; as they are when the file is not Swift.
    let code: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        code = path.hasSuffix(".swift") ? SwiftCode(text).lines : lines
    }

    var folders: [Substring] { path.split(separator: "/").dropLast() }
    var isSwift: Bool { path.hasSuffix(".swift") }
    /// Made by a program from something else that is checked in.
    var isGenerated: Bool {
        folders.contains { ["Generated", "CProtos", "CTestProtos", "CDescriptors"].contains($0) }
    }
    var testDescription: String { path }
}

/// The repository that these tests were built from.
enum SourceTree {
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    /// What is not ours to judge: results of builds, and data with its own licences.
    private static let skipped: Set<String> = [".build", ".git", ".swiftpm", "Data", "__pycache__"]
    private static let textEndings = [
        "swift", "md", "proto", "c", "h", "cc", "modulemap", "py", "sh", "json", "yml", "yaml", "txt",
        "html", "css", "js",
    ]

    /// Every text file, in order of its path.
    static let files: [TextFile] = paths(under: "").sorted().compactMap(read)
    static let swift = files.filter(\.isSwift)
    static let sources = swift.filter {
        ["Sources", "Benchmarks", "DataTools"].contains($0.folders.first) && !$0.isGenerated
    }
    static let tests = swift.filter { $0.path.hasPrefix("Tests/") && !$0.isGenerated }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root + "/" + path)
    }

    /// Names in a folder; none when there is no such folder.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
    }

    private static func paths(under folder: String) -> [String] {
        names(in: folder).filter { !skipped.contains($0) }.flatMap { name in
            let path = folder.isEmpty ? name : folder + "/" + name
            var isFolder = false
            _ = FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
            return isFolder ? paths(under: path) : [path]
        }
    }

    /// Nil for what is no text: by its ending, or for want of one by its content.
    private static func read(_ path: String) -> TextFile? {
        let name = path.split(separator: "/").last ?? ""
        if let dot = name.dropFirst().lastIndex(of: "."),
            !textEndings.contains(String(name[dot...].dropFirst()))
        {
            return nil
        }
        guard let data = FileManager.default.contents(atPath: root + "/" + path) else { return nil }
        return String(validating: data, as: UTF8.self).map { TextFile(path: path, text: $0) }
    }
}
