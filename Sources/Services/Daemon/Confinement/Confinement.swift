import Arguments
import Bytes
import Confine
import Files
import Glibc

/// Takes from a service, before it does anything, what it does not need: new privileges, system calls, and folders that
/// are not its own. So a flaw in code that reads untrusted bytes opens no more than the service itself.
enum Confinement {
    /// Where programs and their libraries are, and the files for looking up names and certificates; no user's data.
    private static let readable = [
        "/usr", "/lib", "/lib64", "/etc", "/opt", "/proc", "/sys/fs/cgroup", "/sys/devices/system/cpu", "/dev/urandom",
        "/dev/random", "/run/systemd/resolve", "/run/resolvconf", "/var/cache/fontconfig",
    ]

    /// Confines the process. To be called before it has threads. Returns what is enforced now, for the log.
    static func apply(_ options: Options) throws(OptionError) -> String {
        switch options["--confine"] {
        case "off": return "off"
        case "on": break
        case let value: throw OptionError("--confine is \(value ?? ""), on or off is needed")
        }
        var holds: [String] = []
        if waymark_no_new_privileges() == 0 { holds.append("no new privileges") }
        // Crashes are reported by a separate program, when that is asked for.
        let tellsCrashes = unsafe getenv("SWIFT_BACKTRACE") != nil
        if fence(options) { holds.append("folders") }
        if SystemCallFilter.apply(allowsPrograms: tellsCrashes) { holds.append("system calls") }
        return holds.isEmpty ? "the kernel has nothing for it" : holds.joined(separator: ", ")
    }

    private static func fence(_ options: Options) -> Bool {
        guard let fence = FolderFence() else { return false }
        for path in readable { fence.letRead(path) }
        for path in ["/dev/null", "/dev/zero", "/proc/self"] { fence.letWrite(path) }
        for folder in InstalledFolder.candidates(installed: "", package: "Data") { fence.letRead(folder) }
        for folder in InstalledFolder.candidates(installed: "web", package: "Web") { fence.letRead(folder) }
        for (path, access) in options.paths {
            switch access {
            case .readsFile, .readsFolder: fence.letRead(path)
            case .readsReplacedFile: fence.letRead(DiskFile.folder(of: path))
            case .writesPlace where path.holds("://"): break
            case .writesFolder, .writesPlace:
                try? DiskFile.makeFolder(path)
                fence.letWrite(path)
            }
        }
        return fence.close()
    }
}
