import Arguments
import Terminal

/// The whole program, from a command line to an exit code.
struct Program {
    let console: Console
    let environment: [String: String]

    /// Every command, in the order that the help text has.
    static let commands: [any Command] = groups.flatMap { $0 }

    private static let groups: [[any Command]] = [
        [BodyCommand(UpCommand.self), BodyCommand(LoginLinkCommand.self)], [BodyCommand(ExploreCommand.self)],
        SearchCommands.all, PlaceCommands.all,
        NetworkCommands.all, NetworkKeyCommands.all, SettingsCommands.all, DatasetCommands.all,
        PinCommands.all + PinFileCommands.all + UnplacedCommands.all + TrackCommands.all, ListCommands.all,
        StarCommands.all,
        AlbumCommands.all, PhotoCommands.all, FavouriteCommands.all, PostCommands.all, ShareCommands.all,
        GrantCommands.all,
        AccountCommands.all,
        KeyCommands.all, PasskeyCommands.all, AdminCommands.all,
        [
            // "backup" is the beginning of the others.
            BodyCommand(BackupListCommand.self), BodyCommand(BackupVerifyCommand.self), SafetyCommand.status,
            BodyCommand(BackupCommand.self),
            BodyCommand(RestoreCommand.self), BodyCommand(MigrateCommand.self), BodyCommand(UpgradeCommand.self),
        ],
        [
            BodyCommand(CallCommand.self), BodyCommand(ListCommand.self), BodyCommand(DescribeCommand.self),
            BodyCommand(StatsCommand.self), BodyCommand(InitCommand.self), BodyCommand(DoctorCommand.self),
            BodyCommand(TargetCommand.self),
        ],
        [
            BodyCommand(BenchNearbyCommand.self), BodyCommand(BenchExploreCommand.self),
            BodyCommand(BenchCallCommand.self), BodyCommand(BenchTruthCommand.self),
        ],
        [BodyCommand(CompletionCommand.self), BodyCommand(VersionCommand.self)],
    ]

    func run(_ arguments: ArraySlice<String>) async -> ExitCode {
        let wantsJSON = arguments.prefix { $0 != "--" }.contains { $0 == "--json" }
        do {
            return try await execute(arguments, wantsJSON)
        } catch {
            let text = FailureText(error)
            if wantsJSON { console.print(text.json) } else { text.lines.forEach(console.remark) }
            return ExitCode(error)
        }
    }

    private func execute(_ arguments: ArraySlice<String>, _ wantsJSON: Bool) async throws -> ExitCode {
        if arguments.first == "help", arguments.count > 1 { return try help(arguments.dropFirst()) }
        guard let first = arguments.first, first != "--help", first != "-h", first != "help" else {
            return say(helpText.overview(Self.commands.map { $0.syntax }))
        }
        if first == "--version" { return say("waymark \(Release.version)\n") }
        let group = Self.group(first)
        let isAlone = arguments.count == 1 || arguments.dropFirst().first == "--help"
        if !group.isEmpty, isAlone { return say(helpText.overview(group)) }
        let command = try Self.command(arguments)
        var parser = ArgumentParser(command.syntax, environment: environment)
        let parsed = try parser.parse(arguments.dropFirst(command.syntax.words.count))
        if parsed.has("help") { return say(helpText.text(command.syntax)) }
        let session = Session(console: console, environment: environment, wantsJSON: wantsJSON)
        return try await command.run(try await PinReference.resolving(parsed), session)
    }

    private var helpText: HelpText { HelpText(width: console.output.width) }

    /// `waymark help COMMAND`: what `--help` behind the command says.
    private func help(_ words: ArraySlice<String>) throws(UsageError) -> ExitCode {
        let named = words.filter { !ArgumentParser.looksLikeFlag($0) }[...]
        let group = Self.group(named.first ?? "")
        if named.count == 1, !group.isEmpty { return say(helpText.overview(group)) }
        return say(helpText.text(try Self.command(named).syntax))
    }

    private func say(_ text: String) -> ExitCode {
        console.output.write(text)
        return .success
    }

    /// The commands that begin with a word, if it is none by itself.
    private static func group(_ first: String) -> [CommandSyntax] {
        let all = commands.map { $0.syntax }.filter { $0.words[0] == first }
        return all.contains { $0.words.count == 1 } ? [] : all
    }

    private static let removals: Set<String> = ["rm", "delete", "remove", "revoke", "end"]

    /// The command that the first words name.
    private static func command(_ arguments: ArraySlice<String>) throws(UsageError) -> any Command {
        if let command = commands.first(where: { arguments.starts(with: $0.syntax.words) }) { return command }
        let first = arguments.first ?? ""
        let seconds = group(first).compactMap { $0.words.dropFirst().first }
        // What takes something away has a word of its own for each kind of thing; the others do as well.
        let meant = seconds.filter(removals.contains)
        if let second = arguments.dropFirst().first, removals.contains(second), meant.count == 1 {
            return try command([first, meant[0]] + arguments.dropFirst(2))
        }
        if !seconds.isEmpty { throw UsageError("\(first) needs one of: \(seconds.joined(separator: ", "))") }
        let hint = Spelling.suggestion(for: first, among: commands.map { $0.syntax.words[0] } + ["help"])
        throw UsageError("there is no command \(first)\(hint)")
    }
}
