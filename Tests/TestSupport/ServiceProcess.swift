internal import Daemon
package import EventLoops
internal import FoundationEssentials
package import RPC
internal import TestTools

/// A service of this build as a process of its own, on a free port, which has said that it is ready.
package struct ServiceProcess: Sendable {
    /// What came instead of a ready line of the program that was started.
    package struct NotReady: Error {
        let said: String
    }

    /// The deployment's key, as its file has it.
    package static let key = String(repeating: "0123456789abcdef", count: 4)

    package let program: ProgramRun
    /// Where it takes calls.
    package let endpoint: Endpoint
    /// Where it tells those who run it.
    package let admin: Endpoint?
    /// Where it speaks HTTP.
    package let http: Endpoint?

    /// Accounts create pins without choosing networks first.
    private static let environment = ["WAYMARK_FIRST_NETWORKS": "all"]

    /// Starts the program of that name; its key file is put into `folder`. `started` is told its process at once.
    package static func start(
        _ name: String, folder: String, _ arguments: [String] = [], environment: [String: String] = [:],
        started: (Int32) throws -> Void = { _ in }
    ) async throws -> ServiceProcess {
        let keyFile = "\(folder)/key"
        try WholeFile.write(Array(key.utf8), to: keyFile)
        let program = try ProgramRun(
            name, ["--listen", "127.0.0.1:0", "--key-file", keyFile] + arguments,
            environment: Self.environment.merging(environment) { $1 })
        try started(program.pid)
        let line = try await program.line()
        guard let ready = try? JSONDecoder().decode(Ready.self, from: Data(line.utf8)), ready.event == "ready",
            ready.service == name, ready.pid == program.pid, let endpoint = Endpoint(ready.address)
        else { throw NotReady(said: line) }
        return ServiceProcess(
            program: program, endpoint: endpoint, admin: ready.admin.flatMap { Endpoint($0) },
            http: ready.http.flatMap { Endpoint($0) })
    }

    /// Sends a signal and waits for the end.
    package func end(by signal: Int32) async throws -> ProgramRun.End {
        program.send(signal: signal)
        return try await program.end()
    }

    /// How long a call may take: so long that only one that hangs is ended, however busy the machine is.
    package static let patience = Duration.seconds(240)

    /// What an account's call is made with, as the gateway makes it.
    package static func options(of account: String) -> CallOptions {
        guard let key = DeploymentKey(bytes: Hex.bytes(key)) else { preconditionFailure("the tests' key is none") }
        let signed = IdentitySigner(key).sign(.account(account, .ofAccounts))
        return CallOptions(deadline: .now + patience, signedIdentity: signed)
    }

    /// What the program says on its one line of output.
    private struct Ready: Decodable {
        let event: String
        let service: String
        let address: String
        let admin: String?
        let http: String?
        let pid: Int32
    }
}
