/// One file to be read into one dataset.
struct ImportJob: Sendable {
    /// Bad rows that are passed over when the caller does not say.
    static let usualBadRows: UInt64 = 1000

    let dataset: DatasetName
    let path: String
    let format: FileFormat
    var columns = ColumnNames()
    var facts: DatasetFacts
    /// The upload that the file came with; nil for bundled data.
    var uploadID: String?
    var maximumBadRows = ImportJob.usualBadRows
    /// A compressed file may unpack to so much.
    var maximumBytes: UInt64 = 8 << 30
}

/// What reading a file came to.
struct ImportTally: Sendable, Equatable {
    /// Rows read, bad ones included.
    var rows: UInt64 = 0
    var badRows: UInt64 = 0
    /// Rows whose id came again later in the file.
    var duplicates: UInt64 = 0
}

/// How far an import is.
struct ImportState: Sendable, Equatable {
    enum Phase: String, Sendable { case reading, writing }
    var phase = Phase.reading
    var readBytes: UInt64 = 0
    var totalBytes: UInt64 = 0
    var rows: UInt64 = 0
}

/// Who is told of an import as it goes. Called on the import's thread; must not wait for anybody.
protocol ImportObserver: Sendable {
    /// Whether nobody wants the import any more.
    var isStopped: Bool { get }
    func progress(_ progress: ImportState)
    func badRow(_ line: UInt64, _ reason: String)
}
