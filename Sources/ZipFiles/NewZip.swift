internal import CZip

/// Why a ZIP archive can't be read or written.
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

/// A ZIP archive that is written by libzip. Its entries are stored as they are and have no time: the same entries give
/// the same bytes.
@safe
package struct NewZip: ~Copyable {
    private let archive: OpaquePointer

    /// The archive replaces what is at `path` when it is written.
    package init(replacing path: String) throws(ZipProblem) {
        var code: Int32 = 0
        guard let archive = unsafe zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else { throw ZipProblem(code) }
        unsafe self.archive = archive
    }

    deinit { unsafe zip_discard(archive) }

    /// Adds a file, which has to be there until the archive is written.
    package borrowing func add(_ name: String, file path: String) throws(ZipProblem) {
        guard let source = unsafe zip_source_file(archive, path, 0, -1) else { throw problem }
        let index = unsafe zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(source)
            throw problem
        }
        let entry = UInt64(index)
        // 1980-01-01, the first day of ZIP's time.
        guard unsafe zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0) == 0,
            unsafe zip_file_set_dostime(archive, entry, 0, 0x21, 0) == 0
        else { throw problem }
    }

    /// Writes all entries to another file, which then takes the archive's name. Blocks.
    package consuming func write() throws(ZipProblem) {
        guard unsafe zip_close(archive) == 0 else {
            let problem = problem
            unsafe zip_discard(archive)
            discard self
            throw problem
        }
        discard self
    }

    private var problem: ZipProblem { ZipProblem(unsafe String(cString: zip_strerror(archive))) }
}
