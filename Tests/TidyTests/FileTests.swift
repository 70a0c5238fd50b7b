import Testing

@Suite("Files are short, finished and at home anywhere")
struct FileTests {
    @Test("no file has more than 500 lines")
    func lengths() {
        for file in SourceTree.files where file.isCode && !file.isGenerated {
            #expect(file.lines.count <= 501, "\(file.path)")
        }
    }

    /// A line that a long string makes long is left alone: a sentence is easier to find in one piece.
    @Test("no line has more than 120 columns, strings aside")
    func widths() {
        // Tests of the generator quote what it writes.
        let quoting = "Tests/ProtoGenTests/"
        for file in SourceTree.files where file.isCode && !file.isGenerated && !file.path.hasPrefix(quoting) {
            for (index, line) in file.lines.enumerated() where line.count > 120 && !line.contains("\"") {
                Issue.record("\(file.path):\(index + 1): \(line.count) columns")
            }
        }
    }

    @Test("nothing is left for later")
    func leftovers() {
        // Put together here, or this file would find itself.
        for word in ["TO" + "DO", "FIX" + "ME"] {
            expectNone(of: word, in: SourceTree.files.filter { !$0.isGenerated })
        }
    }

    @Test("no file knows the place it was written at")
    func places() {
        for word in ["/wo" + "rk/", "../sha" + "red"] {
            expectNone(of: word, in: SourceTree.files)
        }
    }

    @Test("generated files say that they are")
    func banners() {
        for file in SourceTree.files where file.isGenerated && !file.path.hasSuffix("modulemap") {
            let top = file.lines.prefix(5).joined(separator: "\n").lowercased()
            #expect(top.contains("generated") && top.contains("do not edit"), "\(file.path)")
        }
    }

    private func expectNone(of word: String, in files: [TextFile]) {
        for file in files {
            for (index, line) in file.lines.enumerated() where line.contains(word) {
                Issue.record("\(file.path):\(index + 1): holds \(word)")
            }
        }
    }
}

extension TextFile {
    /// Written by hand in a language with lines that one wraps; not prose, data or a licence.
    fileprivate var isCode: Bool {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return text.hasPrefix("#!") }
        return ["swift", "proto", "c", "h", "cc", "py", "sh", "modulemap", "js", "css"].contains(
            name[dot...].dropFirst())
    }
}
