import Testing

@testable import Arguments
@testable import Waymark

@Suite("Argument parser")
struct ArgumentParserTests {
    private static let syntax = CommandSyntax(
        words: ["find"], summary: "find",
        positionals: [
            Positional(name: "LAT", summary: "north"), Positional(name: "LON", summary: "east"),
            Positional(name: "MORE", summary: "more", isOptional: true),
        ],
        flags: [
            Flag("radius", "METRES", "radius"), Flag("category", "PATH", "category", isRepeatable: true),
            Flag("all", "all"), Flag("limit", "N", "limit"), Flag("wait", "TIME", "wait"),
        ])

    private func parse(_ words: String...) throws -> ParsedArguments {
        var parser = ArgumentParser(Self.syntax, environment: [:])
        return try parser.parse(words[...])
    }

    private func refusal(_ words: [String]) -> String? {
        var parser = ArgumentParser(Self.syntax, environment: [:])
        do {
            _ = try parser.parse(words[...])
            return nil
        } catch {
            return error.description
        }
    }

    @Test("takes negative numbers for values, not for flags", arguments: ["-33.86", "-.5", "-0", "-1e-3"])
    func negativeNumbers(number: String) throws {
        let parsed = try parse(number, "-151.21")
        #expect(parsed.positionals == [number, "-151.21"])
        #expect(try parsed.number(at: 0) == Double(number))
    }

    @Test("takes flags before, between and behind positionals, with a blank or an equals sign")
    func anyOrder() throws {
        let parsed = try parse("--radius", "500", "1", "--all", "2", "--limit=7")
        #expect(parsed.positionals == ["1", "2"])
        #expect(try parsed.number("radius") == 500)
        #expect(try parsed.count("limit", as: UInt32.self) == 7)
        #expect(parsed.has("all"))
        #expect(!parsed.has("json"))
    }

    @Test("takes a negative number as a flag's value")
    func negativeValue() throws { #expect(try parse("1", "2", "--radius", "-5").number("radius") == -5) }

    @Test("keeps a repeated flag's values in order")
    func repeated() throws {
        #expect(try parse("1", "2", "--category", "a", "--category=b=c").all("category") == ["a", "b=c"])
    }

    @Test("takes a flag by its letter", arguments: [["-o", "x"], ["-o=x"], ["--output", "x"]])
    func letter(words: [String]) throws {
        let syntax = CommandSyntax(
            words: ["get"], summary: "get", flags: [Flag("output", "FILE", "where to", letter: "o")])
        var parser = ArgumentParser(syntax, environment: [:])
        #expect(try parser.parse(words[...]).text("output") == "x")
        #expect(HelpText(width: nil).text(syntax).contains("  -o, --output FILE  where to"))
    }

    @Test("takes any number of values where the last one may be repeated")
    func manyPositionals() throws {
        let names = Positional(name: "NAME", summary: "a name", isOptional: true, isRepeatable: true)
        let syntax = CommandSyntax(words: ["greet"], summary: "greet", positionals: [names])
        var parser = ArgumentParser(syntax, environment: [:])
        #expect(try parser.parse(["a", "b", "c"]).positionals == ["a", "b", "c"])
        #expect(HelpText.usage(syntax) == "waymark greet [NAME…] [flags]")
    }

    @Test("takes everything behind -- for values, and a lone dash too")
    func dashes() throws {
        #expect(try parse("-", "--", "--all").positionals == ["-", "--all"])
    }

    @Test("asks for nothing when help is wanted", arguments: ["--help", "-h"])
    func help(flag: String) throws { #expect(try parse(flag).has("help")) }

    @Test(
        "refuses with a sentence that names the argument",
        arguments: [
            (["1"], "LON is missing: east"),
            ([], "LAT is missing: north"),
            (["1", "2", "3", "4"], "4 is one argument too many for find"),
            (["1", "2", "--raduis", "5"], "find has no flag --raduis; did you mean --radius?"),
            (["1", "2", "--zzzzzzzz"], "find has no flag --zzzzzzzz"),
            (["1", "2", "-x"], "find has no flag -x"),
            (["1", "2", "--radius"], "--radius needs a value: --radius METRES"),
            (["1", "2", "--radius", "--all"], "--radius needs a value: --radius METRES"),
            (["1", "2", "--radius", "1", "--radius", "2"], "--radius is given twice"),
            (["1", "2", "--all=yes"], "--all takes no value"),
        ])
    func refusals(words: [String], sentence: String) { #expect(refusal(words) == sentence) }

    @Test("refuses what is no number, no count and no span of time")
    func badValues() throws {
        let parsed = try parse("north", "nan", "--radius", "far", "--limit", "-3", "--wait", "soon")
        #expect(throws: UsageError("LAT is north, allowed is a number such as 60.17 or -33.86")) {
            try parsed.number(at: 0)
        }
        #expect(throws: UsageError("LON is nan, allowed is a number such as 60.17 or -33.86")) {
            try parsed.number(at: 1)
        }
        #expect(throws: UsageError.self) { try parsed.number("radius") }
        #expect(throws: UsageError("--limit is -3, allowed is a whole number from 0 to 4294967295")) {
            try parsed.count("limit", as: UInt32.self)
        }
        #expect(throws: UsageError.self) { try parsed.duration("wait") }
    }

    @Test(
        "reads spans of time",
        arguments: [("500ms", 0.5), ("2", 2), ("1.5s", 1.5), ("2m", 120), ("1h", 3600), ("90d", 7_776_000)])
    func durations(text: String, seconds: Double) { #expect(Duration(timeSpan: text) == .seconds(seconds)) }

    @Test("refuses spans of time that are none", arguments: ["", "s", "0", "-1s", "nan", "inf", "1w", "8e9", "1 s"])
    func badDurations(text: String) { #expect(Duration(timeSpan: text) == nil) }
}
