internal import CZip
internal import Compression

extension ZipArchive {
    /// The bytes of an entry, a step at a time: each takes little of the archive, though nothing may come of it, as of
    /// many empty blocks. What is deflated or stored can be read, which all programs can write.
    @safe
    package struct Part: ~Copyable {
        /// What a step has taken of the archive, and what has come of it.
        package struct Step {
            package var packedBytes = 0
            package var bytes = 0
            /// Whether that was all; it is what the archive says of it.
            package var isLast = false
        }

        private static let inputBytes = 32 << 10

        private let file: OpaquePointer
        private let input: UnsafeMutableRawBufferPointer
        private let isDeflated: Bool
        private let expectedBytes: UInt64
        private let expectedCRC: UInt32
        private var gunzip = Gunzip(isRaw: true)
        private var crc = RunningCRC32()
        private var byteCount: UInt64 = 0

        fileprivate init(file: OpaquePointer, _ status: zip_stat_t) {
            unsafe self.file = file
            unsafe input = .allocate(byteCount: Self.inputBytes, alignment: 16)
            isDeflated = unsafe status.comp_method == UInt16(ZIP_CM_DEFLATE)
            expectedBytes = unsafe status.size
            expectedCRC = unsafe status.crc
        }

        deinit {
            _ = unsafe zip_fclose(file)
            unsafe input.deallocate()
        }

        /// Writes the next bytes into `room`, which is not empty. Blocks.
        package mutating func step(into room: UnsafeMutableRawBufferPointer) throws(ZipProblem) -> Step {
            let step = try unsafe isDeflated ? unpack(into: room) : copy(into: room)
            unsafe crc.update(UnsafeRawBufferPointer(rebasing: room[..<step.bytes]))
            byteCount += UInt64(step.bytes)
            guard step.isLast else { return step }
            guard byteCount == expectedBytes else {
                throw ZipProblem("it has \(byteCount) bytes, the archive says \(expectedBytes)")
            }
            guard crc.value == expectedCRC else { throw ZipProblem("its bytes are not those that were packed") }
            return step
        }

        private func copy(into room: UnsafeMutableRawBufferPointer) throws(ZipProblem) -> Step {
            let count = try unsafe read(into: room)
            return Step(packedBytes: count, bytes: count, isLast: count == 0)
        }

        private mutating func unpack(into room: UnsafeMutableRawBufferPointer) throws(ZipProblem) -> Step {
            var step = Step()
            let wantsMore = gunzip.wantsMore
            if wantsMore {
                step.packedBytes = try unsafe read(into: input)
                unsafe gunzip.feed(UnsafeRawBufferPointer(rebasing: input[..<step.packedBytes]))
            }
            guard let count = unsafe gunzip.unpack(into: room) else {
                throw ZipProblem("its compressed data is damaged")
            }
            (step.bytes, step.isLast) = (count, !gunzip.isInMember)
            if wantsMore, step.packedBytes == 0, count == 0, !step.isLast {
                throw ZipProblem("its compressed data ends too early")
            }
            return step
        }

        private func read(into room: UnsafeMutableRawBufferPointer) throws(ZipProblem) -> Int {
            guard let start = room.baseAddress else { return 0 }
            let count = unsafe zip_fread(file, start, UInt64(room.count))
            guard count >= 0 else { throw ZipProblem(unsafe String(cString: zip_file_strerror(file))) }
            return Int(count)
        }
    }

    /// Opens an entry, whose bytes are read before the archive is given up.
    package borrowing func part(_ entry: Entry) throws(ZipProblem) -> Part {
        var status = unsafe zip_stat_t()
        unsafe zip_stat_init(&status)
        guard unsafe zip_stat_index(archive, entry.index, 0, &status) == 0 else { throw problem }
        guard unsafe status.encryption_method == UInt16(ZIP_EM_NONE) else { throw ZipProblem("it is encrypted") }
        guard unsafe [UInt16(ZIP_CM_STORE), UInt16(ZIP_CM_DEFLATE)].contains(status.comp_method) else {
            let method = unsafe status.comp_method
            throw ZipProblem("it is packed by method \(method); what is deflated or stored can be read")
        }
        guard let file = unsafe zip_fopen_index(archive, entry.index, UInt32(ZIP_FL_COMPRESSED)) else { throw problem }
        return unsafe Part(file: file, status)
    }
}
