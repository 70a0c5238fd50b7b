import Contracts
import Synchronization
import TestTools
import Testing

@testable import Waymark

@Suite("P13 waymark import")
struct ImportCommandTests {
    private static let rows = (0..<300).map { "\($0),Place \($0),60.\($0),25\n" }.joined()

    private func badRow(_ line: UInt64) -> RunImportResponse {
        RunImportResponse(event: .badRow(BadRow(line: line, reason: "lat is 91")))
    }

    @Test("sends the whole file in chunks of the size that the service takes, and sums up")
    func upload() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write(Self.rows, to: "mine.csv")
        let gateway = TestGateway()
        try await gateway.run { run in
            let (code, screen) = await run(
                "import", path, "--dataset", "mine", "--id", "nr", "--lat", "y", "--title", "Mine", "--format", "csv")
            #expect(code == .success)
            #expect(screen.lines.count == 1)
            #expect(screen.output.hasPrefix("mine contains 300 places now, read from 300 rows in "))
            #expect(screen.output.hasSuffix("; skipped 2 bad rows; 1 id came again, the last one stays.\n"))
        }
        var state = gateway.places.state.withLock { ($0.begun, $0.uploaded, $0.chunkSizes) }
        #expect(state.0.first?.requestId.count == 32)
        state.0 = state.0.map { begun in
            var begun = begun
            begun.requestId = ""
            return begun
        }
        #expect(state.1 == Array(Self.rows.utf8))
        #expect(state.2.dropLast().allSatisfy { $0 == 1000 })
        #expect(
            state.0 == [
                BeginImportRequest(
                    dataset: "mine", fileName: "mine.csv", byteCount: UInt64(Self.rows.utf8.count), format: .csv,
                    columns: ColumnMap(id: "nr", latitude: "y"), title: "Mine")
            ])
    }

    @Test("lists the first twenty bad rows, then how many more there are")
    func badRows() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("x\n", to: "mine.csv")
        let gateway = TestGateway()
        gateway.places.importEvents.withLock { $0 = (1...25).map { badRow($0) } }
        try await gateway.run { run in
            let (_, screen) = await run("import", path, "--dataset", "mine")
            // On a busy machine lines of progress, which come every few seconds, may stand between them.
            let lines = screen.messages.split(separator: "\n").filter { $0.hasPrefix("line ") || $0.hasPrefix("…") }
            #expect(lines.count == 21)
            #expect(lines.first == "line 1: lat is 91")
            #expect(lines.last == "… and 5 more bad rows")
        }
    }

    @Test("draws its progress on a terminal")
    func progress() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("x\n", to: "mine.csv")
        let gateway = TestGateway()
        let progress = ImportProgress(
            phase: "reading", readByteCount: 1_000_000, totalByteCount: 2_000_000, rowCount: 12_345)
        gateway.places.importEvents.withLock { $0 = [badRow(1), RunImportResponse(event: .progress(progress))] }
        try await gateway.run { run in
            let (_, screen) = await run("import", path, "--dataset", "mine", isTerminal: true, width: 100)
            #expect(screen.messages.contains("reading  ████████████░░░░░░░░░░░░  50 %  1.0 MB, 12,345 rows"))
            #expect(screen.messages.hasSuffix("\r\u{1B}[K"))
        }
    }

    @Test("gives a program every bad row and the summary, a JSON line each")
    func json() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("x\n", to: "mine.csv")
        let gateway = TestGateway()
        gateway.places.importEvents.withLock {
            $0 = [RunImportResponse(event: .progress(ImportProgress())), badRow(7)]
        }
        try await gateway.run { run in
            let (_, screen) = await run("import", path, "--dataset", "mine", "--json")
            #expect(screen.lines.count == 2)
            #expect(screen.lines.first == #"{"badRow":{"line":"7","reason":"lat is 91"}}"#)
            #expect(screen.lines.last?.hasPrefix(#"{"summary":{"#) == true)
            #expect(screen.messages.isEmpty)
        }
    }

    @Test("names a file that is not there, and a folder", arguments: ["/nowhere/mine.csv", "/tmp"])
    func noFile(path: String) async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("import", path, "--dataset", "mine")
            #expect(code == .failure)
            #expect(screen.messages.contains(path))
        }
    }
}
