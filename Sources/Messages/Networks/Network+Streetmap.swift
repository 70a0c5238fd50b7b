import Arguments

extension Network {
    /// The streets of the world, as vector tiles of a server without a key; any with a TileJSON will do.
    package static let streetmap = Network(
        name: "streetmap", label: "Streets of the world",
        maps: MapOffer(
            attribution: "© OpenStreetMap contributors",
            settings: [
                address(of: "streetmap", "the TileJSON of a server of vector tiles", at: openFreeMap),
                Option(
                    "--streetmap-tiles", "URL", defaultText: "the host of the TileJSON, or one below it",
                    help: "what the addresses of its tiles begin with; nothing else is fetched"),
                Option(
                    "--streetmap-cache-bytes", "BYTES", default: 1 << 30, in: 0...(1 << 50),
                    help: "tiles of it that are kept in the data folder; that folder may be emptied at any time"),
            ]),
        asked: Asking(address: openFreeMap, rate: "25", atOnce: 8, perDay: 100_000))

    private static let openFreeMap = "https://tiles.openfreemap.org/planet"
}
