import Glibc
import TestTools
import Testing

@testable import Budgets

@Suite("P41 the memory account")
struct MemoryAccountTests {
    private static let client = ClientKey("192.0.2.1")

    @Test("what a connection has for short messages is free, all beyond is counted and given back")
    func counting() {
        let budget = MemoryBudget(bytes: 1 << 20)
        do {
            var account = MemoryAccount(budget, Self.client, .known, .calls)
            let isFree = account.hold(MemoryAccount.allowance)
            #expect(isFree && budget.usage.held == 0)
            for bytes in [5000, 100_000, 300_000, 299_000, 80_000, 0, 200_000] {
                let isGranted = account.hold(bytes)
                #expect(isGranted)
                let held = budget.usage.held
                #expect(held >= bytes && held <= max(bytes + bytes / 8 + 4096, bytes + (64 << 10)))
                #expect(budget.usage.kinds.first { $0.kind == .calls }?.bytes == held)
            }
        }
        let usage = budget.usage
        #expect(usage.held == 0 && usage.clients == 0 && usage.most >= 300_000 && usage.refused == 0)
    }

    @Test("past the share nothing more is granted, and what was granted stays")
    func refusing() {
        let budget = MemoryBudget(bytes: 1 << 20)
        var account = MemoryAccount(budget, Self.client, .known, .bodies)
        let isGranted = account.hold(400_000)
        let held = budget.usage.held
        let isMoreGranted = account.hold(600_000)
        #expect(isGranted && !isMoreGranted && budget.usage.held == held && budget.usage.refused == 1)
        let isGrantedToTheByte = account.hold(500_000)
        #expect(isGrantedToTheByte, "when an eighth more is too much")
        account.standing = .trusted
        let isTrustedWithMore = account.hold(600_000)
        #expect(isTrustedWithMore)
    }

    @Test("that are used on many threads at once leave nothing behind")
    func threads() async {
        let budget = MemoryBudget(bytes: 10 << 20)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    for _ in 0..<200 {
                        var account = MemoryAccount(budget, ClientKey("10.0.0.\(worker)"), .known, .calls)
                        for _ in 0..<20 { _ = account.hold(Int.random(in: 0...2_000_000, using: &random)) }
                    }
                }
            }
        }
        #expect(budget.usage.held == 0 && budget.usage.kinds.allSatisfy { $0.bytes == 0 })
        #expect(budget.usage.most <= 10 << 20)
    }

    /// A folder like / with the files of a system: path and text.
    private static func root(_ files: [(String, String)]) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (path, text) in files {
            let names = path.split(separator: "/").dropLast()
            for end in names.indices { mkdir(folder.file(names[...end].joined(separator: "/")), 0o700) }
            try folder.write(text, to: path)
        }
        return folder
    }

    @Test("takes the smallest limit of the groups that the process is in, or the machine's memory")
    func limits() throws {
        let machine = MemoryLimit.ofProcess(root: "/nowhere")
        #expect(machine.source == .machine && machine.bytes > 100 << 20)
        let cases: [([(String, String)], Int)] = [
            ([("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "268435456\n")], 256 << 20),
            (
                [
                    ("proc/self/cgroup", "0::/a/b\n"), ("sys/fs/cgroup/a/b/memory.max", "max\n"),
                    ("sys/fs/cgroup/a/memory.max", "134217728\n"),
                ], 128 << 20
            ),
            (
                [
                    ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/x\n0::/\n"),
                    ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "67108864\n"),
                    ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ], 64 << 20
            ),
        ]
        for (files, bytes) in cases {
            let folder = try Self.root(files)
            #expect(MemoryLimit.ofProcess(root: folder.path) == MemoryLimit(bytes: bytes, source: .container))
        }
        for text in ["", "\n", "x", "0:/", "4:memory:relative", "::::", "0::/\u{0}"] {
            let folder = try Self.root([("proc/self/cgroup", text), ("sys/fs/cgroup/memory.max", "nonsense")])
            #expect(MemoryLimit.ofProcess(root: folder.path) == machine)
        }
    }

    @Test("clients may fill three eighths of the limit, 32 MiB at the least and 1 GiB at the most")
    func budgets() {
        let budget = { MemoryLimit(bytes: $0, source: .container).budget }
        #expect(budget(256 << 20) == 96 << 20 && budget(16 << 20) == 32 << 20 && budget(1 << 40) == 1 << 30)
    }
}
