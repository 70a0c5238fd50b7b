import Arguments
import Glibc
import Terminal

@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let environment = Environment.ofProcess
        let program = Program(console: .standard(environment), environment: environment)
        exit(await program.run(arguments).rawValue)
    }
}
