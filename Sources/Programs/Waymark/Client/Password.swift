import Arguments
import EventLoops
import Files
import Glibc
import Terminal

/// Where a password comes from: never from an argument, which every user of the machine could see.
struct PasswordSource: Sendable {
    static func flag(_ name: String = "password-file", _ summary: String = "the password") -> Flag {
        Flag(
            name, "FILE",
            "\(summary), in its first line; asked for at the terminal, or read from standard input, without it")
    }

    private static let longestFile = 4_096

    private let file: String?
    private let question: String

    init(_ arguments: ParsedArguments, flag: String = "password-file", question: String = "Password: ") {
        file = arguments.text(flag)
        self.question = question
    }

    /// The password. Blocks.
    /// - Parameter isNew: whether it is chosen now: then it has to be typed twice.
    func read(isNew: Bool = false) throws -> String {
        if let file {
            let bytes = try SmallFile.read(file, limit: Self.longestFile)
            return String(
                decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        }
        guard isatty(STDIN_FILENO) == 1 else { return SecretPrompt.line(from: STDIN_FILENO) ?? "" }
        guard let password = SecretPrompt.ask(question) else {
            throw UsageError("there is no terminal to ask for the password; --password-file names a file with it")
        }
        guard !isNew || SecretPrompt.ask("The same again: ") == password else {
            throw UsageError("the two passwords differ; nothing was done")
        }
        return password
    }
}
