import Contracts
import EventLoops
import Glibc
import RPC
import ServiceRuntime
import Testing
import Wire

/// The service's program as a process of its own, and a client that calls it as the gateway does.
struct ServiceProcess {
    private static let account = "tester"
    let client: PlacesServiceClient
    private let process: pid_t
    private let signer: IdentitySigner
    private let rpc: RPCClient
    private let loops: EventLoopGroup
    private let resolver: BlockingPool

    /// The program that was built with these tests; nil when it was not.
    static let program: String? = {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path[..<max(0, count)], as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let program = "\(own[..<slash])/places-service"
        return access(program, X_OK) == 0 ? program : nil
    }()

    /// Starts the program on a data folder and waits until it is ready.
    init(data: String, key: [UInt8]) throws {
        let keyFile = data + ".key"
        let hex = Array("0123456789abcdef".utf8)
        try write(key.flatMap { [hex[Int($0 >> 4)], hex[Int($0 & 15)]] }, to: keyFile)
        let (process, line) = try Self.spawn([
            try #require(Self.program), "--listen", "127.0.0.1:0", "--data", data, "--key-file", keyFile, "--bundled",
            "none",
            "--log-level", "error",
        ])
        self.process = process
        let address = try #require(line.split(separator: "\"").first { $0.hasPrefix("127.0.0.1:") })
        signer = IdentitySigner(try #require(DeploymentKey(bytes: key)))
        loops = try EventLoopGroup(count: 1)
        resolver = BlockingPool(threadCount: 1)
        rpc = RPCClient(try #require(Endpoint("\(address)")), group: loops, resolver: resolver, agent: "test")
        client = PlacesServiceClient(rpc)
    }

    /// What a call is made with.
    var options: CallOptions { CallOptions(deadline: .now + .seconds(30), signedIdentity: signer.sign(Self.account)) }

    /// Sends a signal, waits for the end, and gives the process's status as waitpid does.
    func end(_ signal: Int32) async -> Int32 {
        kill(process, signal)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        await rpc.close()
        loops.shutDown()
        resolver.close()
        return status
    }

    private static func spawn(_ command: [String]) throws -> (pid_t, line: String) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let status = posix_spawn(&process, command[0], &actions, nil, &arguments, environ)
        close(ends[1])
        try #require(status == 0)
        return (process, readLine(ends[0]))
    }

    private static func readLine(_ descriptor: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
