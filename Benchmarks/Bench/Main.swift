import Arguments
import Contracts
import EventLoops
import Glibc
import RPC
import TLS
import Wire

/// One side of a measurement: keeps calls outstanding and prints what it measured, a JSON object a window.
/// script/bench starts it, together with the servers, pinned to the processors that the placement asks for.
@main
struct Main {
    static let usage = """
        usage: waymark-bench CASE --seconds S --warm-up S [--target HOST:PORT --outstanding N --servers PID,PID]
                             [--queries FILE --dataset NAME --key-file FILE] [--points FILE --snapshot FILE]
                             [--tls-ca FILE] [--people FILE --password TEXT]
               waymark-bench explore … --rate N [--budget MS --without BRANCH]
               waymark-bench watch --target HOST:PORT --second HOST:PORT --people FILE [--seconds S --rate N]
               waymark-bench tail --target HOST:PORT --rate N [--late N --servers PID,PID --seconds S --warm-up S]
               waymark-bench explained --target HOST:PORT
               waymark-bench fill --target HOST:PORT --points FILE
               waymark-bench overload --seconds S [--form json]
               waymark-bench merge
               waymark-bench scale --points FILE --queries FILE --folder DIR --millions 1,10,20 [--seconds S]

        CASE is echo, nearby, packed, explore, create, read, search-inproc, nearby-inproc or hash-inproc; or, with
        people, get-pin, list-pins, pins-near, bounds, sessions, events or log-in. One window is measured for each line
        on standard input.
        explore with a rate sends so many a second, each with this budget; only this branch may fail.
        tail sends echoes at a fixed rate, of which the server answers one in N late, and measures the others.
        explained makes explorations with their plan, or without, as lines on standard input say: "on 500 1000 20".
        fill stores the photos that explore finds. overload measures a server of its own, stage by stage.
        watch changes pins while they are watched through two gateways, and prints one object.
        merge finds which of 100,000 places of two networks are the same.
        scale builds and searches the index at several sizes, and while places change.
        """

    static func main() async {
        do {
            try await run(BenchArguments.parse(Array(CommandLine.arguments.dropFirst())))
        } catch {
            complain("\(error)")
            if error is UsageError { complain(usage) }
            exit(2)
        }
    }

    /// Says something that is no result.
    static func complain(_ text: String) {
        let line = Array("waymark-bench: \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }

    private static func run(_ arguments: ParsedArguments) async throws {
        if arguments.name == "hash-inproc" {
            let (checks, seconds) = (try PasswordChecks(), try arguments.number("seconds", 2))
            while readLine() != nil { report(try checks.run(seconds: seconds)) }
            return
        }
        if arguments.name.hasSuffix("-inproc") { return try measureInProcess(arguments) }
        if arguments.name == "merge" { return try Merging.run() }
        if arguments.name == "scale" { return try await measureScale(arguments) }
        if arguments.name == "overload" {
            return try await measureOverload(arguments)
        }
        let group = try EventLoopGroup(count: 1)
        if arguments.name == "watch" { return print(try await Watching(arguments, group).run()) }
        let client = RPCClient(
            try arguments.endpoint("target"), group: group, resolver: BlockingPool(threadCount: 1),
            agent: "waymark-bench",
            tls: try arguments.text("tls-ca").map { try TLSContext(.client, .init(authorities: $0)) })
        if arguments.name == "fill" {
            print("{\"filled\":\(try await Filling(client, points: try arguments.required("points")).run())}")
        } else if arguments.name == "explained" {
            try await Explained(client: client).run()
        } else if arguments.name == "tail" {
            try await measureTail(arguments, EchoServiceClient(client), group.loops[0])
        } else {
            try await measure(arguments, client, group.loops[0])
        }
        await client.close()
    }

    private static func measureOverload(_ arguments: ParsedArguments) async throws {
        let isJSON = arguments.text("form") == "json"
        if !isJSON { print(Overload.Stage.header) }
        try await Overload(seconds: try arguments.number("seconds", 5)).run { stage in
            print(isJSON ? stage.json : stage.row)
            fflush(nil)
        }
    }

    private static func measureScale(_ arguments: ParsedArguments) async throws {
        let scale = Scale(
            points: try arguments.required("points"), queries: try BenchFile.queries(try arguments.required("queries")),
            folder: try arguments.required("folder"), seconds: try arguments.number("seconds", 3))
        let millions = try arguments.required("millions").split(separator: ",").compactMap { Int($0) }
        print(Scale.Row.header)
        for million in millions {
            print(try scale.measure(million * 1_000_000).row)
            fflush(nil)
        }
        guard let first = millions.first else { return }
        let result = try await scale.measureChanges(first * 1_000_000)
        print(
            """

            while \(Int(result.perSecond)) places a second change, in \(result.layers) layers over \(first) million:
            p50 \(result.changing.p50Microseconds) us, p99 \(result.changing.p99Microseconds) us; \
            alone: p50 \(result.alone.p50Microseconds) us, p99 \(result.alone.p99Microseconds) us
            """)
    }

    private static func measureInProcess(_ arguments: ParsedArguments) throws {
        let index = try InProcess(arguments)
        let (seconds, warmUp) = (try arguments.number("seconds", 2), try arguments.number("warm-up", 0.5))
        while readLine() != nil { report(try index.run(seconds: seconds, warmUpSeconds: warmUp)) }
    }

    private static func measure(_ arguments: ParsedArguments, _ client: RPCClient, _ eventLoop: EventLoop) async throws
    {
        let call = try await Cases.call(arguments, client)
        if arguments.name == "explore", arguments.text("rate") != nil {
            let loop = OpenLoop(
                rate: try arguments.number("rate", 1000), late: 0, seconds: try arguments.number("seconds", 2),
                warmUpSeconds: try arguments.number("warm-up", 0.5), servers: arguments.servers, loop: eventLoop)
            while readLine() != nil { report(await loop.run(call)) }
            return
        }
        let loop = ClosedLoop(
            outstanding: Int(try arguments.number("outstanding", 1)), seconds: try arguments.number("seconds", 2),
            warmUpSeconds: try arguments.number("warm-up", 0.5), servers: arguments.servers, loop: eventLoop)
        while readLine() != nil { report(await loop.run(call)) }
    }

    private static func measureTail(
        _ arguments: ParsedArguments, _ stub: EchoServiceClient, _ eventLoop: EventLoop
    ) async throws {
        let loop = OpenLoop(
            rate: try arguments.number("rate", 5000), late: Int(try arguments.number("late", 0)),
            seconds: try arguments.number("seconds", 2), warmUpSeconds: try arguments.number("warm-up", 0.5),
            servers: arguments.servers, loop: eventLoop)
        while readLine() != nil { report(await loop.run(stub)) }
    }

    private static func report(_ window: Window) {
        print(window.json)
        fflush(nil)
    }
}
