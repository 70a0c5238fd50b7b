import Arguments
import Terminal

extension Release {
    /// The name of this program in calls.
    static let agent = "waymark \(version)"
}

/// `waymark version`: which version this is.
struct VersionCommand: CommandBody {
    static let syntax = CommandSyntax(words: ["version"], summary: "name the version of this program")

    private struct Answer: Encodable {
        let version: String
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {}

    func run(_ session: Session) async throws -> ExitCode {
        session.console.print(
            session.wantsJSON ? try OneLineJSON.of(Answer(version: Release.version)) : "waymark \(Release.version)")
        return .success
    }
}

/// `waymark completion`: what a shell needs to complete commands and flags.
struct CompletionCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["completion"], summary: "print a script with which a shell completes commands and flags",
        positionals: [Positional(name: "SHELL", summary: "bash, zsh or fish")],
        examples: [
            "completion bash > ~/.local/share/bash-completion/completions/waymark",
            "completion zsh > ~/.zsh/completions/_waymark",
            "completion fish > ~/.config/fish/completions/waymark.fish",
        ])

    private let script: CompletionScript

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let name = arguments.optional(at: 0) ?? ""
        guard let shell = CompletionScript.Shell(rawValue: name) else {
            throw UsageError("SHELL is \(name), allowed is bash, zsh or fish")
        }
        script = CompletionScript(shell: shell, commands: Program.commands.map { $0.syntax })
    }

    func run(_ session: Session) async throws -> ExitCode {
        session.console.output.write(script.text)
        return .success
    }
}
