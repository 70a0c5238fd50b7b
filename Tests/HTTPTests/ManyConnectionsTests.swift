import EventLoops
import Glibc
import TestSupport
import TestTools
import Testing

@testable import HTTP

/// Each runs in a process of its own, whose memory, time and descriptors nobody else uses. A sanitizer uses them too.
@Suite(
    "P37 many connections", .timeLimit(.minutes(2)),
    .disabled(if: getenv("ASAN_OPTIONS") != nil, "a sanitizer keeps memory of its own"))
struct ManyConnectionsTests {
    @Test("5,000 idle streams take little memory each and no time")
    func idleStreams() async {
        await #expect(processExitsWith: .success) {
            let count = 5000
            try OpenFiles.allow(2 * count + 500)
            let responder = ScriptedResponder { _ in
                HTTPResponse(
                    200,
                    body: .stream(count: nil) { writer in
                        try await writer.write([1])
                        try await Tally().wait()
                    })
            }
            try await RunningHTTP.with(responder, loops: 2) { http in
                var clients: [HTTPSocket] = []
                for number in 0..<count {
                    if number == 100 { OwnProcess.mark() }
                    let client = try await http.connect()
                    try await client.send("GET", "/")
                    _ = try await client.head()
                    #expect(try await client.chunk() == [1])
                    clients.append(client)
                }
                #expect(await http.load.exchanges == count)
                let each = OwnProcess.bytesSinceMark / (count - 100)
                #expect(each < 40 << 10, "\(each) bytes for each stream and its client")
                let before = OwnProcess.processorTime
                #expect(try await clients[0].socket.isReadable(within: 1000) == false)
                let used = OwnProcess.processorTime - before
                #expect(used < .milliseconds(100), "\(used) of processor time in a second in which nothing happens")
                clients.removeAll()
                #expect(await http.isEmptySoon())
            }
        }
    }

    @Test("20,000 connections that come and go leave nothing behind")
    func churn() async {
        await #expect(processExitsWith: .success) {
            let responder = ScriptedResponder { request in
                request.path == "/stream"
                    ? HTTPResponse(200, body: .stream(count: nil) { try await $0.write([1]) })
                    : HTTPResponse(200, body: .bytes(request.body))
            }
            try await RunningHTTP.with(responder, loops: 2) { http in
                // By then the heap of each thread is as large as it gets on a busy machine.
                try await OwnProcess.visit(http, 5_000)
                let descriptors = OwnProcess.descriptors
                OwnProcess.mark()
                try await OwnProcess.visit(http, 15_000)
                #expect(await http.isEmptySoon())
                #expect(OwnProcess.descriptors <= descriptors, "\(OwnProcess.descriptors) of \(descriptors) are open")
                let grown = OwnProcess.bytesSinceMark
                #expect(grown < 8 << 20, "the process has grown by \(grown) bytes")
            }
        }
    }
}

/// What this process uses.
private enum OwnProcess {
    nonisolated(unsafe) private static var marked = 0

    /// Remembers how much memory is used now.
    static func mark() { unsafe marked = residentBytes }

    static var bytesSinceMark: Int { unsafe residentBytes - marked }

    private static var residentBytes: Int {
        let pages = (try? WholeFile.text("/proc/self/statm"))?.split(separator: " ").dropFirst().first.flatMap {
            Int($0)
        }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    static var descriptors: Int { TemporaryFolder.names(in: "/proc/self/fd").count }

    static var processorTime: Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(.zero) {
            $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
        }
    }

    /// So many connections, several at once, each used and left in its own way.
    static func visit(_ http: RunningHTTP, _ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<count / 8 { try await visit(http, way: number + worker) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func visit(_ http: RunningHTTP, way: Int) async throws {
        let client = try await http.connect()
        switch way % 5 {
        case 0: #expect(try await client.ask("POST", "/", body: [1, 2, 3]).body == [1, 2, 3])
        case 1: #expect(try await client.ask("GET", "/stream").body == [1])
        case 2: try await client.send("GET / HT")
        case 3: try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc")
        default: try await client.send("GET", "/stream")
        }
        client.socket.reset()
    }
}
