import Glibc
import Synchronization
import TestTools

/// A store that speaks S3 and that nobody here wrote, as a process of its own on a free port, with a bucket "waymark".
/// It ends with the process of the tests, however that ends, and all its data is removed.
package final class S3Server: Sendable {
    package enum Kind: String, Sendable {
        case seaweedFS, rclone, radosgw

        /// Those that tests run on: Ceph's only where WAYMARK_RADOSGW names the script that starts it.
        package static let tested: [Kind] = [.seaweedFS, .rclone] + (S3Server.radosgwScript == nil ? [] : [.radosgw])
        /// Of these, those that can all that S3 says.
        package static let complete = tested.filter { $0 != .rclone }
        /// The one that tests of services use.
        package static let ofServices: Kind = tested.contains(.radosgw) ? .radosgw : .seaweedFS
    }

    /// The server could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static let keyID = "TESTKEY"
    package static let secret = "TESTSECRET"
    /// A key that may only read; rclone has none.
    package static let readerKeyID = "READERKEY"
    /// For tests that need one.
    package static let isInstalled = programs != nil
    /// What a test that is skipped says.
    package static let hint = "WAYMARK_S3_SERVERS is not set: Tests/ObjectStoreTests/servers installs what it names"

    /// The folder of the servers' programs.
    package static let programs = unsafe getenv("WAYMARK_S3_SERVERS").map { unsafe String(cString: $0) }
    private static let radosgwScript = unsafe getenv("WAYMARK_RADOSGW").map { unsafe String(cString: $0) }
    private static let seaweedFS = Result { try S3Server(.seaweedFS) }
    private static let rclone = Result { try S3Server(.rclone) }
    private static let radosgw = Result { try S3Server(.radosgw) }

    package let kind: Kind
    package let port: UInt16
    private let folder: String
    private let command: [String]

    /// One for all tests of a process, started by the first that asks.
    package static func shared(_ kind: Kind) throws -> S3Server {
        switch kind {
        case .seaweedFS: try seaweedFS.get()
        case .rclone: try rclone.get()
        case .radosgw: try radosgw.get()
        }
    }

    /// Starts one. Blocks for a second or two.
    package init(_ kind: Kind) throws {
        guard let programs = Self.programs else { throw Failure(description: Self.hint) }
        var template = Array("/tmp/waymark-s3-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { throw Failure(description: "mkdtemp: errno \(errno)") }
        self.kind = kind
        folder = unsafe String(cString: made)
        let ports = FreePorts.row(of: 9)
        port = ports[0]
        for name in ["data", "data/waymark"] { unsafe mkdir("\(folder)/\(name)", 0o700) }
        for name in ["output", "ready", "ended"] { unsafe mkfifo("\(folder)/\(name)", 0o600) }
        command =
            switch kind {
            case .seaweedFS: ["sh", "\(folder)/run", folder] + (try Self.weed("\(programs)/weed", folder, ports))
            case .rclone:
                [
                    "sh", "\(folder)/run", folder, "\(programs)/rclone", "serve", "s3", "--config=/dev/null",
                    "--addr=127.0.0.1:\(port)", "--auth-key=\(Self.keyID),\(Self.secret)", "\(folder)/data",
                ]
            case .radosgw:
                [
                    Self.radosgwScript ?? "false", folder, "\(port)", "\(ports[1])", Self.keyID, Self.secret,
                    Self.readerKeyID, ">\(folder)/ready", "2>&1",
                ]
            }
        try WholeFile.write(Array(Self.script.utf8), to: "\(folder)/run")
        try WholeFile.write(Array("\(Self.keyID)\n\(Self.secret)\n".utf8), to: "\(folder)/credentials")
        try start()
    }

    /// Where it is, in the form of a setting.
    package func address(bucket: String = "waymark", prefix: String = "") -> String {
        "s3://\(bucket)/\(prefix)?endpoint=http://127.0.0.1:\(port)"
    }

    /// What lets a service of a test keep its bytes here, each test's under a prefix of its own, where services keep
    /// their records in PostgreSQL; nothing where they keep both in a folder.
    package static func arguments(folder: String) throws -> [String] {
        try PostgresServer.isOfFiles ? [] : sharedArguments(folder: folder)
    }

    /// The same, in any case: replicas share it.
    package static func sharedArguments(folder: String) throws -> [String] {
        let name = folder.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
        return try shared(.ofServices).arguments(prefix: name)
    }

    /// What lets a service keep its bytes here, under a prefix.
    package func arguments(prefix: String) -> [String] {
        ["--blobs", address(prefix: prefix), "--blob-credentials", "\(folder)/credentials"]
    }

    /// Starts it, again with what it has kept (radosgw keeps nothing), and returns when it answers.
    package func start() throws {
        // The standard input is the lifeline: it ends with this process.
        let words = "exec " + command.joined(separator: " ")
        guard unsafe popen(words, "we") != nil else { throw Failure(description: "popen: errno \(errno)") }
        let answer = try WholeFile.text("\(folder)/ready")
        guard answer == "ready\n" else { throw Failure(description: "\(kind.rawValue) did not start: \(answer)") }
    }

    /// Ends it, unless it is radosgw, as a power cut would, and returns when it has ended.
    package func kill() throws {
        guard let pid = pid_t(try WholeFile.text("\(folder)/pid").dropLast()) else { return }
        Glibc.kill(pid, SIGKILL)
        _ = try WholeFile.text("\(folder)/ended")
    }

    /// Its output is read to its end, or it would stop when nobody reads what it says.
    private static let script = """
        trap '' INT TERM HUP
        cd "$1" || exit
        folder=$1
        shift
        HOME=$folder TMPDIR=$folder "$@" >output 2>&1 </dev/null &
        child=$!
        echo $child >pid
        {
            said=
            while read -r line; do
                echo "$line" >>log
                case $line in
                *"components are running and ready"* | *"Starting s3 server on"*)
                    [ "$said" ] || echo ready >ready
                    said=1
                    ;;
                esac
            done
            if [ "$said" ]; then echo ended >ended; else cat log >ready; fi
        } <output &
        reader=$!
        cat >/dev/null
        kill -9 $child $reader 2>/dev/null
        rm -rf "$folder"

        """

    private static func weed(_ program: String, _ folder: String, _ ports: [UInt16]) throws -> [String] {
        let keys = """
            {"identities": [
              {"name": "tests", "credentials": [{"accessKey": "\(keyID)", "secretKey": "\(secret)"}],
               "actions": ["Admin", "Read", "List", "Tagging", "Write"]},
              {"name": "reader", "credentials": [{"accessKey": "\(readerKeyID)", "secretKey": "\(secret)"}],
               "actions": ["Read", "List"]}
            ]}
            """
        try WholeFile.write(Array(keys.utf8), to: "\(folder)/keys.json")
        let settings = [
            "-dir=\(folder)/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-bucket=waymark",
            "-master.telemetry=false", "-webdav=false", "-admin.ui=false", "-s3.port.iceberg=0", "-s3.port.lance=0",
            "-s3.autoCreateBucket=false", "-s3.domainName=s3.localhost", "-s3.port=\(ports[0])",
            "-s3.config=\(folder)/keys.json", "-s3.localSocket=\(folder)/s3.sock",
            "-filer.localSocket=\(folder)/filer.sock", "-master.port=\(ports[1])", "-volume.port=\(ports[2])",
            "-filer.port=\(ports[3])", "-admin.port=\(ports[4])",
        ]
        return [program, "-logdir=\(folder)", "mini"] + settings
    }
}

/// Ports in a row that are free, and whose numbers and 10,000 are free too, which SeaweedFS takes without being asked.
/// They are below those that the system gives to others.
private enum FreePorts {
    private static let given = Mutex<Set<UInt16>>([])

    static func row(of count: UInt16) -> [UInt16] {
        while true {
            let first = UInt16.random(in: 10_000..<20_000 - count)
            let ports = Array(first..<first + count)
            let areNew = given.withLock { given in
                guard given.isDisjoint(with: ports) else { return false }
                given.formUnion(ports)
                return true
            }
            if areNew, ports.allSatisfy({ isFree($0) && isFree($0 + 10_000) }) { return ports }
        }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        return unsafe Loopback.withAddress(port) { unsafe bind(descriptor, $0, $1) } == 0
    }
}
