import Daemon
import Glibc

@main
struct Main {
    static func main() async { exit(await PlacesProgram.program.main()) }
}
