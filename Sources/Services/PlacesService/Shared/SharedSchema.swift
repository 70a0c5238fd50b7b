import FoundationEssentials
import Storage

/// What replicas of the service share besides the answers of live networks: which datasets there are, and the uploads.
enum SharedSchema {
    /// `datasets` has a row for each dataset, also for those that were deleted: bundled data of their name is not
    /// imported again. `generation` counts the imports of a name. `upload_chunks` are in the order in which they came:
    /// a later one replaces what it has of an earlier one.
    static let migration = Migration(
        "0.2.0 datasets and uploads of replicas",
        """
        CREATE TABLE datasets (
            name TEXT PRIMARY KEY,
            generation BIGINT NOT NULL,
            snapshot BYTEA NOT NULL,
            byte_count BIGINT NOT NULL,
            place_count BIGINT NOT NULL,
            facts BYTEA NOT NULL,
            is_deleted BOOLEAN NOT NULL
        );
        CREATE INDEX datasets_by_snapshot ON datasets (snapshot);
        CREATE TABLE uploads (
            id TEXT PRIMARY KEY,
            request BYTEA NOT NULL,
            stored BIGINT NOT NULL,
            used_ms BIGINT NOT NULL,
            taker TEXT NOT NULL
        );
        CREATE TABLE upload_chunks (
            upload TEXT NOT NULL,
            number BIGINT NOT NULL,
            start BIGINT NOT NULL,
            byte_count BIGINT NOT NULL,
            blob BYTEA NOT NULL,
            PRIMARY KEY (upload, number)
        );
        CREATE INDEX upload_chunks_by_blob ON upload_chunks (blob);
        """)
}

/// A dataset as all replicas have it.
struct SharedDataset: Equatable, Sendable {
    let name: DatasetName
    var generation: Int64
    /// The bytes of its snapshot file.
    var snapshot: BlobName
    var byteCount: Int64
    var placeCount: Int64
    var facts: DatasetFacts
    var isDeleted = false
}

extension Transaction {
    func sharedDatasets() throws(SQLError) -> [SharedDataset] {
        try rows(
            """
            SELECT name, generation, snapshot, byte_count, place_count, facts, is_deleted FROM datasets ORDER BY name
            """, read: Self.dataset)
    }

    func sharedDataset(_ name: DatasetName) throws(SQLError) -> SharedDataset? {
        try first(
            """
            SELECT name, generation, snapshot, byte_count, place_count, facts, is_deleted FROM datasets WHERE name = ?1
            """, name.description, read: Self.dataset)
    }

    func putDataset(_ dataset: SharedDataset) throws(SQLError) {
        guard let facts = try? JSONEncoder().encode(dataset.facts) else {
            throw SQLError(.misuse, "what is known of dataset \(dataset.name) can't be encoded")
        }
        try execute(
            """
            INSERT INTO datasets (name, generation, snapshot, byte_count, place_count, facts, is_deleted)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (name) DO UPDATE SET generation = excluded.generation, snapshot = excluded.snapshot,
                byte_count = excluded.byte_count, place_count = excluded.place_count, facts = excluded.facts,
                is_deleted = excluded.is_deleted
            """, dataset.name.description, dataset.generation, dataset.snapshot, dataset.byteCount, dataset.placeCount,
            Array(facts), dataset.isDeleted)
    }

    private static func dataset(_ row: borrowing Row) throws(SQLError) -> SharedDataset {
        guard let name = DatasetName(try row.text(0)), let snapshot = BlobName(bytes: try row.blob(2)),
            let facts = try? JSONDecoder().decode(DatasetFacts.self, from: Data(try row.blob(5)))
        else { throw SQLError(.corrupt, "the row of a dataset can't be read") }
        return SharedDataset(
            name: name, generation: try row.integer(1), snapshot: snapshot, byteCount: try row.integer(3),
            placeCount: try row.integer(4), facts: facts, isDeleted: try row.bool(6))
    }
}

extension Transaction {
    /// Those of some bytes that a dataset or an upload needs.
    func needed(_ names: [BlobName]) throws(SQLError) -> Set<BlobName> {
        let others = try sharedDatasets().filter { !$0.isDeleted }.flatMap {
            [$0.facts.tiles?.blob, $0.facts.areas?.blob, $0.facts.source?.blob].compactMap(\.self)
        }
        var needed = Set(names.filter { others.contains($0.text) })
        for name in names where !needed.contains(name) {
            let isNeeded = try first(
                """
                SELECT 1 FROM datasets WHERE snapshot = ?1 AND is_deleted = FALSE
                UNION ALL SELECT 1 FROM upload_chunks WHERE blob = ?1 LIMIT 1
                """, name
            ) { row throws(SQLError) in try row.integer(0) }
            if isNeeded != nil { needed.insert(name) }
        }
        return needed
    }
}
