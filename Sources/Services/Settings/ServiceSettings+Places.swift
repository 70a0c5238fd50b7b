import Arguments

extension ServiceSettings {
    package static let places = ServiceSettings(
        program: "places-service", name: "places", summary: "finds places and keeps the catalog", defaultPort: 7_701,
        own: ownPlaces + Option.database + Option.replication + Option.blobs + Option.placeNetworks)

    /// Half the Earth's circumference is 20,015,115 metres; every place is within.
    private static let maximumMetres = 20_016_000.0

    private static let ownPlaces = [
        Option(
            "--bundled", "DIR", defaultText: "next to the program", access: .readsFolder,
            help: "the bundled datasets to import at start, or none"),
        Option(
            "--max-radius", "METRES", default: "100000", in: .decimal(1...maximumMetres),
            help: "the largest radius of a search"),
        Option(
            "--max-import-bytes", "BYTES", default: 8 << 30, in: 1...(1 << 50),
            help: "the largest file that can be imported, also when unpacked"),
        Option(
            "--import-memory", "MIB", default: 256, in: 16...1_000_000,
            help: "MiB of --memory that the tables of an import may take; what is more goes to files"),
        Option(
            "--diff-servers", "URL,…", defaultText: "none",
            help: "servers that diffs of imported files may be fetched from: https://download.geofabrik.de"),
        Option(
            "--verify-rate", "N", default: 0, in: 0...1_000_000_000,
            help: "compare one in N searches with brute force, in the background; 0: none"),
    ]
}
