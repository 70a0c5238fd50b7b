import Arguments
import EventLoops

extension ServiceSettings {
    package static let photos = ServiceSettings(
        program: "photo-service", name: "photos", summary: "keeps photos, albums and pictures", defaultPort: 7_703,
        own: Option.database + Option.replication + Option.blobs + ownPhotos + Option.photoNetworks)

    /// As long as a copy may take, in seconds: bytes are stored before the row that names them.
    private static let shortestGrace = 60
    private static let year = 31_536_000

    private static var defaultDecoders: Int { max(1, min(8, Processors.count)) }

    private static let ownPhotos: [Option] = [
        Option(
            "--pictures", "DIR", access: .readsFolder, up: .sets,
            help: "a folder of pictures whose cameras noted where they were; it is only read"),
        Option(
            "--pictures-leave-out", "NAMES",
            help: "folders and files that are left out too, with commas between them: Private,Scans/*.png"),
        Option(
            "--pictures-every", "SECONDS", default: 3_600, in: 0...year,
            help: "how often all of the folder is looked through, for changes that its disk does not report; "
                + "0: only at a start and when asked, and no change is noticed"),
        Option(
            "--decoders", "N", default: defaultDecoders, in: 1...32, defaultText: "the processors, at most 8",
            help: "how many pictures are decoded at once, each in a process of its own"),
        Option(
            "--large-bytes", "BYTES", default: 1 << 30, in: 0...(1 << 50),
            help: "how much space large pictures may take; the oldest are removed, and made again on request"),
        Option(
            "--photo-quota", "BYTES", default: 20 << 30, in: 0...(1 << 50), defaultText: "20 GiB",
            help: "how many bytes the photos may have that one account uploads; 0 for any. "
                + "Photos of the folder, of networks and of libraries that are shown through don't count"),
        Option(
            "--blob-grace", "SECONDS", default: 3_600, in: shortestGrace...year,
            help: "how long bytes that no record names are kept"),
        Option(
            "--sweep-every", "SECONDS", default: 3_600, in: 1...year, help: "how often such bytes are searched for"),
        Option.verifyRate,
    ]
}
