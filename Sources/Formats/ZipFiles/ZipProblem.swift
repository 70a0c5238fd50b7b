internal import CZip

/// Why a ZIP archive can't be read.
package struct ZipProblem: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// - Parameter code: libzip's, of a call that has left no archive.
    init(_ code: Int32) {
        var error = unsafe zip_error_t()
        unsafe zip_error_init_with_code(&error, code)
        defer { unsafe zip_error_fini(&error) }
        description = unsafe String(cString: zip_error_strerror(&error))
    }

    init(_ description: String) { self.description = description }
}
