import Arguments
import EventLoops

/// What the worker is asked to do: `CASE --key value …`.
enum BenchArguments {
    static let syntax = CommandSyntax(
        words: ["waymark-bench"], summary: "measure one side of a case",
        positionals: [Positional(name: "CASE", summary: "what is measured")],
        flags: [
            Flag("seconds", "S", "how long a window is"), Flag("warm-up", "S", "how long it runs before that"),
            Flag("target", "HOST:PORT", "whom to call"), Flag("outstanding", "N", "calls under way at once"),
            Flag("servers", "PID,PID", "the processes that answer"), Flag("queries", "FILE", "what is asked"),
            Flag("dataset", "NAME", "where it is searched"), Flag("key-file", "FILE", "the deployment's key"),
            Flag("points", "FILE", "places as they are scattered"), Flag("snapshot", "FILE", "the index of them"),
            Flag("tls-ca", "FILE", "who signs the target's certificate"), Flag("form", "json", "lines for programs"),
            Flag("second", "HOST:PORT", "another gateway"), Flag("people", "FILE", "sessions, and the pins of each"),
            Flag("rate", "N", "calls or changes a second"), Flag("password", "TEXT", "that all accounts have"),
            Flag("folder", "DIR", "where indexes are built"), Flag("millions", "N,N", "of places in each"),
            Flag("late", "N", "one call in so many is answered late"),
            Flag("budget", "MS", "what an exploration may take"), Flag("without", "BRANCH", "what may fail of it"),
        ])

    static func parse(_ words: [String]) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(syntax, common: [], environment: [:])
        return try parser.parse(words[...])
    }
}

extension ParsedArguments {
    /// Which case is meant.
    var name: String { positionals.first ?? "" }

    /// The value of a flag that must be there.
    func required(_ flag: String) throws(UsageError) -> String {
        guard let text = text(flag) else { throw UsageError("--\(flag) is needed") }
        return text
    }

    /// A number from 0.
    func number(_ flag: String, _ fallback: Double) throws(UsageError) -> Double {
        guard let number = try number(flag) else { return fallback }
        guard number >= 0 else { throw UsageError("--\(flag) is \(number), allowed is a number from 0") }
        return number
    }

    func endpoint(_ flag: String) throws(UsageError) -> Endpoint {
        let text = try required(flag)
        guard let endpoint = Endpoint(text) else { throw UsageError("--\(flag) \(text) is not HOST:PORT") }
        return endpoint
    }

    /// Process numbers, separated by commas.
    var servers: [Int32] { (text("servers") ?? "").split(separator: ",").compactMap { Int32($0) } }
}
