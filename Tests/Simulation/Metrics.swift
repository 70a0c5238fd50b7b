import Glibc
import Synchronization
import TestSupport
import WholeSystem

/// What the services count, as an operator reads it: counters never go back while a process runs, and all memory that
/// was taken for clients is given back when none is left.
final class Metrics: Sendable {
    static let port: UInt16 = 7_780

    private struct Look {
        let process: pid_t
        let counters: [String: Double]
    }

    private let services: Services
    private let faults: Findings
    private let last = Mutex<[Machine: Look]>([:])

    init(_ services: Services, _ faults: Findings) { (self.services, self.faults) = (services, faults) }

    /// Looks at all services again and again, until the task is cancelled.
    func run() async throws {
        while true {
            for machine in Machine.ofServices { await look(at: machine) }
            try await World.pass(.seconds(10))
        }
    }

    /// A machine that can't be reached is looked at the next time.
    private func look(at machine: Machine) async {
        let process = services.process(machine)
        guard let process, let text = try? await Self.scrape(machine), services.process(machine) == process else {
            return
        }
        let look = Look(process: process, counters: Self.counters(text))
        guard let before = last.withLock({ $0.updateValue(look, forKey: machine) }), before.process == process
        else { return }
        for (name, value) in before.counters.sorted(by: { $0.key < $1.key }) {
            let now = look.counters[name, default: 0]
            if now < value { faults.add("\(machine): \(name) went from \(value) to \(now)") }
        }
    }

    /// All counters and histograms of an answer, by their names with labels.
    private static func counters(_ text: String) -> [String: Double] {
        var counters: [String: Double] = [:]
        var isCounter = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "# TYPE ".utf8) {
                isCounter = !line.reversed().starts(with: " gauge".utf8.reversed())
            } else if isCounter, line.first != UInt8(ascii: "#"), let (name, value) = sample(line) {
                counters[name] = value
            }
        }
        return counters
    }

    private static func sample(_ line: Substring.UTF8View) -> (String, Double)? {
        guard let end = line.lastIndex(of: UInt8(ascii: " ")) else { return nil }
        return Double(String(Substring(line[line.index(after: end)...]))).map { (String(Substring(line[..<end])), $0) }
    }

    /// What is still held for clients, once none is left: waits until nothing is.
    func lookForHeld() async throws {
        for machine in Machine.ofServices {
            let end = World.now + .seconds(30)
            var held = try await Self.held(machine)
            while !held.isEmpty, World.now < end {
                try await World.pass(.milliseconds(500))
                held = try await Self.held(machine)
            }
            for text in held { faults.add("\(machine) still holds \(text)") }
        }
    }

    /// Services hold connections and watches of other services.
    private static func held(_ machine: Machine) async throws -> [String] {
        let isGateway = [.gateway, .secondGateway].contains(machine)
        let ofServices = ["{kind=\"connections\"}", "{kind=\"calls\"}", "_clients"]
        return try await scrape(machine).utf8.split(separator: UInt8(ascii: "\n")).compactMap(sample)
            .filter { $0.0.hasPrefix("waymark_memory_held_bytes{") || $0.0 == "waymark_memory_clients" }
            .filter { sample in sample.1 != 0 && (isGateway || !ofServices.contains { sample.0.hasSuffix($0) }) }
            .map { "\($0.0) \($0.1)" }
    }

    private static func scrape(_ machine: Machine) async throws -> String {
        try await BlockingCalls.run {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var patience = timeval(tv_sec: 5, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                unsafe setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
            }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe inet_pton(AF_INET, machine.address, &address.sin_addr)
            let code = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard code == 0 else { throw RunFailure.lost("a connection to \(machine)") }
            let request = Array("GET /metrics HTTP/1.1\r\nHost: \(machine.address)\r\nConnection: close\r\n\r\n".utf8)
            guard unsafe send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
                throw RunFailure.lost("a connection to \(machine)")
            }
            var answer: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe recv(socket, &part, part.count, 0)
                if count == 0 { break }
                guard count > 0 else { throw RunFailure.lost("a connection to \(machine)") }
                answer += part.prefix(count)
            }
            let parts = String(decoding: answer, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix("HTTP/1.1 200") else {
                throw RunFailure.lost("the metrics of \(machine)")
            }
            return String(parts[1])
        }
    }
}
