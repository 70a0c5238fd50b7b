import Arguments
import Bytes
import EventLoops
import Glibc
import Settings
import Supervisor
import Terminal

/// `waymark doctor`: checks what would keep Waymark from running here, and what to do about it.
struct DoctorCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["doctor"], summary: "look for what is wrong here: programs, folders, ports, disk, clock, networks",
        flags: [
            Flag("data", "DIR", "where everything is kept; ~/.local/share/waymark when not given"),
            Flag("host", "HOST", "where the gateway is to listen; 127.0.0.1 when not given"),
            Flag("port", "N", "the gateway's port; \(ClientOptions.defaultPort) when not given"),
            Flag("http-port", "N", "the port of the map; \(UpCommand.defaultWebPort) when not given"),
            Flag("pictures", "DIR", "a folder with pictures"),
            Flag("bin-dir", "DIR", "where the services' programs are; next to this one by default"),
        ] + networkFlags,
        examples: ["doctor", "doctor --data ./mine --pictures ~/Pictures"])

    private struct Answer: Encodable {
        let diagnoses: [Diagnosis]
    }

    private let folder: UpFolder
    private let ports: [(endpoint: Endpoint, flag: String)]
    private let pictures: String?
    private let programs: String?
    private let networks: [(flag: String, url: String)]
    private let contact: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        folder = try UpFolder(arguments)
        let host = arguments.text("host") ?? "127.0.0.1"
        ports = [
            (Endpoint(host: host, port: try arguments.count("port") ?? ClientOptions.defaultPort), "--port"),
            (Endpoint(host: host, port: try arguments.count("http-port") ?? UpCommand.defaultWebPort), "--http-port"),
        ]
        pictures = arguments.text("pictures")
        programs = arguments.text("bin-dir")
        networks = Self.syntax.flags.filter { $0.name.ends(with: "-url") }.compactMap { flag in
            Self.value(flag.name, arguments).map { (flag.name, $0) }
        }
        contact = Self.value("contact", arguments) ?? ""
    }

    /// Where live networks are, and whom they may write to.
    private static let networkFlags = PassedFlags.of(Option.placeNetworks + Option.photoNetworks).filter {
        $0.name.ends(with: "-url") || $0.name == "contact"
    }

    /// As the services parse it.
    private static func value(_ flag: String, _ arguments: ParsedArguments) -> String? {
        arguments.setting(flag).flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    func run(_ session: Session) async throws -> ExitCode {
        let pool = BlockingPool(threadCount: 1, name: "doctor")
        let found = try await pool.run { look() }
        pool.close()
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(Answer(diagnoses: found)))
        } else {
            DoctorView(diagnoses: found, sink: session.console.output).lines.forEach(session.console.print)
        }
        return found.contains { $0.verdict == .wrong } ? .failure : .success
    }

    /// Blocks.
    private func look() -> [Diagnosis] {
        let isRunning = folder.isInUse
        var found = [program] + FolderDoctor(folder: folder).look()
        found += ports.map { ReachDoctor.port($0.endpoint, flag: $0.flag, isRunning: isRunning) }
        if let pictures { found.append(Self.pictures(pictures)) }
        found += networks.map { ReachDoctor.network($0.flag, $0.url) }
        if !networks.isEmpty, contact.isEmpty {
            found.append(
                .wrong("contact", "live networks get no contact address", "--contact ADDRESS or WAYMARK_CONTACT"))
        }
        return found
    }

    private var program: Diagnosis {
        do {
            let place = try ProgramFolder(programs)
            for service in ServiceSettings.all { _ = try place.path(of: service.program) }
            return .ok("programs", "all four services are in \(place.path)")
        } catch {
            return .wrong("programs", "\(error)", "swift build -c release builds them")
        }
    }

    private static func pictures(_ path: String) -> Diagnosis {
        do throws(CommandFailure) {
            return .ok("pictures", "\(try ReadableFolder(path, flag: "--pictures").path) can be read")
        } catch {
            return .wrong("pictures", "\(error)", "name a folder that you may read")
        }
    }
}
