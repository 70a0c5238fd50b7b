import Arguments
import Contracts
import EventLoops
import LoadTest

/// Where a load's centres are from: a file, or the target's own places.
struct CentreSource: Sendable {
    /// Nil for the target's places.
    private let file: String?
    /// Only places of these datasets; of all when empty.
    private let datasets: [String]
    private let seed: UInt64

    static let flag = Flag(
        "centres", "FILE", "a line each with degrees north and east; drawn from the target's places if not given")

    /// How many centres are drawn.
    private static let drawn = 2000

    init(_ arguments: ParsedArguments, seed: UInt64) {
        file = arguments.text("centres")
        datasets = arguments.all("dataset")
        self.seed = seed
    }

    /// The centres, and the words for a report.
    func centres(
        _ transport: any Transport, _ blocking: BlockingPool
    ) async throws -> (all: [Coordinate], source: String) {
        if let file { return (try await blocking.run { try CentresFile.read(file) }, "of \(file)") }
        var catalog = CatalogCentres(transport, datasets: datasets, seed: seed)
        return (try await catalog.draw(Self.drawn), "of the target's own places")
    }
}
