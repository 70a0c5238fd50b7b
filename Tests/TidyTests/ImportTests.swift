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

    @Test("each C library has one user, and small shims of our own a few")
    func doors() {
        // cairo has two: photos are scaled with it, the map is drawn; they share nothing else. Expat reads the answers
        // of stores, and notes in pictures. OpenSSL speaks TLS and checks signatures. libcurl speaks HTTP on loops, and
        // SMTP on threads.
        let shared: Set<String> = ["CCairo", "CCurl", "CExpat", "CLinux", "COpenSSL", "CProtobufC"]
        let users = SourceTree.sources.reduce(into: [String: Set<String>]()) { users, file in
            for door in imports(of: file) { users[door, default: []].insert(Declarations.module(of: file)) }
        }
        for door in SourceTree.names(in: "Sources/System") {
            let users = users[door] ?? []
            #expect(shared.contains(door) ? users.count > 1 : users.count == 1, "\(door) is open to \(users.sorted())")
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
            ("Sources/Net/RPC/Frame/A.swift", "Glibc"), ("Sources/Ground/Geo/Maths/A.swift", "FoundationEssentials"),
            ("Sources/Services/PinService/Pins/Domain/A.swift", "RPC"),
            ("Sources/Services/Gateway/A.swift", "Foundation"),
        ])
    func wrong(path: String, module: String) {
        #expect(ImportRules.violations(in: TextFile(path: path, text: "import \(module)\n")).count == 1)
    }
}
