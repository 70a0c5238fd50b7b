import TestTools

/// What goes wrong in a world, when, and for how long.
struct Fault: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        /// The processes of a machine are killed; with `losesWrites` the machine loses its power.
        case crash(losesWrites: Bool)
        case freeze
        /// What one machine sends to the other waits; or only one way.
        case stall(other: Machine, bothWays: Bool)
        /// Connections between two machines are reset, and refused.
        case cut(other: Machine)
        /// The clock of day goes forward or back, in seconds.
        case clock(seconds: Int)
        /// Some syncs of files fail.
        case failingSyncs
        /// Nothing more can be written.
        case fullDisk
        /// The network of photos answers otherwise.
        case commons(Commons.Mood)

        /// How long it may last, in milliseconds. A network that is seldom asked has to be so for a while.
        var lengths: [Int] {
            if case .commons = self { [5_000, 20_000, 60_000] } else { [1, 10, 100, 1_000, 5_000, 20_000] }
        }
    }

    let kind: Kind
    let machine: Machine
    /// Since the load began.
    let start: Duration
    let length: Duration

    var description: String {
        let what =
            switch kind {
            case .crash(let losesWrites): losesWrites ? "\(machine) loses its power" : "\(machine) is killed"
            case .freeze: "\(machine) freezes"
            case .stall(let other, let bothWays): "\(machine) \(bothWays ? "and" : "to") \(other): nothing arrives"
            case .cut(let other): "\(machine) and \(other): cut"
            case .clock(let seconds): "\(machine): its clock is moved by \(seconds) s"
            case .failingSyncs: "\(machine): syncs fail"
            case .fullDisk: "\(machine): its disk is full"
            case .commons(let mood): "the network of photos is \(mood.rawValue)"
            }
        return "\(start.inSeconds) s: \(what), for \(length.inSeconds) s"
    }

    /// The faults of a seed, in the order of their starts.
    static func drawn(_ random: inout SeededGenerator, within time: Duration) -> [Fault] {
        let count = Int.random(in: 1...12, using: &random)
        return (0..<count).map { _ in
            let machine = random.one(of: Machine.ofServices)
            let kind: Kind
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<4: kind = .crash(losesWrites: false)
            case 4..<8: kind = .crash(losesWrites: true)
            case 8..<11: kind = .freeze
            case 11..<14: kind = .stall(other: other(than: machine, &random), bothWays: random.chance(0.5))
            case 14..<16: kind = .cut(other: other(than: machine, &random))
            case 16: kind = .clock(seconds: random.one(of: [-20, -5, -1, 1, 5, 20]))
            case 17..<19: kind = .failingSyncs
            case 19: kind = .fullDisk
            default: kind = .commons(random.one(of: Commons.Mood.allCases.filter { $0 != .good }))
            }
            return Fault(
                kind: kind, machine: machine,
                start: .milliseconds(Int.random(in: 0..<Int(time.inSeconds * 1_000), using: &random)),
                length: .milliseconds(random.one(of: kind.lengths)))
        }.sorted { $0.start < $1.start }
    }

    private static func other(than machine: Machine, _ random: inout SeededGenerator) -> Machine {
        random.one(of: Machine.allCases.filter { $0 != machine })
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    var nanoseconds: UInt64 {
        UInt64(clamping: components.seconds) * 1_000_000_000 + UInt64(clamping: components.attoseconds / 1_000_000_000)
    }
}
