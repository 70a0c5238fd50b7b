import Glibc

extension PostgresServer {
    /// All rows of the database of a file as text, wherever tests keep it; bytes are in hexadecimal digits. Blocks.
    package static func dump(of file: String) throws -> String {
        let place = try place(of: file)
        let files = TemporaryFolder()
        let dump = isOfFiles ? files.file("dump.py") : ""
        let command: String
        if isOfFiles {
            try WholeFile.write(Array(Self.sqliteDump.utf8), to: dump)
            command = "python3 \(dump) '\(file)'"
        } else {
            command = "\(Self.programs)/pg_dump --data-only --inserts -n '\(place.schema)' '\(place.address)'"
        }
        let status = unsafe system("cd / && \(command) >\(files.file("answer")) 2>\(files.file("problem"))")
        guard status == 0 else { throw Failure(description: "no dump of \(file): \(try files.text("problem"))") }
        return try files.text("answer")
    }

    private static let sqliteDump = """
        import sqlite3, sys
        with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=60) as database:
            for line in database.iterdump():
                if line.startswith("INSERT"):
                    print(line.lower())
        """
}
