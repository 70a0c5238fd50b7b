package import BaseContracts
package import Daemon
package import RPC
package import Storage
internal import Wire

/// A network as administrators see it: what it is, and whether it is asked now.
package struct SwitchableNetwork: Sendable {
    private let name: String
    private let about: ProviderAbout
    private let rules: NetworkRules

    package init(_ name: String, _ about: ProviderAbout, _ rules: NetworkRules) {
        self.name = name
        self.about = about
        self.rules = rules
    }

    /// What it is and how it stands, for a client.
    package func info(
        _ switches: NetworkSwitches, _ standings: some StandingStore, _ clock: WallClock
    ) async throws -> NetworkInfo {
        let (standing, now) = (try await standings.standing(name), clock.unixMilliseconds)
        let (power, record) = (switches[name], switches.record(of: name))
        let pause = standing.pause(at: now, rules)
        return NetworkInfo(
            name: name, on: power?.isOn ?? false, live: true, gives: [about.gives], attribution: about.attribution,
            available: true, sends: about.sends, needsContact: power?.contact.isEmpty ?? true,
            requestsToday: UInt64(clamping: standing.count(at: now)), dailyLimit: UInt64(clamping: rules.perDay),
            requestsPerSecond: rules.perSecond, pausedUntil: pause.map { TimestampMessage(unixMilliseconds: $0.until) },
            pauseReason: pause?.reason ?? "",
            switchedTime: record.map { TimestampMessage(unixMilliseconds: $0.changedMilliseconds) },
            switchedBy: record?.account ?? "")
    }
}

extension CallContext {
    /// Whether the caller has the role that switching takes.
    package var maySwitchNetworks: Bool { identity?.roles.contains(.admin) ?? false }

    /// A network as the caller may see it: which administrator has switched it is for administrators.
    package func shown(_ info: NetworkInfo) -> NetworkInfo {
        var info = info
        if !maySwitchNetworks { info.switchedBy = "" }
        return info
    }
}

extension NetworkSwitches {
    /// Turns a switch as an administrator asks for; `settings` are those that make the network available.
    package func turn(
        _ network: String, on isOn: Bool, contact: String, settings: String, _ context: CallContext,
        also: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Void = { _ throws(SQLError) in }
    ) async throws {
        guard let power = self[network] else {
            throw RPCError(.failedPrecondition, "network: \(network) is not available; \(settings) makes it so")
        }
        guard !isOn || !contact.isEmpty || !power.contact.isEmpty else {
            throw RPCError(
                .failedPrecondition,
                "contact: it is missing; an e-mail address or a URL is needed, to which the"
                    + " network may write")
        }
        try await turn(power, on: isOn, contact: contact, by: try context.account, also: also)
    }
}
