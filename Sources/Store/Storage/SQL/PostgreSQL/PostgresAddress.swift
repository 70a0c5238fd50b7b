internal import Bytes
internal import CPQ
internal import Files
internal import Glibc

/// Where a PostgreSQL database is, and the schema that one service has in it.
struct PostgresAddress: Equatable, Sendable {
    /// A URL for libpq, without a password.
    let url: String
    /// The schema with all tables of the service.
    let schema: String
    /// The file that holds the password; nil where libpq finds it (PGPASSFILE, a service file) or none is needed.
    let passwordFile: String?
    /// The address for messages: "postgresql://db:5432/waymark".
    let place: String

    private static let allowed = "postgresql://USER@HOST:PORT/DATABASE with libpq's options behind a ?"

    /// Checks a URL. A password in it is refused: other users of the machine see the arguments of a process.
    init(_ url: String, schema: String, passwordFile: String?) throws(SQLError) {
        let options = try Self.options(of: url)
        guard options["password"] == nil else {
            throw SQLError(
                .cannotOpen,
                "the database's URL has a password in it, where others can read it; put the password into a file, and "
                    + "give that with --database-password-file")
        }
        self.url = url
        self.schema = schema
        self.passwordFile = passwordFile
        let (host, port) = (options["host"] ?? options["hostaddr"] ?? "", Self.portText(options["port"]))
        place = options["service"].map { "service \($0)" } ?? "postgresql://\(host)\(port)/\(options["dbname"] ?? "")"
    }

    /// The password, read again for each connection, so that it can be changed in place.
    func password() throws(SQLError) -> String? {
        guard let passwordFile else { return nil }
        guard let bytes = try? SmallFile.read(passwordFile, limit: 4_096),
            let line = String(decoding: bytes, as: UTF8.self).split(atScalars: \.isLineEnd).first, !line.isEmpty
        else {
            throw SQLError(
                .cannotOpen,
                "--database-password-file \(passwordFile) can't be read, or has no password in its first line")
        }
        return String(line)
    }

    /// Of several hosts without ports libpq gives a list of nothing.
    private static func portText(_ ports: String?) -> String {
        guard let ports, ports.unicodeScalars.contains(where: \.isDigit) else { return "" }
        return ":\(ports)"
    }

    private static func options(of url: String) throws(SQLError) -> [String: String] {
        var problem: UnsafeMutablePointer<CChar>?
        guard let list = unsafe PQconninfoParse(url, &problem) else {
            // libpq's words quote the URL, in which there may be a password.
            unsafe PQfreemem(problem)
            throw SQLError(.cannotOpen, "the database's URL does not parse: it is written as \(allowed)")
        }
        defer { unsafe PQconninfoFree(list) }
        var options: [String: String] = [:]
        var next = unsafe list
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                options[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe next += 1
        }
        return options
    }
}
