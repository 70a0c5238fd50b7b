import Arguments
package import EventLoops
import FoundationEssentials
import Glibc
import Settings
import Terminal

/// A places service without bundled data, and a gateway before it, in a temporary folder.
package struct PrivateServices: Sendable {
    private let programs: ProgramFolder
    private let signals: StopSignals?
    /// The largest radius that the places service allows, in metres.
    private let maximumRadius: Int

    package init(programs: ProgramFolder, signals: StopSignals?, maximumRadius: Int) {
        self.programs = programs
        self.signals = signals
        self.maximumRadius = maximumRadius
    }

    private enum Step<Value: Sendable>: Sendable {
        case bodyEnded(Result<Value, any Error>)
        case servicesEnded(SupervisorState.Outcome)
    }

    /// Runs `body` with the gateway's address, and stops everything again however it ends.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (Endpoint) async throws -> Value
    ) async throws -> Value {
        let folder = UpFolder(path: try Self.temporaryFolder())
        defer { Self.remove(folder.path) }
        let lock = try folder.open(["places"])
        let services = try services(folder)
        let (addresses, announce) = AsyncStream.makeStream(of: Endpoint.self, bufferingPolicy: .bufferingNewest(1))
        let supervisor = try Supervision(services, signals: signals) { event in
            guard case .ready(let summaries) = event else { return }
            let gateway = summaries.first { $0.name == ServiceSettings.gateway.program }
            if let endpoint = gateway.flatMap({ Endpoint($0.address) }) { announce.yield(endpoint) }
        }
        let thread = BlockingPool(threadCount: 1, name: "supervisor")
        defer { withExtendedLifetime(lock) {} }
        return try await withThrowingTaskGroup(of: Step<Value>.self) { group in
            group.addTask {
                defer { announce.finish() }
                return .servicesEnded(try await thread.run { try supervisor.run() })
            }
            group.addTask {
                defer { supervisor.stop() }
                for await address in addresses { return .bodyEnded(await Self.result { try await body(address) }) }
                return .bodyEnded(.failure(CancellationError()))
            }
            return try await Self.finish(&group, services)
        }
    }

    private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    /// When the body ends, the services are asked to stop. Services that end before the body cancel it.
    private static func finish<Value: Sendable>(
        _ group: inout ThrowingTaskGroup<Step<Value>, any Error>, _ services: [ServiceProcess]
    ) async throws -> Value {
        var result: Result<Value, any Error>?
        var failure: (any Error)?
        for try await step in group {
            switch step {
            case .bodyEnded(let end): result = end
            case .servicesEnded(let outcome) where result == nil:
                failure = outcome.failure(of: services) ?? CommandFailure("the services were stopped by a signal")
                group.cancelAll()
            case .servicesEnded: break
            }
        }
        guard failure == nil, let result else { throw failure ?? CancellationError() }
        return try result.get()
    }

    private func services(_ folder: UpFolder) throws -> [ServiceProcess] {
        let common = ["--key-file", folder.key.path]
        let own = [
            "--data", folder.folder("places"), "--bundled", "none", "--max-radius", "\(maximumRadius)",
        ]
        let places = ServiceProcess(
            name: ServiceSettings.places.program, program: try programs.path(of: ServiceSettings.places.program),
            turn: 0, address: "127.0.0.1:0",
            logPath: folder.log(ServiceSettings.places.program)
        ) { _ in common + own }
        let gateway = ServiceProcess(
            name: ServiceSettings.gateway.program, program: try programs.path(of: ServiceSettings.gateway.program),
            turn: 1, address: "127.0.0.1:0",
            logPath: folder.log(ServiceSettings.gateway.program)
        ) { addresses in common + (addresses[ServiceSettings.places.program].map { ["--places", $0] } ?? []) }
        return [places, gateway]
    }

    private static func temporaryFolder() throws(SystemError) -> String {
        let parent = Environment.ofProcess["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = "\(parent)/waymark-XXXXXX".utf8CString.map { $0 }
        guard unsafe mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno, subject: parent) }
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A folder that can't be removed is left to the system's cleaning of temporary files.
    private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
