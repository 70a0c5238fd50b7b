import Arguments
import Bytes
import Contracts
import RPC
import Terminal

/// What an account has chosen: `waymark settings …`.
enum SettingsCommands {
    static let all: [any Command] = [set, show]

    private static let show = UnaryCommand(
        CommandSyntax(
            words: ["settings"], summary: "which networks your searches ask, units, language and start of the map",
            examples: ["settings", "settings --json"]),
        request: { _ in GetSettingsRequest() },
        call: { try await SettingsServiceClient($0).getSettings($1, $2.call) },
        view: { SettingsView.lines($0.answer.settings) })

    private static let set = UnaryCommand(
        CommandSyntax(
            words: ["settings", "set"], summary: "change settings; an account enables networks before its first pin",
            flags: [
                Flag("enable", "NETWORKS", "ask these in searches: names with commas, as networks lists them, or all"),
                Flag("disable", "NETWORKS", "ask these no more; what they gave stays"),
                Flag("units", "UNITS", "of distances: local, metric or imperial"),
                Flag("language", "TAG", "of names on the map: fi, pt-BR; \"\" for the reader's"),
                Flag("start-view", "VIEW", "what the map shows first: last, pins or here"),
            ], examples: ["settings set --enable all", "settings set --disable flickr --units imperial"]),
        request: { arguments in
            UpdateSettingsRequest(
                enableNetworks: names(arguments, "enable"), disableNetworks: names(arguments, "disable"),
                units: try SettingsView.units.value(of: arguments.text("units"), "units") ?? .unspecified,
                language: arguments.text("language"),
                startView: try SettingsView.starts.value(of: arguments.text("start-view"), "start-view")
                    ?? .unspecified)
        },
        call: { client, request, options in
            var request = request
            if request.enableNetworks == ["all"] {
                request.enableNetworks = try await KnownNetworks(client, options).choosable
            }
            return try await SettingsServiceClient(client).updateSettings(request, options.call)
        },
        view: { SettingsView.lines($0.answer.settings) })

    private static func names(_ arguments: ParsedArguments, _ flag: String) -> [String] {
        arguments.all(flag).flatMap { $0.split(at: ",") }.map(String.init)
    }
}

extension KnownNetworks {
    /// The names of those that searches can ask.
    fileprivate var choosable: [String] { Set(all.filter(\.available).map(\.name)).sorted() }
}
