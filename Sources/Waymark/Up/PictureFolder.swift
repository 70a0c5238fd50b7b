import EventLoops
import Glibc
import Terminal

/// The folder of pictures that a photo service is started with.
struct PictureFolder: Sendable {
    /// Absolute, without symbolic links.
    let path: String

    /// `given` must be a folder that can be read. Blocks.
    init(_ given: String) throws(CommandFailure) {
        guard let resolved = unsafe realpath(given, nil) else {
            throw CommandFailure("\(SystemError(call: "--pictures", code: errno, subject: given))")
        }
        path = unsafe String(cString: resolved)
        unsafe free(resolved)
        // The dot is only there in a folder that can be searched.
        guard unsafe access("\(path)/.", R_OK | X_OK) == 0 else {
            let reason = errno == ENOTDIR ? "is no folder" : "is a folder that can't be read"
            throw CommandFailure("--pictures \(given) \(reason)")
        }
    }
}
