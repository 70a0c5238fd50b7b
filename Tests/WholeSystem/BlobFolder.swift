import Crypto
import TestTools

/// The folder with the bytes of thumbnails: "ab/cdef…" below it, and "tmp/…" for what is being written.
package struct BlobFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Names of the blobs, in hexadecimal digits.
    package var names: Set<String> {
        Set(Files.below(path).filter { !$0.hasPrefix("tmp/") }.map { $0.split(separator: "/").joined() })
    }

    /// Files that were not finished.
    package var unfinished: [String] { Files.below(path).filter { $0.hasPrefix("tmp/") } }

    /// Blobs whose bytes are not those that they are named after.
    package var damaged: [String] {
        get throws {
            try names.filter { name in
                let bytes = try WholeFile.bytes("\(path)/\(name.prefix(2))/\(name.dropFirst(2))")
                return Hex.text(SHA256.digest(bytes)) != name
            }
        }
    }

    /// Makes all files look as if their grace were over.
    package func makeOld() {
        for file in Files.below(path) { Files.makeOld("\(path)/\(file)") }
    }
}
