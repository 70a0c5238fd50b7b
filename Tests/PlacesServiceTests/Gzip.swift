import CZlib

/// Makes gzip for tests.
enum Gzip {
    struct Failed: Error {}

    static func pack(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            throw Failed()
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count: Int = try input.withUnsafeMutableBufferPointer { input in
            try output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                guard deflate(&stream, Z_FINISH) == Z_STREAM_END else { throw Failed() }
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<count])
    }
}
