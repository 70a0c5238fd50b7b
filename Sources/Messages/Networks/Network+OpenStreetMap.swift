extension Network {
    package static let openstreetmap = Network(
        name: "openstreetmap", label: "OpenStreetMap",
        places: PlaceOffer(
            maximumLinks: 1_000, attribution: "© OpenStreetMap contributors, ODbL",
            needs: [address(of: "openstreetmap", "an Overpass interpreter", at: overpass)]),
        asked: Asking(address: overpass, rate: "1", atOnce: 2))

    private static let overpass = "https://overpass-api.de/api/interpreter"
}
