import MachineCalls

/// Lets the faults of a plan happen, and ends them.
struct Troubles: Sendable {
    let services: Services
    let commons: Commons
    let faults: [Fault]

    /// Returns when all have ended.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fault in faults {
                group.addTask {
                    try await World.pass(fault.start)
                    begin(fault)
                    try await World.pass(fault.length)
                    end(fault)
                }
            }
            try await group.waitForAll()
        }
    }

    private func begin(_ fault: Fault) {
        Trace.say("\(fault)")
        let machine = fault.machine
        switch fault.kind {
        case .crash(let losesWrites):
            World.crash(machine, losesWrites: losesWrites)
            services.reap(machine)
        case .freeze: World.freeze(machine, true)
        case .stall(let other, let bothWays):
            World.link(machine, to: other, machine_link_stalled)
            if bothWays { World.link(other, to: machine, machine_link_stalled) }
        case .cut(let other):
            World.link(machine, to: other, machine_link_cut)
            World.link(other, to: machine, machine_link_cut)
        case .clock(let seconds): World.move(clockOf: machine, seconds: seconds)
        case .failingSyncs: World.failSyncs(of: machine, oneIn: 3)
        case .fullDisk: World.leaveRoom(on: machine, bytes: 10_000)
        case .commons(let mood): commons.set(mood)
        }
    }

    private func end(_ fault: Fault) {
        let machine = fault.machine
        switch fault.kind {
        case .crash: if !services.isRunning(machine) { services.start(machine) }
        case .freeze: World.freeze(machine, false)
        case .stall(let other, _), .cut(let other):
            World.link(machine, to: other, machine_link_good)
            World.link(other, to: machine, machine_link_good)
        case .clock: World.move(clockOf: machine, seconds: 0)
        case .failingSyncs: World.failSyncs(of: machine, oneIn: 0)
        case .fullDisk: World.leaveRoom(on: machine, bytes: .max)
        case .commons: commons.set(.good)
        }
    }
}
