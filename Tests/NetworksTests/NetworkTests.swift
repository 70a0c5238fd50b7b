import Arguments
import Networks
import Testing

@Suite("P14 A network is a row")
struct NetworkTests {
    @Test("no two have a name in common, and each name can begin an id and a flag")
    func names() {
        #expect(Set(Network.all.map(\.name)).count == Network.all.count)
        for network in Network.all {
            #expect(network.name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            #expect(network.name.utf8.count <= 32 && !network.label.isEmpty)
            #expect(Network.named(network.name) == network)
        }
        #expect(Network.named("nowhere") == nil)
    }

    @Test("each gives something, and each that is asked has a rate, a budget and settings where it gives")
    func offers() {
        for network in Network.all {
            #expect(network.places != nil || network.photos != nil || network.maps != nil, "\(network.name)")
            for (gives, options) in [
                (network.places != nil, network.placeOptions), (network.photos != nil, network.photoOptions),
                (network.maps != nil, network.mapOptions),
            ] {
                let limits = ["--\(network.name)-rate", "--\(network.name)-daily", "--\(network.name)-at-once"]
                let flags = options.map(\.flag)
                #expect(gives && network.asked != nil ? Set(flags).isSuperset(of: limits) : flags.isEmpty)
                #expect(Set(flags).count == flags.count, "\(network.name)")
            }
        }
    }

    @Test("one that needs no key is at a public address, which its own flag replaces")
    func open() {
        #expect(Network.open.map(\.name) == ["openstreetmap", "commons", "panoramax", "streetmap"])
        for network in Network.open {
            #expect(network.asked?.address?.hasPrefix("https://") == true)
            let options = network.placeOptions + network.photoOptions + network.mapOptions
            #expect(options.contains { $0.flag == network.addressFlag })
        }
    }

    @Test("one that is not available says which settings make it so")
    func advice() {
        let advice = (Network.livePlaces + Network.ofMaps).map(\.placeAdvice)
        #expect(
            advice == [
                "places-service --openstreetmap-url URL --contact ADDRESS",
                "places-service --foursquare-key KEY --contact ADDRESS",
                "places-service --instagram-url URL --instagram-token TOKEN --contact ADDRESS",
                "places-service --streetmap-url URL --contact ADDRESS",
            ])
    }

    @Test("searches can be limited to all but what accounts have given themselves")
    func chosen() {
        #expect(
            Network.chosen.names == [
                "catalog", "commons", "flickr", "folder", "foursquare", "instagram", "openstreetmap", "panoramax",
                "streetmap",
            ])
        #expect(Network.ofKeys.names == ["immich", "instagram"])
        #expect(Network.ofAreas.names == ["commons", "flickr", "panoramax"])
    }
}
