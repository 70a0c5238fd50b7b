import Contracts
import EventLoops
import Glibc
import RPC
import Wire

/// One side of a measurement: keeps calls outstanding and prints what it measured, a JSON object a window.
/// script/bench starts it, together with the servers, pinned to the processors that the placement asks for.
@main
struct Main {
    static let usage = """
        usage: waymark-bench CASE --seconds S --warm-up S [--target HOST:PORT --outstanding N --servers PID,PID]
                             [--queries FILE --dataset NAME] [--points FILE --snapshot FILE]

        CASE is echo, nearby, explore or nearby-inproc. One window is measured for each line on standard input.
        """

    static func main() async {
        do {
            try await measure(Arguments(Array(CommandLine.arguments.dropFirst())))
        } catch {
            print("waymark-bench: \(error)\n\(usage)")
            exit(2)
        }
    }

    private static func measure(_ arguments: Arguments) async throws {
        let seconds = try arguments.number("seconds", 2)
        let warmUp = try arguments.number("warm-up", 0.5)
        if arguments.name == "nearby-inproc" {
            let index = try InProcess(arguments)
            while readLine() != nil { report(try index.run(seconds: seconds, warmUpSeconds: warmUp)) }
            return
        }
        let group = try EventLoopGroup(count: 1)
        let client = RPCClient(
            try arguments.endpoint("target"), group: group, resolver: BlockingPool(threadCount: 1),
            agent: "waymark-bench")
        let call = try Cases.call(arguments, client)
        let loop = ClosedLoop(
            outstanding: Int(try arguments.number("outstanding", 1)), seconds: seconds, warmUpSeconds: warmUp,
            servers: arguments.servers, loop: group.loops[0])
        while readLine() != nil { report(await loop.run(call)) }
        await client.close()
    }

    private static func report(_ window: Window) {
        print(window.json)
        fflush(nil)
    }
}
