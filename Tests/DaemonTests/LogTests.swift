import Daemon
import EventLoops
import FoundationEssentials
import Glibc
import TestSupport
import TestTools
import Testing

@Suite("Log", .timeLimit(.minutes(3)))
struct LogTests {
    @Test("writes one JSON object a line, in the order of its values")
    func line() throws {
        let lines = try WrittenLog.lines { $0.info("call finished", ["method": "a.B/C", "ms": "1.5"]) }
        #expect(
            lines == [
                #"{"time":42,"level":"info","service":"test","message":"call finished","method":"a.B/C","ms":"1.5"}"#
            ])
    }

    @Test("keeps the order in which lines were written")
    func order() throws {
        let lines = try WrittenLog.lines(level: .debug) { log in
            for index in 0..<5000 { log.debug("line", ["index": "\(index)"]) }
        }
        #expect(lines.count == 5000)
        for (index, line) in lines.enumerated() where !line.hasSuffix("\"index\":\"\(index)\"}") {
            Issue.record("line \(index) is \(line)")
        }
    }

    @Test("escapes whatever a value holds, so that nobody can forge a line")
    func escaping() throws {
        let nasty = "\"}\n{\"level\":\"error\"\u{0}\u{1b}[31m\\ é \u{2028} 🗺"
        let lines = try WrittenLog.lines { $0.info("call refused", ["reason": nasty, "key\n\"": "x"]) }
        #expect(lines.count == 1)
        struct Line: Decodable { let reason: String }
        let decoded = try JSONDecoder().decode(Line.self, from: Data(try #require(lines.first).utf8))
        #expect(decoded.reason == nasty)
        #expect(!lines[0].utf8.contains { $0 < 0x20 })
    }

    @Test("cuts a value of many bytes at the end of a character", arguments: 0..<6)
    func longValue(before: Int) throws {
        let value = String(repeating: "x", count: before) + String(repeating: "é🗺", count: 100_000)
        let lines = try WrittenLog.lines { $0.info("call refused", ["reason": value, "code": "ABORTED"]) }
        struct Line: Decodable { let reason: String, code: String }
        let line = try JSONDecoder().decode(Line.self, from: Data(try #require(lines.first).utf8))
        let kept = line.reason.dropLast()
        #expect(line.code == "ABORTED" && line.reason.last == "…")
        #expect((2_045...2_048).contains(kept.utf8.count) && value.utf8.starts(with: kept.utf8))
    }

    @Test("leaves out what is below its level", arguments: Log.Level.allCases)
    func levels(level: Log.Level) throws {
        let lines = try WrittenLog.lines(level: level) { log in
            log.debug("a")
            log.info("b")
            log.warning("c")
            log.error("d")
        }
        #expect(lines.count == 4 - level.rawValue)
        #expect(Log.Level("\(level)") == level)
        #expect(Log.Level("loud") == nil)
    }

    @Test("drops lines rather than wait for a slow reader, and says how many")
    func dropping() async throws {
        let (readEnd, writeEnd) = try makePipe()
        let log = Log(service: "test", level: .debug, clock: ManualClock(42).clock, descriptor: writeEnd)
        // Nobody reads yet: the pipe takes 64 KiB, the queue 10,000 lines, the writer's hands one more batch.
        for _ in 0..<50_000 { log.debug("a line of some length") }
        async let text = BlockingCalls.run {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while case let count = read(readEnd, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
            close(readEnd)
            return String(decoding: bytes, as: UTF8.self)
        }
        try await BlockingCalls.run {
            log.close()
            close(writeEnd)
        }
        let lines = try await text.split(separator: "\n")
        struct Dropped: Decodable { let count: Int }
        let notes = lines.filter { $0.contains("log lines were dropped") }
        let dropped = try notes.map { try JSONDecoder().decode(Dropped.self, from: Data($0.utf8)).count }.reduce(0, +)
        #expect(dropped > 0)
        #expect(lines.count - notes.count + dropped == 50_000)
    }

    @Test("E6 writes few lines of one message in a second, and says how many it left out")
    func flood() throws {
        let lines = try WrittenLog.lines { log in
            for _ in 0..<5_000 { log.warning("something that clients bring about") }
            log.info("something else")
        }
        #expect(lines.filter { $0.contains("bring about") }.count == 200)
        #expect(lines.filter { $0.contains("something else") }.count == 1)
        struct Dropped: Decodable { let count: Int }
        let notes = lines.filter { $0.contains("log lines were dropped") }
        let dropped = try notes.map { try JSONDecoder().decode(Dropped.self, from: Data($0.utf8)).count }.reduce(0, +)
        #expect(dropped == 4_800)
    }

    @Test("survives a reader that has gone")
    func readerGone() throws {
        signal(SIGPIPE, SIG_IGN)
        let (readEnd, writeEnd) = try makePipe()
        close(readEnd)
        let log = Log(service: "test", descriptor: writeEnd)
        for _ in 0..<100 { log.info("into the void") }
        log.close()
        close(writeEnd)
    }
}
