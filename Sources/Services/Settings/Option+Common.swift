import Arguments
import EventLoops

extension Option {
    /// Those of every service.
    static func common(_ port: UInt16) -> [Option] {
        [
            Option(
                "--listen", "HOST:PORT", default: "127.0.0.1:\(port)", defaultText: "127.0.0.1 and the port above",
                up: .sets, help: "where calls are accepted; port 0 is a free one"),
            admin,
            Option(
                "--data", "DIR", default: "data", access: .writesFolder, up: .sets,
                help: "the folder of this service alone, where everything is kept"),
            Option(
                "--key-file", "PATH", defaultText: "must be given", access: .readsFile, up: .sets,
                help: "the deployment's key, 64 hexadecimal digits, the same for all four"),
        ] + tls + [
            memory, confine,
            Option(
                "--loops", "N", default: defaultLoops, in: 1...256, defaultText: "half the processors, 1 to 4",
                help: "event loops"),
            Option(
                "--log-level", "LEVEL", default: "info", help: "debug, which logs every call, info, warning or error"),
            Option(
                "--lifeline", "FD", in: .whole(0...1_000_000), isFlagOnly: true, up: .sets,
                help: "stop when this descriptor reaches its end"),
            Option(
                "--check", isFlagOnly: true, up: .leaves,
                help: "show by the exit code whether the service at --listen is ready"),
            Option(
                "--try", "all|records|move", isFlagOnly: true, up: .leaves,
                help:
                    "open the data, upgrade it, print what is wrong with it, and end; for copies of a data folder that "
                    + "have all, or databases alone; for a database that waymark migrate moves data into"),
            Option(
                "--settings", "common|own", isFlagOnly: true, up: .leaves,
                help: "print these settings as a table in Markdown"),
            Option("--version", isFlagOnly: true, up: .leaves, help: "print the version"),
            Option("--help", isFlagOnly: true, up: .leaves, help: "print this"),
        ]
    }

    private static let admin = Option(
        "--admin", "HOST:PORT", default: "127.0.0.1:0", up: .sets,
        help: "where /livez, /readyz and /metrics are served by HTTP, or none; port 0 is a free one")

    private static let memory = Option(
        "--memory", "MIB", default: "auto",
        help: "MiB that clients may make the service hold, 8 to 1000000; auto: 3/8 of the container's limit or the "
            + "machine's memory, 32 MiB to 1 GiB")

    private static let confine = Option(
        "--confine", "on|off", default: "on",
        help: "block the service's access to system calls and folders that it does not need, where the kernel can")

    // Between the services of one machine `up` needs none.
    private static let tls = [
        Option(
            "--tls-certificate", "FILE", access: .readsReplacedFile, up: .leaves,
            help: "speak TLS 1.3 at --listen with this certificate (PEM)"),
        Option(
            "--tls-key", "FILE", access: .readsReplacedFile, up: .leaves,
            help: "the certificate's key (PEM)"),
        Option(
            "--tls-client-ca", "FILE", access: .readsReplacedFile, up: .leaves,
            help: "take calls only from clients with a certificate of these authorities (PEM)"),
        Option(
            "--tls-ca", "FILE", access: .readsReplacedFile, up: .leaves,
            help: "speak TLS to the services that are called; these authorities (PEM) sign their certificates"),
        Option(
            "--tls-client-certificate", "FILE", access: .readsReplacedFile, up: .leaves,
            help: "what is shown to them; --tls-certificate when not given"),
        Option(
            "--tls-client-key", "FILE", access: .readsReplacedFile, up: .leaves,
            help: "its key; --tls-key when not given"),
    ]

    /// One loop per two processors, at most four: the rest is for the other services of the machine.
    private static var defaultLoops: Int { max(1, min(4, Processors.count / 2)) }
}
