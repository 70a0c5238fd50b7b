import Glibc
import TestTools
import WholeSystem

/// The data of a places service that has taken in the bundled places: each world begins with a copy.
struct Template {
    let folder: String

    /// Makes it, with a service in the real world: that takes seconds of a processor.
    init(_ options: Options) throws {
        let (programs, data) = (options.programs, options.data)
        folder = "\(options.folder)/waymark-worlds-\(getpid())"
        Files.makeFolder(folder)
        let (key, log) = ("\(folder)/key", "\(folder)/log")
        try Self.writeKey(key)
        let pid = Program.start(
            "\(programs)/places-service",
            ["places-service", "--listen", "127.0.0.1:0", "--admin", "none", "--key-file", key]
                + ["--data", "\(folder)/places"], ["WAYMARK_BUNDLED=\(data)", "PATH=/usr/bin:/bin"], output: log)
        while waitpid(pid, nil, WNOHANG) == 0 {
            let said = (try? WholeFile.bytes(log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            if said.contains(#""message":"ready""#), Self.isIdle(pid) { break }
            _ = poll(nil, 0, 20)
        }
        kill(pid, SIGTERM)
        waitpid(pid, nil, 0)
    }

    /// Whether it has used no processor for a second: what it makes of its data, it has made.
    private static func isIdle(_ pid: pid_t) -> Bool {
        func time() -> Substring? {
            let fields = (try? WholeFile.bytes("/proc/\(pid)/stat")).map { String(decoding: $0, as: UTF8.self) }
            return fields?.split(separator: " ").dropFirst(13).first
        }
        let before = time()
        _ = poll(nil, 0, 1_000)
        return before == time()
    }

    func remove() { TemporaryFolder.remove(folder) }

    /// The gazetteer and datasets are never written to again, so a second name is a copy.
    func copy(to place: String) throws {
        for path in Files.below("\(folder)/places") {
            let (from, to) = ("\(folder)/places/\(path)", "\(place)/\(path)")
            try Files.link(from, at: to)
            guard !path.hasPrefix("gazetteer"), !path.hasPrefix("datasets/") else { continue }
            let bytes = try WholeFile.bytes(from)
            try Files.remove(to)
            try WholeFile.write(bytes, to: to)
        }
    }

    static func writeKey(_ path: String) throws {
        try WholeFile.write(Array(String(repeating: "0", count: 63).utf8) + [0x37], to: path)
        chmod(path, 0o600)
    }
}
