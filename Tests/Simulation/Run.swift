import Contracts
import EventLoops
import Glibc
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
        for machine in Machine.ofServices { services.start(machine) }
        let group = try EventLoopGroup(count: 1)
        let resolver = BlockingPool(threadCount: 1)
        let addresses = Self.gateways.map(\.address).joined(separator: ",")
        guard let gateway = Endpoint("\(addresses):7700") else { return ["no endpoint"] }
        let client = RPCClient(gateway, group: group, resolver: resolver, agent: "simulation")
        let found = Findings()
        let picture = try WholeFile.bytes(data + "/postcards/" + Self.smallest(in: data + "/postcards"))
        let watcher = Watcher(client, found)
        let judge = Client(client: client, number: 0, picture: picture, faults: found)
        try await judge.scan()
        Trace.say("all answer")
        let watching = Task {
            do {
                try await watcher.run()
            } catch let error where !(error is CancellationError) {
                found.add("the watch: \(error)")
            }
        }
        let journal = try await load(client, picture, services, found)
        Trace.say("faults have ended; \(journal.ids.count) pins")
        try await lookForDeaths(services, found)
        do {
            for id in journal.deleted.sorted() { try await judge.untilGone("pin/\(id)") }
            for difference in try await judge.differences(from: journal) { found.add(difference) }
            try await compare(watcher, judge, found)
            try await finish(services, found)
        } catch {
            found.add("after the faults: \(error)")
        }
        watching.cancel()
        _ = await watching.result
        await client.close()
        try await stop(services, found)
        if found.all.isEmpty {
            for difference in try await StoredState(data: services.store).differences() { found.add(difference) }
        }
        return found.all
    }

    private func load(
        _ client: RPCClient, _ picture: [UInt8], _ services: Services, _ found: Findings
    ) async throws -> Journal {
        let end = World.now + plan.length
        return try await withThrowingTaskGroup(of: Journal?.self) { group in
            for number in 1...plan.clients {
                let client = Client(client: client, number: number, picture: picture, faults: found)
                group.addTask {
                    do {
                        return try await client.run(plan.seed, until: end)
                    } catch {
                        found.add("client \(number): \(error)")
                        return nil
                    }
                }
            }
            group.addTask {
                try await Troubles(services: services, faults: plan.faults).run()
                return nil
            }
            var journal = Journal()
            for try await one in group { if let one { journal.merge(one) } }
            return journal
        }
    }

    /// A service that ended by itself is started again, as a supervisor does, and is a failure unless its disk was.
    private func lookForDeaths(_ services: Services, _ found: Findings) async throws {
        for (machine, status) in services.ended() {
            found.add("\(machine) ended by itself with status \(status)")
            services.start(machine)
        }
    }

    private func compare(_ watcher: Watcher, _ judge: Client, _ found: Findings) async throws {
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

    private static func smallest(in folder: String) -> String {
        let names = Files.below(folder).filter { $0.hasSuffix(".jpg") }
        func size(_ name: String) -> Int {
            var facts = stat()
            return unsafe lstat("\(folder)/\(name)", &facts) == 0 ? Int(facts.st_size) : .max
        }
        return names.min { size($0) < size($1) } ?? ""
    }
}
