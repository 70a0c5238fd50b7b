import Arguments
import Contracts
import EventLoops
import RPC
import Synchronization

/// Pins of many accounts that change while they are watched through two gateways: whether each change is sent once and
/// in order, and how soon.
///
/// Each account's pins are watched through both, each pin by itself through one of them. Changes come at a fixed rate,
/// whatever becomes of those before, and are measured from when they should have come. One more watcher of the first
/// account reads nothing until the end.
struct Watching: Sendable {
    private static let patience: Duration = .seconds(240)

    /// What the watchers have seen together.
    private final class Seen: Sendable {
        /// Nanoseconds.
        let latencies = Mutex<[UInt64]>([])
        /// How many watches have had their first answer.
        let begun = Mutex(0)
        let bell = Bell()
    }

    private let clients: [RPCClient]
    private let slow: RPCClient
    private let pins: [FollowedPin]
    private let accounts: [[FollowedPin]]
    private let rate: Double
    private let seconds: Double
    private let loop: EventLoop
    private let seen = Seen()

    /// `people` has a line for each account: the token of a session, and its pins' ids.
    init(_ arguments: ParsedArguments, _ group: EventLoopGroup) throws {
        let targets = [try arguments.endpoint("target"), try arguments.endpoint("second")]
        func client(_ target: Endpoint, credit: Int? = nil) -> RPCClient {
            var limits = Limits()
            limits.callsPerConnection = 16_384
            if let credit { limits.streamCredit = credit }
            return RPCClient(
                target, group: group, resolver: BlockingPool(threadCount: 1), agent: "waymark-bench", limits: limits)
        }
        clients = targets.map { client($0) }
        slow = client(targets[0], credit: 1)
        let accounts = try BenchFile.rows(try arguments.required("people")).map { columns in
            columns.dropFirst().map { FollowedPin(String($0), token: String(columns[0]), watchers: targets.count + 1) }
        }
        // One of each account, then another one of each.
        pins = (0..<(accounts.map(\.count).max() ?? 0)).flatMap { number in
            accounts.compactMap { number < $0.count ? $0[number] : nil }
        }
        guard accounts.allSatisfy({ !$0.isEmpty }), !accounts.isEmpty else {
            throw UsageError("--people has an account without pins")
        }
        self.accounts = accounts
        rate = try arguments.number("rate", 300)
        seconds = try arguments.number("seconds", 10)
        loop = group.loops[0]
    }

    /// Runs it, and gives a line for programs.
    func run() async throws -> String {
        let reached = try await withThrowingTaskGroup(of: Void.self, returning: Bool.self) { group in
            defer { group.cancelAll() }
            for (number, client) in clients.enumerated() {
                for account in accounts {
                    group.addTask(executorPreference: loop) { try await watch(account, client, watcher: number) }
                }
            }
            for (number, pin) in pins.enumerated() {
                let client = clients[number % clients.count]
                group.addTask(executorPreference: loop) { try await watch(pin, client, watcher: clients.count) }
            }
            let late = lateWatch(from: 0)
            _ = try await late.next()
            try await untilBegun(clients.count * accounts.count + pins.count)
            try await change()
            return try await readsOn(late)
        }
        for client in clients + [slow] { await client.close() }
        return report(reached)
    }

    private func watch(_ account: [FollowedPin], _ client: RPCClient, watcher: Int) async throws {
        let known = Dictionary(uniqueKeysWithValues: account.map { ($0.id, $0) })
        let options = CallOptions(token: account[0].token)
        var version: UInt64 = 0
        try await goingOn {
            for try await answer in PinServiceClient(client).watchPins(WatchPinsRequest(fromVersion: version), options)
            {
                if version == 0 { begin() }
                for pin in answer.pins where version > 0 {
                    if let watched = known[pin.id] { record(watched, named: pin.name, to: watcher) }
                }
                version = answer.version
            }
        }
    }

    private func watch(_ pin: FollowedPin, _ client: RPCClient, watcher: Int) async throws {
        let options = CallOptions(token: pin.token)
        var version: UInt64 = 0
        try await goingOn {
            let request = WatchPinRequest(id: pin.id, fromVersion: version)
            for try await answer in PinServiceClient(client).watchPin(request, options) {
                if version == 0 { begin() } else { record(pin, named: answer.pin?.name ?? "", to: watcher) }
                version = answer.version
            }
        }
    }

