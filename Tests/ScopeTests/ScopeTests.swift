import Contracts
import Daemon
import ProtoSchema
import RPC
import Settings
import TestSupport
import Testing
import Wire

@Suite("P32 scope: what is an account's is read, changed and noticed by no other", .timeLimit(.minutes(10)))
struct ScopeTests {
    @Test("whatever method is called, at the gateway or straight at a service, and whoever calls it")
    func everyMethod() async throws {
        try await ScopeWorld.with { world in
            Self.checkTable(world)
            Self.checkPrograms(world)
            let before = try await Self.reads(world)
            for door in world.doors {
                for row in ScopeTable.rows where door.methods[row.path] != nil {
                    try await Self.strangers(world, door, row)
                    try await Self.others(world, door, row)
                }
            }
            #expect(try await Self.reads(world) == before, "what Anna has is as it was")
            #expect(try await Self.reads(world, at: world.grpc) == before, "by gRPC she reads the same")
            try await Self.owner(world)
        }
    }

    /// Every method of every server is in the table, and nothing else is.
    private static func checkTable(_ world: ScopeWorld) {
        let known = Set(ScopeTable.rows.map(\.path))
        for door in world.servers {
            let unknown = Set(door.methods.keys).subtracting(known).sorted()
            #expect(unknown.isEmpty, "\(door.name) has methods that ScopeTable does not know")
        }
        let all = world.servers.reduce(into: Set()) { $0.formUnion($1.methods.keys) }
        #expect(known.subtracting(all).isEmpty, "methods that there are not")
    }

    /// Each server has what the contract says of its program; the gateway also has the services that one program alone
    /// answers, and not only to services.
    private static func checkPrograms(_ world: ScopeWorld) {
        let all = ContractService.all
        for door in world.servers {
            let program = ServiceSettings.all.first { $0.name == door.name }?.program ?? ""
            var expected = Set(all.filter { $0.answeredBy.contains(program) }.flatMap { $0.methods.map(\.path) })
            if program == ServiceSettings.gateway.program {
                let passedOn = all.filter { service in
                    service.answeredBy.count == 1 && service.methods.contains { $0.role != .service }
                }
                expected.formUnion(passedOn.flatMap { $0.methods.map(\.path) })
            }
            let difference = expected.symmetricDifference(door.methods.keys)
            #expect(difference.isEmpty, "\(door.name) has these, or should have them")
        }
    }

