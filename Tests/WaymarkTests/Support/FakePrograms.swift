import Settings
import TestTools

@testable import Supervisor
@testable import Waymark

/// A folder with the four services' programs, played by shell scripts: they print a ready line, stop at SIGTERM or at
/// the lifeline's end, and misbehave on request.
struct FakePrograms {
    let folder: TemporaryFolder

    var path: String { folder.path }

    private static let script = """
        #!/bin/sh
        name=${0##*/}
        dir=${0%/*}
        while [ $# -gt 0 ]; do
            case $1 in --listen) listen=$2 ;; --admin) admin=$2 ;; esac
            shift
        done
        if [ -e "$dir/fail-$name" ]; then
            echo "$name can not start today" >&2
            exit 3
        fi
        if [ -e "$dir/stubborn-$name" ]; then trap '' TERM; else trap 'exit 0' TERM; fi
        case $listen in *:0) listen=127.0.0.1:$((20000 + $$ % 10000)) ;; esac
        case $admin in *:0) admin=127.0.0.1:$((30000 + $$ % 10000)) ;; esac
        echo "not the ready line"
        echo "{\\"event\\":\\"ready\\",\\"service\\":\\"$name\\",\\"address\\":\\"$listen\\",\\"admin\\":\\"$admin\\",\\"pid\\":$$}"
        while read -r line <&3; do :; done
        exit 0

        """

    init() throws {
        folder = TemporaryFolder()
        for name in ServiceSettings.all.map(\.program) {
            try folder.write(Self.script, to: name, isProgram: true)
        }
    }

    /// Makes a service fail at its start.
    func fail(_ name: String) throws { try folder.write("", to: "fail-\(name)") }

    /// Makes a service ignore SIGTERM.
    func makeStubborn(_ name: String) throws { try folder.write("", to: "stubborn-\(name)") }
}
