import Contracts
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import TestSupport
import WholeSystem

/// All of Waymark under `waymark up`, with the library before its services that can kill them.
struct RunningSystem: SystemUnderTest {
    let client: RPCClient
    let gateway: Endpoint
    let supervision: Supervision
    /// Where it keeps its data and its logs.
    let data: String
    /// Where replicas keep their records; nil for one machine, which has files.
    let database: String?

    func pause(_ most: Duration) async throws { try await supervision.pause(most) }

    /// Runs `body` with a system that keeps its data in `data` and reads `pictures`; stops the system afterwards.
    /// - Parameter settings: more of its environment.
    static func run(
        data: String, pictures: String, plan: KillPlanFile, settings: [String: String] = [:],
        _ body: (RunningSystem) async throws -> Void
    ) async throws {
        try await run(data, pictures, plan, settings, { _ in }, body)
    }

    private static func run(
        _ data: String, _ pictures: String, _ plan: KillPlanFile, _ settings: [String: String],
        _ started: (ProgramRun) -> Void, _ body: (RunningSystem) async throws -> Void
    ) async throws {
        let environment = environment(plan).merging(settings) { $1 }
        let up = try Deployment.ofTests.start(data: data, pictures: pictures, environment: environment)
        started(up)
        let said = try await up.line()
        guard let ready = try? JSONDecoder().decode(Supervision.Event.self, from: Data(said.utf8)),
            let gateway = ready.gateway.flatMap({ Endpoint($0) })
        else { throw RunFailure.notReady(try await ended(up, said)) }
        let supervision = Supervision(pids: ready.pids ?? [:])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listen(to: up, supervision) }
            defer { up.send(signal: SIGTERM) }
            try await TestClient.with(gateway) { client in
                try await body(
                    RunningSystem(
                        client: client, gateway: gateway, supervision: supervision, data: data,
                        database: ready.database))
            }
        }
        let end = try await up.end()
        guard end.code == 0 else { throw RunFailure.notReady("exit status \(end.code): \(end.errors)") }
    }

    /// Runs `body` with a system that is gone at its end: all of its processes are killed at once.
    static func lose(
        data: String, pictures: String, plan: KillPlanFile, settings: [String: String],
        _ body: (RunningSystem) async throws -> Void
    ) async throws {
        var running: ProgramRun?
        do {
            try await run(data, pictures, plan, settings, { running = $0 }) { system in
                try await body(system)
                // The one that would start them again waits first.
                running?.send(signal: SIGSTOP)
                for process in system.supervision.processes { kill(process, SIGKILL) }
                running?.send(signal: SIGKILL)
                throw RunFailure.upHasEnded
            }
        } catch RunFailure.upHasEnded {}
    }

    private static func environment(_ plan: KillPlanFile) -> [String: String] {
        [
            "LD_PRELOAD": ProgramRun.path("libKillShim.so"), "WAYMARK_KILL_PLAN": plan.path,
            // What is swept is swept within a second; what an hour of grace is for, the test makes old itself.
            "WAYMARK_SWEEP_EVERY": "1",
            // And scans are asked for.
            "WAYMARK_PICTURES_EVERY": "0", "WAYMARK_BUNDLED": bundledData,
        ]
    }

    /// The repository's own data.
    static let bundledData = repository + "/Data"
    static let repository = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    private static func listen(to up: ProgramRun, _ supervision: Supervision) async throws {
        defer { supervision.end() }
        while case let line = try await up.line(), !line.isEmpty { try supervision.take(line: line) }
    }

    private static func ended(_ up: ProgramRun, _ said: String) async throws -> String {
        up.send(signal: SIGTERM)
        return try await said + up.end().errors
    }
}
