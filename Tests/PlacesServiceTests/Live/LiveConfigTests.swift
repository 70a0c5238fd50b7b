import Arguments
import Networks
import Settings
import LiveNetworks
import Daemon
import Testing

@testable import PlacesService

@Suite("P14 Settings of live networks")
struct LiveConfigTests {
    private func config(_ arguments: String...) throws -> LiveConfig {
        try LiveConfig(try Options(Option.placeNetworks, arguments: arguments, environment: [:]))
    }

    private func problem(_ arguments: String...) -> String? {
        do {
            _ = try LiveConfig(try Options(Option.placeNetworks, arguments: arguments, environment: [:]))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("none is on by itself; one that needs no key can be switched on all the same")
    func none() throws {
        let config = try config()
        #expect(config.networks.map(\.network) == [.openstreetmap] && config.networks.allSatisfy { !$0.isOn })
        #expect((config.networks[0].provider as? OverpassProvider)?.url == OverpassProvider.defaultURL)
        #expect(config.contact.isEmpty)
    }

    @Test("each is on with its own settings, and says whom to write to")
    func all() throws {
        let config = try config(
            "--openstreetmap-url", "https://osm.example/api/interpreter/", "--foursquare-key", "k", "--instagram-url",
            "http://127.0.0.1:1", "--instagram-token", "t", "--contact", "me@example.org", "--foursquare-rate", "9",
            "--openstreetmap-daily", "10", "--live-hours", "2")
        #expect(config.networks.map(\.network) == [.openstreetmap, .foursquare, .instagram])
        #expect(config.networks.map(\.isOn) == [true, true, true])
        #expect(config.contact == "me@example.org")
        #expect(config.networks[0].rules.perDay == 10)
        #expect(config.networks[1].rules.perSecond == 9)
        #expect(config.networks[2].rules.expiryMilliseconds == 7_200_000)
        #expect((config.networks[0].provider as? OverpassProvider)?.url == "https://osm.example/api/interpreter")
        #expect((config.networks[1].provider as? FoursquareProvider)?.url == FoursquareProvider.defaultURL)
    }

    @Test("the second shape of Foursquare takes an id and a secret")
    func second() throws {
        let config = try config(
            "--foursquare-key", "a:b:c", "--foursquare-shape", "v2", "--contact", "https://example.org")
        let provider = try #require(config.networks.last?.provider as? FoursquareV2Provider)
        #expect(provider.key == ("a", "b:c"))
    }

    @Test("what can't be used is told with its flag")
    func wrong() {
        #expect(problem("--openstreetmap-url", "https://x")?.contains("--contact") == true)
        #expect(problem("--openstreetmap-url", "osm.example", "--contact", "a")?.contains("http://") == true)
        #expect(problem("--openstreetmap-url", "file:///x", "--contact", "a")?.contains("http://") == true)
        #expect(problem("--openstreetmap-url", "https://x", "--contact", "a\nb")?.contains("plain") == true)
        #expect(problem("--foursquare-key", "k", "--foursquare-shape", "v3", "--contact", "a")?.contains("v2") == true)
        #expect(problem("--foursquare-key", "k", "--foursquare-shape", "v2", "--contact", "a")?.contains("ID:") == true)
        #expect(problem("--instagram-url", "http://x", "--contact", "a")?.contains("--instagram-token") == true)
        #expect(problem("--instagram-rate", "0", "--instagram-url", "http://x", "--contact", "a") != nil)
    }
}
