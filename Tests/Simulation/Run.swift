import Contracts
import EventLoops
import Glibc
import HTTP
import RPC
import TestTools
import WholeSystem

/// One world: its plan, its load, its faults, and what it was judged to be.
struct Run: Sendable {
    let plan: Plan
    let folder: String
    let programs: String
    let data: String

    private static let gateways = [Machine.gateway, .secondGateway]

    /// What is wrong, in sentences.
    func play() async throws -> [String] {
        let services = Services(folder: folder, programs: programs, data: data)
        var random = SeededGenerator(seed: plan.seed)
        let shelf = PictureShelf(from: data + "/postcards", to: services.pictures)
        try shelf.add(12, &random)
        let group = try EventLoopGroup(count: 1)
        let commons = Commons(try Self.smallest(6, in: data + "/postcards"), seed: plan.seed)
        let server = HTTPServer(commons, group: group)
        let any = try Endpoint(host: Machine.clients.address, port: Commons.port).resolve()
        _ = try await server.listen(on: any[0])
        for machine in Machine.ofServices { services.start(machine) }
        let addresses = Self.gateways.map(\.address).joined(separator: ",")
        guard let gateway = Endpoint("\(addresses):7700") else { return ["no endpoint"] }
        let client = RPCClient(gateway, group: group, resolver: BlockingPool(threadCount: 1), agent: "simulation")
        let found = Findings()
        let metrics = Metrics(services, found)
        let picture = try Self.smallest(1, in: data + "/postcards")[0]
        let people = try await People(plan, client, picture, found)
        Trace.say("all answer")
        let counting = Task { try await metrics.run() }
        let watching = people.watch()
        let journals = try await load(people, services, commons, found)
        Trace.say("faults have ended; \(journals.values.reduce(0) { $0 + $1.ids.count }) pins")
        try await lookForDeaths(services, found)
        do {
            for account in people.accounts { try await judge(account, people, journals[account] ?? Journal(), found) }
            try await finish(services, found)
        } catch {
            found.add("after the faults: \(error)")
        }
        for task in watching { task.cancel() }
        for task in watching { await task.value }
        counting.cancel()
        _ = await counting.result
        await client.close()
        lookForFetches(commons, found)
        if found.all.isEmpty { try await metrics.lookForHeld() }
        try await stop(services, found)
        await server.shutDown(grace: .zero)
        if found.all.isEmpty {
            for difference in try await StoredState(data: services.store).differences() { found.add(difference) }
        }
        return found.all
    }

    private func load(
        _ people: People, _ services: Services, _ commons: Commons, _ found: Findings
    ) async throws -> [Account: Journal] {
        let end = World.now + plan.length
        return try await withThrowingTaskGroup(of: (Account, Journal)?.self) { group in
            for client in people.clients(plan.clients) {
                group.addTask {
                    do {
                        return (client.account, try await client.run(plan.seed, until: end))
                    } catch {
                        found.add("client \(client.number): \(error)")
                        return nil
                    }
                }
            }
            group.addTask {
                try await Troubles(services: services, commons: commons, faults: plan.faults).run()
                return nil
            }
            var journals: [Account: Journal] = [:]
            for try await case let (account, journal)? in group { journals[account, default: Journal()].merge(journal) }
            return journals
        }
    }

    /// What an account sees is what was acknowledged to it, by all that it has.
    private func judge(_ account: Account, _ people: People, _ journal: Journal, _ found: Findings) async throws {
        let judge = people.client(account, 0)
        for id in journal.deleted.sorted() { try await judge.untilGone("pin/\(id)") }
        for difference in try await judge.differences(from: journal) { found.add(difference) }
        try await compare(people.watchers[account], judge, found)
    }

    /// Each picture of the network is fetched once, and once more for each fault that can have ended that.
    private func lookForFetches(_ commons: Commons, _ found: Findings) {
        guard commons.mostSent > 1 + plan.faults.count else { return }
        found.add("a picture was fetched \(commons.mostSent) times, with \(plan.faults.count) faults")
    }

    /// A service that ended by itself is started again, as a supervisor does, and is a failure unless its disk was.
    private func lookForDeaths(_ services: Services, _ found: Findings) async throws {
        for (machine, status) in services.ended() {
            found.add("\(machine) ended by itself with status \(status)")
            services.start(machine)
        }
    }

    private func compare(_ watcher: Watcher?, _ judge: Client, _ found: Findings) async throws {
        guard let watcher else { return }
        let listed = try await judge.allPins()
        var differences = watcher.differences(from: listed)
        let end = World.now + .seconds(60)
        while !differences.isEmpty, World.now < end {
            try await World.pass(.milliseconds(500))
            differences = watcher.differences(from: try await judge.allPins())
        }
        for difference in differences { found.add(difference) }
    }

    /// Nothing is left to do, also for pins that no client was told of, as the answer did not arrive.
    private func finish(_ services: Services, _ found: Findings) async throws {
        let end = World.now + Client.patience
        var waiting = try await StoredState(data: services.store).waiting()
        while !waiting.isEmpty, World.now < end {
            try await World.pass(.milliseconds(500))
            waiting = try await StoredState(data: services.store).waiting()
        }
        for text in waiting { found.add("still \(text)") }
    }

    /// Each service stops in good order, and soon.
    private func stop(_ services: Services, _ found: Findings) async throws {
        for machine in Machine.ofServices.reversed() {
            services.stop(machine)
            let end = World.now + .seconds(40)
            var ended = services.ended()
            while ended.isEmpty, World.now < end {
                try await World.pass(.milliseconds(50))
                ended = services.ended()
            }
            if ended.isEmpty { found.add("\(machine) does not stop") }
            for (machine, status) in ended where status != 0 { found.add("\(machine) stopped with status \(status)") }
        }
    }

    private static func smallest(_ count: Int, in folder: String) throws -> [[UInt8]] {
        let names = Files.below(folder).filter { $0.hasSuffix(".jpg") }
        func size(_ name: String) -> Int {
            var facts = stat()
            return unsafe lstat("\(folder)/\(name)", &facts) == 0 ? Int(facts.st_size) : .max
        }
        return try names.map { (size($0), $0) }.sorted { $0 < $1 }.prefix(count)
            .map { try WholeFile.bytes("\(folder)/\($0.1)") }
    }
}
