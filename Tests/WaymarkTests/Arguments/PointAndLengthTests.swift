import Testing

@testable import Arguments
@testable import Waymark

@Suite("D2 Points and lengths as people write and copy them")
struct PointAndLengthTests {
    @Test(
        "a point in one word, or with its comma left on",
        arguments: [
            ["60.1699,24.9384"], ["60.1699, 24.9384"], ["(60.1699, 24.9384)"], ["geo:60.1699,24.9384"],
            ["GEO:60.1699,24.9384,12;u=35"], ["geo:60.1699,24.9384?z=17"], ["60.1699,", "24.9384"],
            ["60.1699", "24.9384"], ["geo:0,0?q=60.1699,24.9384(Here)"], ["geo:1,2?z=3&q=60.1699%2C24.9384"],
        ])
    func point(words: [String]) throws {
        var parser = ArgumentParser(SearchCommands.nearby.syntax, environment: [:])
        #expect(try parser.parse(words[...]).positionals == ["60.1699", "24.9384"])
    }

    @Test("south and west, and behind another word")
    func behind() throws {
        var parser = ArgumentParser(PinCommands.move.syntax, environment: [:])
        #expect(try parser.parse(["home", "-33.86,-151.21"]).positionals == ["home", "-33.86", "-151.21"])
    }

    @Test(
        "what is no point is refused as before",
        arguments: ["60.1699;24.9384", "60,24,5", "a,b", "60,nan", ",", "geo:1", "geo:0,0?q=Helsinki"])
    func noPoint(word: String) {
        var parser = ArgumentParser(SearchCommands.nearby.syntax, environment: [:])
        #expect(throws: UsageError("LON is missing: degrees east, -180 to 180")) { try parser.parse([word]) }
    }

    @Test(
        "metres of a length",
        arguments: [
            ("500", 500.0), ("500m", 500), ("1km", 1_000), ("1.5 km", 1_500), ("2KM", 2_000), ("1mi", 1_609.344),
            ("0", 0), (".5km", 500), ("-1", -1),
        ])
    func length(text: String, metres: Double) { #expect(Length.metres(text) == metres) }

    @Test(
        "the refusal of a radius names it and what is allowed",
        arguments: ["1lm", "km", "", "inf", "nan", "1e999", "1 k m x"])
    func noLength(text: String) throws {
        var parser = ArgumentParser(SearchCommands.nearby.syntax, environment: [:])
        let parsed = try parser.parse(["60", "25", "--radius=\(text)"])
        #expect(throws: UsageError("--radius is \(text), allowed is a length such as 500, 500m or 1.5km")) {
            try SearchCommands.nearby.request(parsed, ChangeName(parsed))
        }
    }
}
