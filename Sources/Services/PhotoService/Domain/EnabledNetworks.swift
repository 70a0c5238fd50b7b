/// The networks that the searches of an account ask.
struct EnabledNetworks: Equatable, Sendable {
    static let all = EnabledNetworks(names: nil)

    /// Nil for all.
    let names: Set<String>?

    /// Whether photos of a network may be found for the account. What people have uploaded, and the libraries that they
    /// have opened with keys, are no such choice.
    func allows(_ network: String) -> Bool {
        guard let names, network != PhotoID.uploadNetwork, network != PhotoID.immichNetwork else { return true }
        return names.contains(network)
    }

    /// Those that another choice has too.
    func limited(to other: EnabledNetworks) -> EnabledNetworks {
        guard let names else { return other }
        return EnabledNetworks(names: other.names.map { names.intersection($0) } ?? names)
    }
}

/// What an account has chosen, as the pin service says it.
struct NetworksChosen: Equatable, Sendable {
    let networks: EnabledNetworks
    /// Grows with each choice of the account.
    let version: Int64
}
