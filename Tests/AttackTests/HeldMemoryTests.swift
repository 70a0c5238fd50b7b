import Contracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

/// What clients make a process occupy, and what its budget says that it holds for them, are one number.
@Suite(
    "E15 held memory is charged memory, as seen from outside", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: MemoryGroup.isAvailable, "a control group for memory can't be made here; that needs root"))
struct HeldMemoryTests {
    @Test("after hostile clients, a process occupies what it has charged them", arguments: [256, 512])
    func charged(mebibytes: Int) async throws {
        for shape in HostileShape.allCases {
            try await MeasuredGateway.with(mebibytes, try shape.arguments()) { gateway in
                try await Self.measure("\(shape) in \(mebibytes) MiB", gateway, setAside: shape.setAside) {
                    await shape.leave(gateway)
                }
            }
        }
    }

    @Test("so after all of them, one behind the other, and it goes on serving others", arguments: [256, 512])
    func phases(mebibytes: Int) async throws {
        try await MeasuredGateway.with(mebibytes, []) { gateway in
            // What a connection held stays granted for its next message, up to that.
            try await Self.measure("all in \(mebibytes) MiB", gateway, setAside: 64 << 10) {
                var left: [any Sendable] = []
                for shape in HostileShape.allCases where shape != .unfinishedHandshakes {
                    left += await shape.leave(gateway)
                }
                return left
            }
        }
    }
}

extension HeldMemoryTests {
    /// Has a gateway hold something for as long as what `leave` gives lasts.
    private static func measure(
        _ what: String, _ gateway: MeasuredGateway, setAside: Int = 0, _ leave: () async -> [any Sendable]
    ) async throws {
        let before = try await gateway.memory()
        let left = await leave()
        let (grown, charged, ofGroup) = try await change(gateway, since: before)
        print(
            "\(what), \(left.count) connections: grown by \(grown >> 20) MiB, by \(ofGroup >> 20) MiB with what the "
                + "kernel holds, charged \(charged >> 20) MiB; at the most \(try gateway.group.maximumBytes >> 20) MiB")
        #expect(grown <= most(charged), "\(what): more is held than is charged")
        // What is on its way to a peer is charged until it is read, and in the kernel.
        let held = max(grown, ofGroup)
        #expect(charged <= most(held) + setAside * left.count, "\(what): others are refused what there is")
        #expect(charged > 1 << 20, "\(what): nothing was taken hold of")
        #expect(try await gateway.answersOthers(), "\(what): others are not served")
        withExtendedLifetime(left) {}
    }

    /// A fifth more, and what the process has for itself: freed memory that is used again, for one.
    private static func most(_ bytes: Int) -> Int { bytes + bytes / 5 + 32 << 20 }

    /// How much more a gateway occupies and charges than before. The heap gives freed memory back within some seconds.
    private static func change(
        _ gateway: MeasuredGateway, since before: MeasuredGateway.Memory
    ) async throws -> (grown: Int, charged: Int, ofGroup: Int) {
        let end = MonotonicTime.now + .seconds(30)
        while true {
            let now = try await gateway.memory()
            let (grown, charged) = (now.resident - before.resident, now.held - before.held)
            let isDone = grown <= most(charged) || MonotonicTime.now > end
            if isDone { return (grown, charged, now.ofGroup - before.ofGroup) }
        }
    }
}

/// A gateway in a control group of memory that says what it occupies.
struct MeasuredGateway: Sendable {
    static let bearer = ("Authorization", "Bearer \(AttackedGateway.token)")

    let process: ServiceProcess
    let group: MemoryGroup
    let http: Endpoint
    private let admin: Endpoint

    /// What it occupies, and what of that it holds for clients, in bytes.
    struct Memory {
        let resident: Int
        let held: Int
        /// All of its control group.
        let ofGroup: Int
    }

    static func with(
        _ mebibytes: Int, _ arguments: [String], _ body: (MeasuredGateway) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write(AttackedGateway.token, to: "tokens")
        let group = try #require(MemoryGroup(bytes: mebibytes << 20))
        let process = try await ServiceProcess.start(
            "gateway", folder: folder.path,
            [
                "--data", folder.file("gateway"), "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--token-file",
                folder.file("tokens"), "--web", "none", "--map", "none", "--rate", "0",
            ] + arguments, environment: ["WAYMARK_MEMORY": "\(mebibytes * 3 / 8)"], started: group.add)
        try await body(
            MeasuredGateway(
                process: process, group: group, http: try #require(process.http), admin: try #require(process.admin)))
        #expect(try await process.end(by: SIGTERM).code == 0, "the gateway lives, and stops when it is asked to")
    }

    /// Whether a client is served that has taken nothing.
    func answersOthers() async throws -> Bool {
        let socket = try await RawSocket(connectingTo: process.endpoint.port)
        try await socket.send(.hello, .call(1, EchoServiceMethods.echo, EchoRequest(payload: [7])))
        return try await socket.receive(.message, or: .status).header.kind == .message
    }

    /// Once it has done what it was sent.
    func memory() async throws -> Memory {
        let text = try await HTTPSocket(connectingTo: admin.port).ask("GET", "/metrics", [("Connection", "close")]).text
        func sum(_ name: String) -> Int {
            text.split(separator: "\n").filter { $0.hasPrefix(name + "{") || $0.hasPrefix(name + " ") }
                .reduce(0) { $0 + Int(Double($1.split(separator: " ").last ?? "") ?? 0) }
        }
        return Memory(
            resident: sum("process_resident_memory_bytes"), held: sum("waymark_memory_held_bytes"),
            ofGroup: try group.bytes)
    }
}
