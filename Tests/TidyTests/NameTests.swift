import Testing

@Suite("Names of the sources")
struct NameTests {
    /// Each module has its own of these, and none sees another's.
    private static let everywhere: Set<String> = ["Main", "Config", "Schema"]
    /// What Swift calls, and what shows a test or a fuzzer the state that it waits for.
    private static let calledFromOutside: Set<String> = [
        "checkIsolated", "isIsolatingCurrentContext", "waitingCount", "pendingBytes",
    ]

    @Test("a type's name stands for one thing, whatever the module")
    func homonyms() {
        var modules: [String: Set<String>] = [:]
        for file in SourceTree.sources {
            let module = Declarations.module(of: file)
            for type in Declarations.types(in: file) { modules[type, default: []].insert(module) }
        }
        for (type, modules) in modules.sorted(by: { $0.key < $1.key })
        where modules.count > 1 && !Self.everywhere.contains(type) {
            Issue.record("\(type) is a type in \(modules.sorted().joined(separator: " and in "))")
        }
    }

    @Test("nothing is there for tests alone, or for nobody")
    func dead() {
        // Generated code calls the handlers.
        let uses = Declarations.words(of: SourceTree.swift.filter { $0.folders.first != "Tests" })
        for file in SourceTree.sources {
            for member in Declarations.members(in: file)
            where uses[member[...]] == 1 && !Self.calledFromOutside.contains(member) {
                Issue.record("\(file.path): nothing in Sources and Benchmarks uses \(member)")
            }
        }
    }

    /// The gateway looks for the field by its number, as it does not unpack what it forwards.
    @Test("the name of a change is field 15 of every request that has one, and no other field of bytes is")
    func changeNames() {
        let numbers: Set<Substring> = ["bool", "double", "int32", "int64", "uint32", "uint64"]
        for file in SourceTree.files where file.path.hasPrefix("Protos/waymark/") && file.path.hasSuffix(".proto") {
            // Those of the protocol itself, which is not forwarded.
            if file.path.hasSuffix("rpc/v1/frames.proto") { continue }
            for line in file.lines {
                let field = line.firstMatch(of: /^  (?:optional |repeated )?([\w.]+) (\w+) = (\d+)[ ;]/)
                guard let (_, type, name, number) = field?.output else { continue }
                if name == "request_id" { #expect(number == "15", "\(file.path): \(line)") }
                if number == "15" { #expect(name == "request_id" || numbers.contains(type), "\(file.path): \(line)") }
            }
        }
    }

    @Test("declarations are found at their level, and those that only the file sees are left out")
    func found() {
        let file = TextFile(
            path: "Sources/Ground/A/B.swift",
            text: "package struct C {\n    enum D {}\n    let e = 1\n    private var f = 2\n}\nprivate class G {}\n"
                + "// func h\n")
        #expect(Declarations.types(in: file) == ["C"])
        #expect(Declarations.members(in: file) == ["e"])
        #expect(Declarations.module(of: file) == "A")
    }
}
