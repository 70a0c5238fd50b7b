import Glibc
import Synchronization

/// The programs of a deployment, each on a machine of its own, as a release has them.
final class Services: Sendable {
    private let folder: String
    private let programs: String
    private let data: String
    private let processes = Mutex<[Machine: pid_t]>([:])

    /// - Parameters:
    ///   - folder: of this world.
    ///   - programs: where the services' programs are.
    ///   - data: the repository's own data.
    init(folder: String, programs: String, data: String) {
        (self.folder, self.programs, self.data) = (folder, programs, data)
    }

    /// What `waymark up` would keep its data in.
    var store: String { "\(folder)/data" }
    var pictures: String { "\(folder)/pictures" }

    func start(_ machine: Machine) {
        let arguments = arguments(machine)
        guard !arguments.isEmpty else { return }
        var environment = ["WAYMARK_MACHINE=\(machine.rawValue)", "WAYMARK_BUNDLED=\(data)"]
        environment += ["WAYMARK_SWEEP_EVERY=5", "WAYMARK_PICTURES_EVERY=0", "SWIFT_DETERMINISTIC_HASHING=1"]
        environment += ["LD_PRELOAD=\(programs)/libSimulatedMachine.so", "SWIFT_BACKTRACE=enable=no"]
        environment += ["MALLOC_CONF=background_thread:false", "PATH=/usr/bin:/bin"]
        if machine == .photos { environment += Commons.settings }
        let log = "\(folder)/\(arguments[0])-\(machine.rawValue).log"
        let pid = Program.start("\(programs)/\(arguments[0])", arguments, environment, output: log)
        processes.withLock { $0[machine] = pid }
    }

    /// Lets the process of a crash be gone.
    func reap(_ machine: Machine) {
        guard let pid = processes.withLock({ $0.removeValue(forKey: machine) }) else { return }
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// The machines whose process has ended by itself, each with how.
    func ended() -> [(Machine, Int32)] {
        processes.withLock { processes in
            processes.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { machine, pid in
                var status: Int32 = 0
                guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
                processes[machine] = nil
                return (machine, status)
            }
        }
    }

    /// Asks a service to stop.
    func stop(_ machine: Machine) {
        if let pid = processes.withLock({ $0[machine] }) { kill(pid, SIGTERM) }
    }

    func isRunning(_ machine: Machine) -> Bool { processes.withLock { $0[machine] != nil } }

    func process(_ machine: Machine) -> pid_t? { processes.withLock { $0[machine] } }

    /// How many run.
    var count: Int { processes.withLock { $0.count } }

    private func arguments(_ machine: Machine) -> [String] {
        let key = [
            "--key-file", "\(folder)/key", "--admin", "\(machine.address):\(Metrics.port)", "--confine", "off",
            "--memory", "256",
        ]
        let places = ["--places", "\(Machine.places.address):7701"]
        let photos = ["--photos", "\(Machine.photos.address):7703"]
        let pins = ["--pins", "\(Machine.pins.address):7702"]
        func listen(_ port: Int) -> [String] { ["--listen", "\(machine.address):\(port)"] }
        switch machine {
        case .clients: return []
        case .places: return ["places-service"] + listen(7_701) + key + ["--data", "\(store)/places"]
        case .pins:
            return ["pin-service"] + listen(7_702) + key + places + photos
                + ["--data", "\(store)/pins", "--first-networks", "all", "--sign-up", "open"]
        case .photos:
            return ["photo-service"] + listen(7_703) + key
                + ["--data", "\(store)/photos", "--pictures", pictures, "--decoders", "1"]
        case .gateway, .secondGateway:
            return ["gateway"] + listen(7_700) + key + places + photos + pins
                + ["--data", "\(store)/gateway\(machine.rawValue)", "--open", "--http", "none", "--rate", "100000"]
        }
    }
}

/// Starts programs.
enum Program {
    /// Its output is added to a file. Ends this process when it can't be started.
    static func start(_ path: String, _ arguments: [String], _ environment: [String], output: String?) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let output {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_CREAT | O_WRONLY | O_APPEND, 0o600)
            unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }
        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { for text in unsafe words + variables { unsafe free(text) } }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, path, &actions, nil, words, variables)
        guard code == 0 else { fatalError("\(path) can't be started: \(unsafe String(cString: strerror(code)))") }
        return pid
    }
}
