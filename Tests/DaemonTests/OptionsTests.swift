import Arguments
import Daemon
import Testing

@Suite("Options", .timeLimit(.minutes(3)))
struct OptionsTests {
    private static let declared = [
        Option("--listen", "HOST:PORT", default: "127.0.0.1:7700", help: "where"),
        Option("--loops", "N", default: 2, in: 1...4, defaultText: "half the processors", help: "loops"),
        Option("--ratio", "R", default: "0.5", in: .decimal(0...1), isFlagOnly: true, help: "a number"),
        Option("--key-file", "PATH", isSecret: true, help: "the key"),
        Option("--open", help: "open mode"),
        Option("--help", isFlagOnly: true, help: "help"),
    ]

    private func options(_ arguments: String..., environment: [String: String] = [:]) throws(OptionError) -> Options {
        try Options(Self.declared, arguments: arguments, environment: environment)
    }

    @Test("come from flags, else from the environment, else from their default")
    func precedence() throws {
        let environment = ["WAYMARK_LISTEN": "env:1", "OTHER": "x"]
        #expect(try options()["--listen"] == "127.0.0.1:7700")
        #expect(try options(environment: environment)["--listen"] == "env:1")
        #expect(try options("--listen", "flag:2", environment: environment)["--listen"] == "flag:2")
        #expect(try options("--listen=flag:3", environment: environment)["--listen"] == "flag:3")
        #expect(try options(environment: ["WAYMARK_LISTEN": ""])["--listen"] == "127.0.0.1:7700")
        #expect(try options("--listen", "a:1", "--listen", "b:2")["--listen"] == "b:2", "the last one wins")
    }

    @Test("keep what follows the first equals sign")
    func equalsSigns() throws {
        #expect(try options("--key-file=a=b=c")["--key-file"] == "a=b=c")
        #expect(try options("--key-file=")["--key-file"] == "")
    }

    @Test(
        "that are not known are refused", arguments: ["--unknown", "listen", "-l", "", "--listen7", "--Listen"])
    func unknown(argument: String) {
        let error = #expect(throws: OptionError.self) { try options(argument) }
        #expect(error?.description.contains("--help") == true)
    }

    @Test("that are nearly known are refused with the one that may be meant")
    func misspelled() {
        let error = #expect(throws: OptionError.self) { try options("--listne", "a:1") }
        #expect(error?.description.contains("--listen") == true)
    }

    @Test("want their value, or none")
    func values() {
        #expect(throws: OptionError.self) { try options("--listen") }
        #expect(throws: OptionError.self) { try options("--open=1") }
        let error = #expect(throws: OptionError.self) { try options().required("--key-file") }
        #expect(error?.description.contains("--key-file or WAYMARK_KEY_FILE must be given") == true)
    }

    @Test("that are numbers have a range, and say it")
    func numbers() throws {
        #expect(try options("--loops", "1").integer("--loops") == 1)
        #expect(try options("--loops", "4").integer("--loops") == 4)
        for text in ["0", "5", "-1", "x", "", "1.5", "99999999999999999999", " 1"] {
            let options = try options("--loops", text)
            let error = #expect(throws: OptionError.self) { try options.integer("--loops") }
            #expect(error?.description == "--loops is \(text), a whole number from 1 to 4 is needed")
        }
        #expect(try options().number("--ratio") == 0.5)
        for text in ["nan", "inf", "-0.1", "1.1", "x", "1,0"] {
            let options = try options("--ratio", text)
            #expect(throws: OptionError.self) { try options.number("--ratio") }
        }
    }

    @Test("without a value are set by flag or by a variable that does not say no")
    func switches() throws {
        #expect(try !options().isSet("--open"))
        #expect(try options("--open").isSet("--open"))
        for text in ["1", "yes", "true", "on"] {
            #expect(try options(environment: ["WAYMARK_OPEN": text]).isSet("--open"))
        }
        for text in ["0", "no", "false", "No", "FALSE", ""] {
            #expect(try !options(environment: ["WAYMARK_OPEN": text]).isSet("--open"))
        }
    }

    @Test("are printed without secrets, and explained with their sources")
    func printing() throws {
        let printable = try options("--key-file", "/secret/place").printable
        #expect(printable.first { $0.flag == "--key-file" }?.value == "(secret)")
        #expect(printable.first { $0.flag == "--listen" }?.value == "127.0.0.1:7700")
        let help = Option.help(Self.declared)
        #expect(help.split(separator: "\n").count == Self.declared.count)
        #expect(help.contains("--listen HOST:PORT"))
        #expect(help.contains("[WAYMARK_LISTEN; default 127.0.0.1:7700]"))
        #expect(help.contains("[WAYMARK_LOOPS; default 2; 1 to 4]"))
    }

    @Test("that have a variable are rows of a table, with what a default depends on")
    func table() {
        let rows = Option.table(Self.declared).split(separator: "\n").dropFirst(2).map(String.init)
        #expect(
            rows == [
                "| `--listen HOST:PORT` | `WAYMARK_LISTEN` | `127.0.0.1:7700` | where |",
                "| `--loops N` | `WAYMARK_LOOPS` | half the processors | loops; 1 to 4 |",
                "| `--key-file PATH` | `WAYMARK_KEY_FILE` | none | the key |",
                "| `--open` | `WAYMARK_OPEN` | none | open mode |",
            ])
    }
}
