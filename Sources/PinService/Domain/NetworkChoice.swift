/// The networks that the searches of an account ask.
enum NetworkChoice: Equatable, Sendable {
    /// It has not chosen yet, and can't create pins.
    case unchosen
    /// All, also those that are configured later: the account is older than the choice, or the operator wants it so.
    case all
    /// These.
    case some(Set<String>)

    /// Whether searches ask a network.
    func allows(_ network: String) -> Bool {
        switch self {
        case .unchosen: false
        case .all: true
        case .some(let names): names.contains(network)
        }
    }

    /// Those that it names, in order.
    var names: [String] {
        guard case .some(let names) = self else { return [] }
        return names.sorted()
    }

    /// Those that another choice has too.
    func limited(to other: NetworkChoice) -> NetworkChoice {
        switch (self, other) {
        case (.unchosen, _), (_, .unchosen): .unchosen
        case (.all, let other): other
        case (let choice, .all): choice
        case (.some(let names), .some(let others)): .some(names.intersection(others))
        }
    }

    /// The choice after some were enabled and others disabled. `configured`: all that can be asked.
    func changed(
        enabling enabled: Set<String>, disabling disabled: Set<String>, configured: Set<String>
    ) throws(SettingsError) -> NetworkChoice {
        let names: Set<String> =
            switch self {
            case .unchosen: []
            case .all: configured
            case .some(let names): names
            }
        // One that was enabled before stays so where it is not configured any more.
        let unknown = enabled.subtracting(names).subtracting(configured)
        guard unknown.isEmpty else { throw .notConfigured(unknown.sorted()) }
        let after = names.union(enabled).subtracting(disabled)
        guard !after.isEmpty || self == .unchosen && enabled.isEmpty else { throw .lastNetwork }
        return after.isEmpty ? .unchosen : .some(after)
    }
}

extension NetworkChoice {
    /// As it is stored: names of networks have no blanks.
    var text: String {
        switch self {
        case .unchosen: ""
        case .all: "*"
        case .some(let names): names.sorted().joined(separator: " ")
        }
    }

    init(text: String) {
        let names = text.split(separator: " ").map(String.init)
        self = text == "*" ? .all : names.isEmpty ? .unchosen : .some(Set(names))
    }
}
