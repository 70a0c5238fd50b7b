import Testing

@Suite("Imports run one way")
struct ImportTests {
    @Test("every source file imports only what its place allows")
    func sources() {
        for file in SourceTree.swift where file.path.hasPrefix("Sources/") {
            let violations = ImportRules.violations(in: file)
            #expect(violations.isEmpty, "\(file.path)")
        }
    }

    @Test("no rule is without its module, no door without its user")
    func alive() {
        let imported = Set(
            SourceTree.swift.filter { $0.path.hasPrefix("Sources/") }.flatMap { imports(of: $0) })
        for door in SourceTree.names(in: "Sources/System") {
            #expect(imported.contains(door), "nothing imports \(door)")
        }
    }

    @Test("each C library has one user, and small shims of our own a few")
    func doors() {
        // cairo has two: photos are scaled with it, the map is drawn; they share nothing else. Expat reads the answers
        // of stores, and notes in pictures. OpenSSL speaks TLS and checks signatures. libcurl speaks HTTP on loops, and
        // SMTP on threads.
        let shared: Set<String> = ["CCairo", "CCurl", "CExpat", "CLinux", "COpenSSL", "CProtobufC"]
        for door in SourceTree.names(in: "Sources/System") where !shared.contains(door) {
            let users = ImportRules.allowed.filter { $0.value.contains(door) }.map(\.key)
            #expect(users.count == 1, "\(door) is open to \(users.sorted())")
        }
    }

    @Test("the import of a line is found, whatever stands around it")
    func parsing() {
        let source = """
            @testable import RPC
            package import struct EventLoops.Socket
            internal import Glibc // import Foundation
            let text = "import Wire"
            import func Glibc.open
            """
        #expect(imports(of: TextFile(path: "A.swift", text: source)) == ["RPC", "EventLoops", "Glibc", "Glibc"])
    }

    @Test(
        "a wrong import is seen",
        arguments: [
            ("Sources/RPC/Frame/A.swift", "Glibc"), ("Sources/RPC/Call/A.swift", "Contracts"),
            ("Sources/EventLoops/A.swift", "Wire"), ("Sources/PinService/Domain/A.swift", "RPC"),
            ("Sources/PinService/Handlers/A.swift", "PhotoService"),
            ("Sources/Gateway/A.swift", "Foundation"),
            ("Sources/Storage/A.swift", "CSodium"), ("Sources/Unheard/A.swift", "Glibc"),
        ])
    func wrong(path: String, module: String) {
        #expect(ImportRules.violations(in: TextFile(path: path, text: "import \(module)\n")).count == 1)
    }
}
