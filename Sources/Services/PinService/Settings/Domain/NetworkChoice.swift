import Bytes

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
        var after = names.union(enabled).subtracting(disabled)
        if after.isEmpty, self == .unchosen, enabled.isEmpty { return .unchosen }
        guard !after.isEmpty, after != [Self.folder] || configured.contains(Self.folder) else { throw .lastNetwork }
        // What was not offered is not declined.
        if self == .unchosen || self == .all, !configured.contains(Self.folder) { after.insert(Self.folder) }
        return .some(after)
    }

    /// This server's own pictures. They ask no one: who has chosen before there were any gets them too, unless they
    /// were declined.
    static let folder = "folder"
    private static let declined = "-"

    /// What an account has chosen, from how it is stored.
    init(stored text: String) {
        let choice = NetworkChoice(text: text)
        guard case .some(var names) = choice else {
            self = choice
            return
        }
        if names.remove(Self.declined + Self.folder) == nil { names.insert(Self.folder) }
        self = .some(names)
    }

    /// How the choice of an account is stored.
    var stored: String {
        guard case .some(let names) = self, !names.contains(Self.folder) else { return text }
        return "\(text) \(Self.declined)\(Self.folder)"
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
        let names = text.split(at: " ").map(String.init)
        self = text == "*" ? .all : names.isEmpty ? .unchosen : .some(Set(names))
    }
}
