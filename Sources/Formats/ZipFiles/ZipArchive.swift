internal import CZip

/// A ZIP archive that is read by libzip, which checks that what it says of an entry in two places is the same.
@safe
package struct ZipArchive: ~Copyable {
    /// What an archive says of a file in it.
    package struct Entry: Sendable {
        package let name: String
        package let byteCount: UInt64
        /// How many bytes it takes in the archive.
        package let packedByteCount: UInt64
        let index: UInt64
    }

    let archive: OpaquePointer

    /// Blocks.
    /// - Parameter isChecked: whether what is said in two places has to be the same, which some programs don't manage.
    package init(reading path: String, isChecked: Bool = true) throws(ZipProblem) {
        var code: Int32 = 0
        let flags = isChecked ? ZIP_RDONLY | ZIP_CHECKCONS : ZIP_RDONLY
        guard let archive = unsafe zip_open(path, flags, &code) else { throw ZipProblem(code) }
        unsafe self.archive = archive
    }

    deinit { unsafe zip_discard(archive) }

    /// All of them; more than `limit` are refused.
    package borrowing func entries(limit: Int) throws(ZipProblem) -> [Entry] {
        let count = unsafe zip_get_num_entries(archive, 0)
        guard count <= limit else { throw ZipProblem("it has \(count) files, more than the \(limit) allowed") }
        var entries: [Entry] = []
        for index in 0..<UInt64(max(0, count)) {
            var status = unsafe zip_stat_t()
            unsafe zip_stat_init(&status)
            guard unsafe zip_stat_index(archive, index, 0, &status) == 0, let name = unsafe status.name else {
                throw problem
            }
            entries.append(
                Entry(
                    name: unsafe String(cString: name), byteCount: unsafe status.size,
                    packedByteCount: unsafe status.comp_size, index: index))
        }
        return entries
    }

    /// Unpacks an entry part by part, and checks its CRC. Blocks.
    package borrowing func read(_ entry: Entry, _ take: (ArraySlice<UInt8>) -> Void) throws(ZipProblem) {
        guard let file = unsafe zip_fopen_index(archive, entry.index, 0) else { throw problem }
        defer { _ = unsafe zip_fclose(file) }
        var part = [UInt8](repeating: 0, count: 256 << 10)
        var rest = entry.byteCount
        while true {
            let count = unsafe part.withUnsafeMutableBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe zip_fread(file, $0, UInt64(bytes.count)) } ?? -1
            }
            guard count >= 0 else { throw ZipProblem(unsafe String(cString: zip_file_strerror(file))) }
            guard UInt64(count) <= rest else { throw ZipProblem("it has more bytes than the archive says") }
            if count == 0 { break }
            rest -= UInt64(count)
            take(part[..<Int(count)])
        }
        guard rest == 0 else { throw ZipProblem("it has fewer bytes than the archive says") }
    }

    var problem: ZipProblem { ZipProblem(unsafe String(cString: zip_strerror(archive))) }
}
