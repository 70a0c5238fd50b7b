import Contracts
import Terminal
import Wire

/// Networks of places and photos, as lines for a person.
enum NetworkTable {
    /// What no network ever learns.
    static let never = "What never leaves this machine: where exactly a pin is, its name, and your own pictures."

    static func lines(_ networks: [NetworkInfo], on sink: TextSink) -> [String] {
        var table = Table(columns: [
            .init(title: "NETWORK", style: .bold), .init(title: "GIVES"), .init(title: "STATE"),
            .init(title: "LEFT TODAY", isRight: true), .init(title: "ATTRIBUTION", minimum: 10, rank: 0),
            .init(title: "REMARK", minimum: 20),
        ])
        table.rows = networks.map { network in
            [
                .init(network.name), .init(network.gives.joined(separator: ", ")), .init(state(network)),
                .init(left(network)), .init(network.attribution), .init(remark(network)),
            ]
        }
        return table.lines(on: sink) + ["", never]
    }

    /// What was done about one.
    static func sentence(_ network: NetworkInfo) -> String {
        let gives = network.gives.joined(separator: " and ")
        guard network.on else { return "\(network.name) is asked for no more \(gives).".printable }
        return "\(network.name) is asked for \(gives) now. \(network.sends)".printable
    }

    private static func state(_ network: NetworkInfo) -> String {
        guard network.available else { return "not available" }
        return network.on ? network.pausedUntil == nil ? "on" : "paused" : "off"
    }

    /// "4,988 of 5,000"
    private static func left(_ network: NetworkInfo) -> String {
        guard network.dailyLimit > 0 else { return "" }
        let left = network.dailyLimit - min(network.dailyLimit, network.requestsToday)
        return "\(Quantity.count(left)) of \(Quantity.count(network.dailyLimit))"
    }

    private static func remark(_ network: NetworkInfo) -> String {
        if !network.message.isEmpty { return "needs \(network.message)" }
        if let until = network.pausedUntil { return "until \(until.text) UTC: \(network.pauseReason)" }
        guard network.live, !network.on else { return "" }
        return "networks on \(network.name)\(network.needsContact ? " --contact ADDRESS" : "")"
    }
}
