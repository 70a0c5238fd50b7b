import EventLoops
import Glibc
import TestTools
import Testing

@testable import Arguments
@testable import Files
@testable import Supervisor
@testable import Terminal
@testable import Waymark

@Suite("D2 Shells complete commands and flags")
struct CompletionTests {
    private func script(_ shell: CompletionScript.Shell) -> String {
        CompletionScript(shell: shell, commands: Program.commands.map { $0.syntax }).text
    }

    /// What a program writes, by a file of its own, and how it ends.
    private func run(_ program: String, _ arguments: [String], in folder: TemporaryFolder) async throws -> String {
        let output = try Descriptor.appending(to: "\(folder.path)/out")
        let process = try Spawn(
            program: program, arguments: arguments,
            descriptors: [(output.number, STDOUT_FILENO), (output.number, STDERR_FILENO)]
        ).run()
        let pool = BlockingPool(threadCount: 1)
        let status = try await pool.run {
            var status: Int32 = 0
            try syscall("waitpid") { unsafe waitpid(process, &status, 0) }
            return status
        }
        let text = try folder.text("out")
        #expect(status == 0, "\(text)")
        return text
    }

    @Test(
        "bash loads it and completes",
        arguments: [
            ("waymark ne", ["nearby", "network-key", "networks"]), ("waymark pin re", ["rename"]),
            ("waymark pin rm --req", ["--request-id"]),
            ("waymark nearby 60 25 --cat", ["--category"]), ("waymark nearby 60 25 --radius ", []),
            ("waymark help da", ["dataset"]), ("waymark help dataset r", ["rm"]), ("waymark completion z", ["zsh"]),
            ("waymark dataset ", ["list", "rm", "show"]), ("waymark nonsense --", []),
            ("waymark up --tok", ["--token-file"]),
        ])
    func bash(line: String, expected: [String]) async throws {
        let folder = TemporaryFolder()
        let path = try folder.write(script(.bash), to: "waymark")
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map {
            CompletionScript.quoted("\($0)")
        }
        let test = """
            set -eu
            source \(CompletionScript.quoted(path))
            complete -p waymark > /dev/null
            COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
            set +eu
            _waymark
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let found = try await run("/bin/bash", ["-c", test], in: folder).split(separator: "\n").map(String.init)
        #expect(found.sorted() == expected)
    }

    @Test("every command and every flag is in every script", arguments: CompletionScript.Shell.allCases)
    func complete(shell: CompletionScript.Shell) {
        let text = script(shell)
        for command in Program.commands.map({ $0.syntax }) {
            for word in command.words { #expect(text.contains(word)) }
            for flag in CompletionScript.flags(command) {
                #expect(text.contains(shell == .fish ? "-l \(flag.name)" : "--\(flag.name)"))
            }
        }
    }

    private static func path(of shell: CompletionScript.Shell) -> String? {
        ["/bin/\(shell)", "/usr/bin/\(shell)"].first { access($0, X_OK) == 0 }
    }

    @Test("the shell, where it is installed, reads its script", arguments: CompletionScript.Shell.allCases)
    func syntax(shell: CompletionScript.Shell) async throws {
        guard let program = Self.path(of: shell) else { return }
        let folder = TemporaryFolder()
        let path = try folder.write(script(shell), to: "script")
        #expect(try await run(program, ["-n", path], in: folder) == "")
    }

    @Test("another shell is refused with those that are known")
    func unknown() async throws {
        let screen = Screen()
        let code = await Program(console: screen.console(), environment: [:]).run(["completion", "tcsh"])
        #expect(code == .usage && screen.messages.contains("SHELL is tcsh, allowed is bash, zsh or fish"))
    }
}

@Suite("D2 What goes for good has to be named")
struct ConfirmationTests {
    private func session(_ screen: Screen, isTerminal: Bool, wantsJSON: Bool = false) -> Session {
        Session(console: screen.console(isTerminal: isTerminal, width: 80), environment: [:], wantsJSON: wantsJSON)
    }

    @Test("its name lets it go, another one does not")
    func typed() throws {
        let screen = Screen()
        try Confirmation(name: "mine", kind: "dataset", answer: { " mine " }).ask(session(screen, isTerminal: true))
        #expect(screen.messages.contains("This removes the dataset mine"))
        #expect(throws: CommandFailure("nothing was removed: that is not its name")) {
            try Confirmation(name: "mine", kind: "dataset", answer: { "yes" }).ask(session(screen, isTerminal: true))
        }
    }

    @Test("nobody there to ask: --yes is needed", arguments: [(false, false), (true, true)])
    func nobody(isTerminal: Bool, wantsJSON: Bool) {
        let session = session(Screen(), isTerminal: isTerminal, wantsJSON: wantsJSON)
        #expect(throws: UsageError("--yes is needed to remove the dataset mine without a terminal")) {
            try Confirmation(name: "mine", kind: "dataset", answer: { "mine" }).ask(session)
        }
    }
}
