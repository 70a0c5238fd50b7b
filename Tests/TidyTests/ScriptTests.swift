import FoundationEssentials
import Glibc
import Testing

@Suite("Scripts explain themselves")
struct ScriptTests {
    static let scripts =
        SourceTree.names(in: "script").sorted().filter { !$0.hasSuffix(".d") }.map { "script/" + $0 }
        + [".ci/run"]

    @Test("is executable and answers --help", arguments: scripts)
    func help(script: String) {
        let answer = output(of: "'\(SourceTree.root)/\(script)' --help")
        #expect(answer.status == 0)
        #expect(answer.text.lowercased().contains("usage: \(script)"))
    }

    @Test("refuses what it does not know", arguments: scripts.filter { $0.hasPrefix("script/") })
    func unknown(script: String) {
        let answer = output(of: "'\(SourceTree.root)/\(script)' --no-such-flag 2>&1")
        #expect(answer.status == 2)
    }

    @Test("script/fuzz names only files that are there")
    func fuzzed() throws {
        let script = try String(contentsOfFile: SourceTree.root + "/script/fuzz", encoding: .utf8)
            .replacing("\"$photos\"", with: "Sources/Services/PhotoService").replacing(
                "\"$places\"", with: "Sources/Services/PlacesService")
        let files = script.split { $0.isWhitespace || $0 == "\"" }
            .filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") && !$0.contains("*") && !$0.contains("$") }
        #expect(files.count > 5)
        for file in files { #expect(SourceTree.exists(String(file)), "\(file)") }
    }

    /// What a shell command writes to its standard output, and the status that it exits with.
    private func output(of command: String) -> (text: String, status: Int32) {
        guard let stream = popen(command, "r") else { return ("", -1) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF {
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        let status = pclose(stream)
        return (String(decoding: bytes, as: UTF8.self), (status >> 8) & 0xFF)
    }
}
