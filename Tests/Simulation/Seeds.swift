import Glibc
import MachineCalls
import TestTools
import WholeSystem

/// Plays seeds, several at a time, and says what was found.
struct Seeds {
    private let options: Options
    private let template: Template
    private let keepsAddresses: Bool

    /// Folders of worlds have the same names in each run, so that their paths are: only one may be there.
    init(_ options: Options) throws {
        self.options = options
        let lock = unsafe open("\(options.folder)/waymark-worlds", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw Options.Problem(
                description: "another simulation plays in \(options.folder): wait for it, or name a folder by --folder")
        }
        template = try Template(options)
        // Addresses are the same in each run: what is sorted by them is too.
        keepsAddresses = machine_keep_addresses()
    }

    /// What came of a world.
    private struct Outcome {
        let status: Int32
        /// What its driver said.
        let lines: [Substring]

        /// Its time in seconds, the turns of its threads, and a number over them.
        var end: (seconds: Double, turns: Int, hash: Substring) {
            let words = lines.last.map { $0.split(separator: " ") } ?? []
            guard words.count == 4 else { return (0, 0, "") }
            return (Double(words[1]) ?? 0, Int(words[2]) ?? 0, words[3])
        }
    }

    /// Gives the exit code: 1 when something was found.
    func run() throws -> Int32 {
        defer { template.remove() }
        var waiting = Array((options.first..<options.first + UInt64(options.count)).reversed())
        var running: [pid_t: (seed: UInt64, processor: Int)] = [:]
        var processors = Array(0..<options.jobs)
        var failed: [UInt64] = []
        var (seconds, turns) = (0.0, 0)
        while !waiting.isEmpty || !running.isEmpty {
            while !processors.isEmpty, let seed = waiting.popLast() {
                let processor = processors.removeLast()
                running[try begin(seed, options, on: processor)] = (seed, processor)
            }
            var status: Int32 = 0
            guard let (seed, processor) = running.removeValue(forKey: waitpid(-1, &status, 0)) else { continue }
            processors.append(processor)
            let outcome = try end(seed, status)
            seconds += outcome.end.seconds
            turns += outcome.end.turns
            if options.count == 1 || status != 0 { print(outcome.lines.joined(separator: "\n")) }
            if status != 0 { failed.append(seed) }
            if options.isForPlanted, status != 0 { waiting = [] }
        }
        if options.isForPlanted { return say(failed) }
        print(
            "simulation: \(options.count) seeds, \(failed.count) with findings; \(Int(seconds)) s of their time,"
                + " \(turns) turns")
        for seed in failed.prefix(3) { try shrink(seed) }
        if !keepsAddresses { print("seeds are not played again: addresses of memory can't be kept the same here") }
        let isSame = try options.count == 1 || !keepsAddresses || comesAgain(options.first)
        return failed.isEmpty && isSame ? 0 : 1
    }

    /// What a planted fault needed to be found.
    private func say(_ failed: [UInt64]) -> Int32 {
        let first = failed.min().map { "seed \($0), the \($0 - options.first + 1). of \(options.count)" }
        print("simulation: found by \(first ?? "none of \(options.count) seeds")")
        return first == nil ? 1 : 0
    }

    private func play(_ seed: UInt64, _ options: Options) throws -> Outcome {
        let pid = try begin(seed, options)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return try end(seed, status)
    }

    /// Whether a seed takes the same turns in two runs.
    private func comesAgain(_ seed: UInt64) throws -> Bool {
        let (one, other) = (try play(seed, options).end, try play(seed, options).end)
        if one.hash != other.hash { print("seed \(seed) is played in two ways: \(one) and \(other)") }
        return one.hash == other.hash
    }

    /// Leaves out of a plan what is not needed for it to fail, and prints what is left.
    private func shrink(_ seed: UInt64) throws {
        var options = options
        guard options.shrinks else { return print("again: script/simulate \(options.words(seed))") }
        for (number, _) in options.plan(seed).numbered {
            var less = options
            less.without.insert(number)
            if try play(seed, less).status != 0 { options = less }
        }
        for clients in 1..<max(1, options.plan(seed).clients) {
            var less = options
            less.clients = clients
            guard try play(seed, less).status != 0 else { continue }
            options = less
            break
        }
        print("again: script/simulate \(options.words(seed))")
        for fault in options.plan(seed).faults { print("  \(fault)") }
    }

    private func folder(_ seed: UInt64) -> String { "\(options.folder)/waymark-world-\(seed)" }

    private func begin(_ seed: UInt64, _ options: Options, on processor: Int = 0) throws -> pid_t {
        let folder = folder(seed)
        TemporaryFolder.remove(folder)
        Files.makeFolder(folder)
        for name in ["data", "data/pins", "data/photos", "data/gateway5", "data/gateway6", "pictures"] {
            Files.makeFolder("\(folder)/\(name)")
        }
        try Template.writeKey("\(folder)/key")
        try template.copy(to: "\(folder)/data/places")
        let path = CommandLine.arguments[0]
        let words = [path, "--world", folder, "--programs", options.programs, "--data", options.data]
        let environment = [
            "LD_PRELOAD=\(options.programs)/libSimulatedMachine.so", "SWIFT_DETERMINISTIC_HASHING=1",
            "PATH=/usr/bin:/bin", "MALLOC_CONF=background_thread:false", "WAYMARK_WORLD_PROCESSOR=\(processor)",
        ]
        return Program.start(
            path, words + options.words(seed).split(separator: " ").map(String.init), environment,
            output: "\(folder)/said")
    }

    private func end(_ seed: UInt64, _ status: Int32) throws -> Outcome {
        let said = String(decoding: try WholeFile.bytes("\(folder(seed))/said"), as: UTF8.self)
        if options.keeps { print("kept: \(folder(seed))") } else { TemporaryFolder.remove(folder(seed)) }
        return Outcome(status: status, lines: said.split(separator: "\n"))
    }
}