    /// Begins again, as clients do, when a watch breaks off: on a machine that is far too busy a session may not be
    /// looked up in time.
    private func goingOn(_ watch: () async throws -> Void) async throws {
        while !Task.isCancelled {
            do {
                return try await watch()
            } catch let error as RPCError where [.unavailable, .deadlineExceeded, .aborted].contains(error.code) {
                try await Task.sleep(for: .milliseconds(200))
            } catch {
                if !Task.isCancelled { Main.complain("a watch failed: \(error)") }
                throw error
            }
        }
    }

    private func begin() {
        seen.begun.withLock { $0 += 1 }
        seen.bell.ring()
    }

    /// Returns when so many watches have had their first answer.
    private func untilBegun(_ count: Int) async throws {
        let end = MonotonicTime.now + Self.patience
        while true {
            let rung = seen.bell.count
            let missing = count - seen.begun.withLock { $0 }
            if missing == 0 { return }
            guard MonotonicTime.now < end else { throw WrongAnswer("\(missing) watches have not begun") }
            await seen.bell.wait(after: rung, timeout: .seconds(1))
        }
    }

    private func record(_ pin: FollowedPin, named name: String, to watcher: Int) {
        if let latency = pin.wasSent(named: name, to: watcher) { seen.latencies.withLock { $0.append(latency) } }
    }

    /// Makes all changes, and returns when all have been sent, or after four minutes more.
    private func change() async throws {
        let start = MonotonicTime.now
        let count = Int(rate * seconds)
        _ = try await withTimeLimit(.seconds(seconds) + Self.patience) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for turn in 0..<count {
                    let due = start + .seconds(Double(turn) / rate)
                    while MonotonicTime.now < due { try await Task.sleep(for: .milliseconds(1)) }
                    let (pin, client) = (pins[turn % pins.count], clients[turn / 3 % clients.count])
                    group.addTask(executorPreference: loop) {
                        guard let name = await pin.change(due: due) else { return }
                        var options = CallOptions(timeout: Self.patience)
                        options.token = pin.token
                        _ = try await PinServiceClient(client).renamePin(
                            RenamePinRequest(id: pin.id, name: name), options)
                    }
                }
                try await group.waitForAll()
                for pin in pins { _ = await pin.isSettled() }
            }
        }
    }

    private func lateWatch(from version: UInt64) -> ResponseStream<WatchPinsResponse>.Iterator {
        let (request, options) = (WatchPinsRequest(fromVersion: version), CallOptions(token: accounts[0][0].token))
        return PinServiceClient(slow).watchPins(request, options).makeAsyncIterator()
    }

    /// Whether the watcher that read nothing comes to the end, with what it knows never going back.
    private func readsOn(_ begun: ResponseStream<WatchPinsResponse>.Iterator) async throws -> Bool {
        let reached = try await withTimeLimit(Self.patience) {
            var (late, version) = (begun, UInt64(0))
            var known = accounts[0].reduce(into: [:]) { $0[$1.id] = 0 }
            while known != accounts[0].reduce(into: [:], { $0[$1.id] = $1.turn }) {
                do {
                    guard let answer = try await late.next() else { return false }
                    for pin in answer.pins {
                        let turn = Int(pin.name.split(separator: " ").last ?? "") ?? 0
                        guard turn >= known[pin.id] ?? 0 else { return false }
                        known[pin.id] = turn
                    }
                    version = answer.version
                } catch let error as RPCError where error.code == .aborted {
                    // It took nothing for so long that it is asked to begin again.
                    late = lateWatch(from: version)
                }
            }
            return true
        }
        return reached ?? false
    }

    private func report(_ hasReached: Bool) -> String {
        let sorted = seen.latencies.withLock { $0.sorted() }
        func milliseconds(_ share: Double) -> Double {
            sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6
        }
        let faults = pins.map(\.faults).reduce(FollowedPin.Faults(), +)
        return "{\"changes\":\(pins.map(\.turn).reduce(0, +)),\"sent\":\(sorted.count),"
            + "\"doubled\":\(faults.doubled),\"disordered\":\(faults.disordered),\"missing\":\(faults.missing),"
            + "\"slow_watcher_came_to_the_end\":\(hasReached),\"p50_ms\":\(milliseconds(0.5)),"
            + "\"p99_ms\":\(milliseconds(0.99)),\"most_ms\":\(milliseconds(1))}"
    }
}
