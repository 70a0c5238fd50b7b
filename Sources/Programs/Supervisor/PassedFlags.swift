package import Arguments
import Settings

/// Flags of the services that `up` accepts too, and passes on unchanged: all that its own flags don't say.
package struct PassedFlags: Sendable {
    /// By its program's name, what each service gets.
    private var given: [String: [String]] = [:]

    /// All of them: what is of one service alone, then what all have.
    package static let all = of(ServiceSettings.all.flatMap(\.own) + ServiceSettings.all.flatMap(\.common))

    /// Those among some options, each once, though several services may have it.
    package static func of(_ options: [Option]) -> [Flag] {
        var names: Set<String> = []
        return options.filter { $0.up == .passes && names.insert($0.name).inserted }.map(\.passedFlag)
    }

    /// No flag was given.
    package init() {}

    /// The flags that were given, and those that `--online` stands for.
    package init(_ arguments: ParsedArguments) {
        let online = OnlineNetworks(arguments)?.flags ?? [:]
        for service in ServiceSettings.all {
            given[service.program] = service.options.filter { $0.up == .passes }.flatMap { option -> [String] in
                guard option.value != nil else { return arguments.has(option.name) ? [option.flag] : [] }
                // A value may begin with a dash.
                return (arguments.text(option.name) ?? online[option.name]).map { ["\(option.flag)=\($0)"] } ?? []
            }
        }
    }

    /// In the form that a service accepts.
    func flags(of service: ServiceSettings) -> [String] { given[service.program] ?? [] }
}
