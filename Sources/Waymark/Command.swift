import Arguments

/// One of the things that `waymark` does.
protocol Command: Sendable {
    static var syntax: CommandSyntax { get }

    /// Reads the arguments; nothing is done yet.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does it. The result is the process's exit code.
    func run(_ session: Session) async throws -> ExitCode
}
