package import Arguments

extension Option {
    /// The options of every service that keeps records.
    static let database = [
        Option(
            "--database", "ADDRESS", defaultText: "a file in `--data`", isSecret: true,
            help: "postgresql://USER@HOST:PORT/DATABASE, which replicas share, or a file; no password in it"),
        Option(
            "--database-password-file", "FILE", access: .readsReplacedFile,
            help: "a file whose first line is the password for the PostgreSQL server"),
        Option(
            "--database-schema", "NAME", defaultText: "`pins`, `photos` or `places`", up: .leaves,
            help: "the schema with the service's tables, for several deployments in one database"),
        Option(
            "--replica", "NAME", defaultText: "a new one at each start",
            help: "the name of this replica, which no other has; with it a start goes on at once with what it was doing"
        ),
        Option(
            "--database-connections", "N", default: 8, in: 2...200,
            help: "connections to the PostgreSQL server, half of them for transactions that only read"),
    ]

    /// Those of a log that is stored elsewhere.
    static let replication = [
        Option(
            "--replicate", "PLACE", access: .writesPlace,
            help: "store what is written to the SQLite file elsewhere as it is written: a folder, or"
                + " s3://BUCKET/PREFIX?endpoint=URL"),
        Option(
            "--replicate-mode", "MODE", default: "soon",
            help: "soon: at most a second later; before: before a change is acknowledged"),
        Option(
            "--replicate-hours", "N", default: 72, in: 1...87_600,
            help: "how far back a restore can go, to any second"),
        Option(
            "--replicate-credentials", "FILE", access: .readsFile,
            help: "the access key of that bucket, as --blob-credentials"),
        Option(
            "--replicate-passphrase-file", "FILE", access: .readsFile,
            help: "seals what is stored with the passphrase in its first line"),
        Option(
            "--replicate-beat", "DIR", access: .writesFolder, up: .sets,
            help: "a folder that the services of a machine share: what is stored of one is then of the same moment as"
                + " what is stored of the others"),
    ]

    /// The options of every service that keeps bytes. The same bucket is not for several services: each
    /// removes what it does not know.
    package static let blobs = [
        Option(
            "--blobs", "ADDRESS", defaultText: "a folder in `--data`", up: .leaves,
            help: "s3://BUCKET/PREFIX?endpoint=URL, a bucket that replicas share; &region=NAME, &style=path or"
                + " &style=host can follow"),
        Option(
            "--blob-credentials", "FILE", access: .readsFile, up: .leaves,
            help: "the bucket's access key: its id and its secret in two lines; else AWS_ACCESS_KEY_ID and"
                + " AWS_SECRET_ACCESS_KEY are read"),
        Option(
            "--blob-cache", "BYTES", default: 1 << 30, in: 0...(1 << 50), up: .leaves,
            help: "how much of the bucket is kept in `--data` as well; it may be removed at any time"),
    ]

    /// The setting of `verifyRate`.
    static let verifyRate = Option(
        "--verify-rate", "N", default: 0, in: 0...1_000_000_000,
        help: "compare one in N searches around a point with the database's own answer, in the background; 0: none")
}
