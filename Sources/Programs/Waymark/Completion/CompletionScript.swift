import Arguments
import Bytes

/// A script for a shell, made from the commands' own tables.
struct CompletionScript: Sendable {
    enum Shell: String, Sendable, CaseIterable {
        case bash, zsh, fish
    }

    let shell: Shell
    let commands: [CommandSyntax]

    var text: String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// What may come first on a command line, with its summary: commands, groups of them, and help.
    var firstWords: [(word: String, summary: String)] {
        var words: [(String, String)] = []
        for command in commands where !words.contains(where: { $0.0 == command.words[0] }) {
            let group = commands.filter { $0.words[0] == command.words[0] }
            let verbs = group.compactMap { $0.words.dropFirst().first }
            words.append((command.words[0], verbs.isEmpty ? command.summary : verbs.joined(separator: ", ")))
        }
        return words + [("help", "describe a command")]
    }

    /// The second words after each first word that needs one.
    var groups: [(first: String, commands: [CommandSyntax])] {
        Dictionary(grouping: commands.filter { $0.words.count > 1 }) { $0.words[0] }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    static func flags(_ command: CommandSyntax) -> [Flag] { command.flags + Flag.common }

    /// Whether a flag's value is a file or a folder.
    static func takesPath(_ flag: Flag) -> Bool { ["PATH", "FILE", "DIR"].contains(flag.value ?? "") }

    /// A text as one word of a shell.
    static func quoted(_ text: String) -> String {
        "'" + text.split(at: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
