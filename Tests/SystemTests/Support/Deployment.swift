import Contracts
import RPC
import TestSupport
import TestTools
import WholeSystem

/// How Waymark is run in these tests.
enum Deployment {
    /// `waymark up`: one process of each service, which keep their records and blobs in a folder.
    case oneMachine
    /// Two processes of each service, as the demo of replicas starts them, on PostgreSQL and SeaweedFS.
    case replicas

    /// That which the environment asks for.
    static let ofTests: Deployment = PostgresServer.isOfFiles ? .oneMachine : .replicas

    /// Starts it; its first line says where the gateway is.
    func start(data: String, pictures: String, environment: [String: String]) throws -> ProgramRun {
        switch self {
        case .oneMachine:
            let arguments = [
                "up", "--json", "--data", data, "--port", "0", "--pictures", pictures, "--first-networks", "all",
            ]
            return try ProgramRun("waymark", arguments, environment: environment)
        case .replicas:
            guard let servers = S3Server.programs else { throw RunFailure.notReady(S3Server.hint) }
            let arguments = [
                "-B", RunningSystem.repository + "/script/demo.d/replicas.py", "--bin", ProgramRun.path("."), "--data",
                data, "--s3", servers, "--pictures", pictures, "--lifeline", "\(ProgramRun.lifelineDescriptor)",
                "--first-networks", "all",
            ]
            return try ProgramRun("/usr/bin/python3", arguments, environment: environment)
        }
    }
}
