import Glibc
import MachineCalls

/// Worlds of seeds, one after the other; each has a process of its own, which drives it.
@main
struct Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let options = try Options(arguments)
            if let folder = options.world { drive(options, folder) } else { exit(try Seeds(options).run()) }
        } catch {
            Trace.write("simulate: \(error)\n")
            exit(2)
        }
    }

    /// Drives a world, says what was found, and ends with 1 when that is something.
    private static func drive(_ options: Options, _ folder: String) {
        let code = machine_begin("\(folder)/world", options.first)
        guard code == 0 else { fatalError("no world in \(folder): errno \(code)") }
        Task {
            let plan = options.plan(options.first)
            let run = Run(plan: plan, folder: folder, programs: options.programs, data: options.data)
            var found: [String]
            do { found = try await run.play() } catch { found = ["\(error)"] }
            for text in found { Trace.write("found: \(text)\n") }
            Trace.write("end: \(World.now.inSeconds) \(World.steps) \(String(World.hash, radix: 16))\n")
            _exit(found.isEmpty ? 0 : 1)
        }
        machine_run_main()
    }
}
