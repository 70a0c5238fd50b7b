import Confine
import Forks
import Glibc
import PictureCalls
import Pictures

/// Reads pictures for photo-service. It is started once, before that service gives up the right to start programs, and
/// starts a process like itself for each socket that it gets; that one shuts itself in before it reads a byte.
@main
struct Main {
    /// Where the socket of the service is.
    private static let control: Int32 = 3
    /// How long one of its processes may live, and how long it may compute, in seconds.
    private static let (life, work): (UInt32, UInt32) = (50, 12)

    static func main() {
        var status = stat()
        guard unsafe fstat(control, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            unsafe perror("picture-decoder reads pictures for photo-service, which starts it")
            exit(2)
        }
        prepare()
        let mapped = waymark_mapped_bytes()
        shutOutFiles()
        var purpose: UInt8 = 0
        let socket = unsafe waymark_serve_forks(control, life, &purpose)
        guard socket >= 0 else { exit(0) }
        let bytes = DecoderPurpose(rawValue: purpose)?.memoryBytes ?? 0
        guard mapped > 0, waymark_enter_cell(mapped + bytes, work) == 0 else { exit(3) }
        DecoderLoop(socket).run()
        exit(0)
    }

    /// What libraries would otherwise do later, when they may not any more.
    private static func prepare() {
        PictureReader.prepare()
    }

    private static func shutOutFiles() {
        _ = waymark_no_new_privileges()
        // All that Landlock of version 1 knows.
        let rules = waymark_landlock_version() >= 1 ? waymark_landlock_make((1 << 13) - 1) : -1
        if rules >= 0 { _ = waymark_landlock_restrict(rules) }
    }
}