    /// What Anna reads that is her own.
    static func reads(_ world: ScopeWorld, at door: ScopeDoor? = nil) async throws -> [String] {
        let door = door ?? world.gateway
        var reads: [String] = []
        for row in ScopeTable.rows {
            guard let method = world.gateway.methods[row.path], method.idempotency == .noSideEffects,
                world.gateway.role(of: row.path) == .user
            else { continue }
            if case .shared = row.others { continue }
            if case .refused = row.others { continue }
            let outcome = try await door.call(row.path, row.request(world.things), world.anna.options)
            // Versions also grow when something was looked at again.
            let text = outcome.description.replacing(#/"version":"\d+"/#, with: "")
            reads.append("\(row.path): \(text)")
        }
        return reads
    }

    /// Those who have shown nothing, or something that does not count, and those without the role.
    private static func strangers(_ world: ScopeWorld, _ door: ScopeDoor, _ row: ScopeRow) async throws {
        let (role, isGateway) = (door.role(of: row.path), door.name == "gateway")
        let request = row.request(world.things)
        func expect(_ code: RPCCode, _ callers: [ScopeCaller]) async throws {
            for caller in callers {
                let outcome = try await door.call(row.path, request, caller.options)
                let what = "\(door.title): \(row.path) by \(caller.name)"
                #expect(outcome.code == code, "\(what): \(outcome)")
                #expect(outcome.answers.isEmpty && !world.tells(outcome, request), "\(what): \(outcome)")
            }
        }
        let forgeries = ScopeCaller.forgeries(of: world.things.account)
        if !isGateway { try await expect(.unauthenticated, forgeries) }
        if role == .anyone { return }
        try await expect(.unauthenticated, [.stranger])
        if isGateway {
            // A signed identity lets no client in, also when it is a good one.
            let shown = [world.anna.withoutToken, world.root.withoutToken, .holder(of: world.things.shareToken)]
            try await expect(.unauthenticated, world.ended + [.guessing] + shown + forgeries)
        }
        try await expect(.permissionDenied, world.withoutRole(role))
        // In open mode all share a profile, and nobody has shown to be the one whose it is.
        let open = ScopeCaller("a client of open mode", .account("local", .ofAccounts, by: .nothing))
        if !isGateway, role != .service, row.isOfAccountItself { try await expect(.unauthenticated, [open]) }
    }

    /// Another account, with the things of Anna.
    static func others(_ world: ScopeWorld, _ door: ScopeDoor, _ row: ScopeRow) async throws {
        guard door.role(of: row.path) == .user else { return }
        let (request, other) = (row.request(world.things), row.request(.never))
        let outcome = try await door.call(row.path, request, world.bob.options)
        let what = "\(door.title): \(row.path) by Bob"
        #expect(!world.tells(outcome, request), "\(what): \(outcome)")
        let asIfNever = outcome.renamed(world.things.names, to: ScopeThings.never.names)
        switch row.others {
        case .hidden:
            #expect(outcome.code == .notFound, "\(what): \(outcome)")
            #expect(try await door.call(row.path, other, world.bob.options) == asIfNever, "\(what)")
        case .blind: #expect(try await door.call(row.path, other, world.bob.options) == asIfNever, "\(what)")
        case .own, .shared: #expect(outcome.code == .ok, "\(what): \(outcome)")
        case .refused(let code): #expect(outcome.code == code, "\(what): \(outcome)")
        }
    }

    /// At last those who may: else the others' refusals would prove nothing.
    private static func owner(_ world: ScopeWorld) async throws {
        for row in ScopeTable.rows {
            for door in world.doors where door.methods[row.path] != nil {
                let role = door.role(of: row.path)
                // Services call each other, not the gateway; and once is enough.
                if role == .service && door.name == "gateway" { continue }
                let outcome = try await door.call(row.path, row.request(world.things), world.owner(role).options)
                let what = "\(door.title): \(row.path) by \(world.owner(role).name)"
                switch row.owner {
                case .answers: #expect(outcome.code == .ok, "\(what): \(outcome)")
                case .fails(let code): #expect(outcome.code == code, "\(what): \(outcome)")
                }
                if role == .anyone, case .blind = row.others {
                    let never = try await door.call(row.path, row.request(.never), world.owner(role).options)
                    #expect(never == outcome.renamed(world.things.names, to: ScopeThings.never.names), "\(what)")
                }
                if !row.path.contains(".rpc.") { break }
            }
        }
    }
}

extension ScopeWorld {
    /// Whether an outcome says what only Anna may be told, beyond what was in the request.
    func tells(_ outcome: ScopeOutcome, _ request: String) -> Bool {
        marks.contains { outcome.text.contains($0) && !request.contains($0) }
    }

    /// Who may call what needs a role.
    func owner(_ role: Role) -> ScopeCaller {
        switch role {
        case .user: anna
        case .admin: root
        case .service: ScopeCaller("a service", .service("pin-service", for: things.account))
        default: .stranger
        }
    }

    /// Callers that have all but this role.
    func withoutRole(_ role: Role) -> [ScopeCaller] {
        let admin = ScopeCaller("an operator", .account("local", .admin), token: ScopeProcesses.adminToken)
        let user = ScopeCaller("a user", .account("local", .user), token: ScopeProcesses.userToken)
        return switch role {
        case .user: [admin]
        case .admin: [user, bob, anna]
        default: [admin, user, bob, anna, root]
        }
    }
}
