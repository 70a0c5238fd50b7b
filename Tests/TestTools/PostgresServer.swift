internal import Glibc

/// A PostgreSQL server of its own for one process of tests: it ends with that process, however that ends, and all its
/// data is removed. It compares texts as English does, unless it is told otherwise.
package final class PostgresServer: Sendable {
    /// The server could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// One for all tests of a process, started by the first that asks.
    package static let shared = Result { try PostgresServer() }

    /// Where the server's programs are: Debian's, unless WAYMARK_TEST_POSTGRES names another folder.
    static let programs =
        unsafe getenv("WAYMARK_TEST_POSTGRES").map { unsafe String(cString: $0) } ?? "/usr/lib/postgresql/15/bin"

    /// The folder with the data and the socket.
    package let folder: String

    /// Starts one. Blocks for a second or two.
    /// - Parameter password: what the user has to know; nobody is asked for one when it is nil.
    package init(password: String? = nil) throws {
        var template = Array("/tmp/waymark-postgres-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { throw Failure(description: "mkdtemp: errno \(errno)") }
        folder = unsafe String(cString: made)
        if geteuid() == 0, let user = unsafe getpwnam("postgres") {
            unsafe chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        let ready = "\(folder)/ready"
        guard unsafe mkfifo(ready, 0o666) == 0, unsafe chmod(ready, 0o666) == 0 else {
            throw Failure(description: "mkfifo: errno \(errno)")
        }
        try WholeFile.write(Array(Self.script.utf8), to: "\(folder)/run")
        unsafe chmod("\(folder)/run", 0o755)
        let settings = """
            listen_addresses = ''
            unix_socket_directories = '\(folder)'
            fsync = off
            full_page_writes = off
            max_connections = 500
            shared_buffers = 64MB
            wal_level = minimal
            max_wal_senders = 0

            """
        try WholeFile.write(Array(settings.utf8), to: "\(folder)/settings")
        try WholeFile.write(Array("\(password ?? "none")\n".utf8), to: "\(folder)/password")
        for name in ["settings", "password"] { unsafe chmod("\(folder)/\(name)", 0o644) }
        let check = password == nil ? "trust" : "scram-sha-256"
        // Its standard input is the lifeline: it reads the end when this process is gone.
        guard unsafe popen("exec \(Self.user)sh \(folder)/run \(folder) \(Self.programs) \(check)", "we") != nil else {
            throw Failure(description: "popen: errno \(errno)")
        }
        let answer = try WholeFile.text(ready)
        guard answer == "ready\n" else { throw Failure(description: "PostgreSQL did not start: \(answer)") }
    }

    /// PostgreSQL refuses to run as root.
    private static let user = geteuid() == 0 ? "runuser -u postgres -- " : ""

    /// Ends the server as a crash would, and all connections to it.
    package func stop() { control("-m immediate stop") }

    /// Starts it again after `stop`.
    package func start() { control("-w -l \(folder)/server.log start") }

    /// Sends a signal to the server and all its processes: SIGSTOP makes it a peer that is there and says nothing.
    /// - Parameter isForAll: false for the process that takes connections alone: those that are there go on.
    package func signal(_ number: Int32, isForAll: Bool = true) {
        let file = (try? WholeFile.text("\(folder)/data/postmaster.pid")) ?? ""
        guard let pid = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return }
        let children = isForAll ? (try? WholeFile.text("/proc/\(pid)/task/\(pid)/children")) ?? "" : ""
        for process in [pid] + children.split(separator: " ").compactMap({ pid_t($0) }) { kill(process, number) }
    }

    /// What `psql` prints for a script, errors too. Blocks.
    package func answer(_ script: String) throws -> String {
        let files = TemporaryFolder()
        try WholeFile.write(Array(script.utf8), to: files.file("script"))
        let psql = "\(Self.programs)/psql -X -q -A -t -d '\(url)' -f \(files.file("script"))"
        unsafe _ = system("cd / && \(psql) >\(files.file("answer")) 2>&1")
        return try files.text("answer")
    }

    private func control(_ words: String) {
        unsafe _ = system("cd / && \(Self.user)\(Self.programs)/pg_ctl -D \(folder)/data \(words) >/dev/null 2>&1")
    }

    /// The address of a database: that which every server has.
    package var url: String { url(host: folder) }

    /// Whether tests of services keep their records in files, as they do without WAYMARK_TEST_ENGINE=postgres.
    package static let isOfFiles =
        unsafe getenv("WAYMARK_TEST_ENGINE").map { unsafe String(cString: $0) } != "postgres"

    /// Where tests of a service keep the records of a file: in that file, or in a schema of the shared server, which is
    /// the same whenever the file is.
    package static func place(of file: String) throws -> (address: String, schema: String) {
        try isOfFiles ? (file, "waymark") : sharedPlace(of: file)
    }

    /// The same, in the server in any case: replicas share it.
    package static func sharedPlace(of file: String) throws -> (address: String, schema: String) {
        let name = file.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
        return (try shared.get().url, "t" + name.suffix(60))
    }

    /// The same at another host, such as a proxy's, with libpq's options.
    package func url(host: String, options: String = "") -> String {
        "postgresql://waymark@/postgres?host=\(host)\(options)"
    }

    private static let script = """
        trap '' INT TERM HUP
        cd "$1" && PATH=$2:$PATH
        init() { initdb -D data -U waymark -A $1 --pwfile=password -N -E UTF8 --locale=C.UTF-8 $2; }
        {
            # One that was built without ICU compares texts by their bytes.
            { init $3 "--locale-provider=icu --icu-locale=en" || { rm -rf data && init $3 ''; }; } &&
            cat settings >>data/postgresql.conf &&
            pg_ctl -D data -w -t 60 -l server.log start
        } >log 2>&1 </dev/null || { cat log server.log >ready; rm -rf "$1"; exit 1; }
        echo ready >ready
        cat >/dev/null
        pg_ctl -D data -m immediate stop >/dev/null 2>&1
        rm -rf "$1"

        """
}
