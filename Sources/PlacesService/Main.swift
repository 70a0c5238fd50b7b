import Glibc
import ServiceRuntime

@main
struct Main {
    static func main() async { exit(await PlacesProgram.program.main()) }
}
