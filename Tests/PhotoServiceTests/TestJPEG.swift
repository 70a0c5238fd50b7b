import CTurboJPEG

/// JPEGs made for a test: whatever its pixels shall be, in every kind that libjpeg writes.
struct TestJPEG {
    typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    var width = 64
    var height = 48
    var kind = Kind.colour
    var isProgressive = false
    var quality: Int32 = 90

    enum Kind { case colour, gray, print }

    /// The bytes of the file.
    func bytes(_ colour: (_ x: Int, _ y: Int) -> Colour = { x, y in (UInt8(x & 255), UInt8(y & 255), 128) }) -> [UInt8]
    {
        let depth = kind == .print ? 4 : 3
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * depth)
        for y in 0..<height {
            for x in 0..<width {
                let colour = colour(x, y)
                pixels += [colour.red, colour.green, colour.blue]
                if depth == 4 { pixels.append(0) }
            }
        }
        return compressed(pixels)
    }

    private func compressed(_ pixels: [UInt8]) -> [UInt8] {
        let handle = tjInitCompress()
        defer { tjDestroy(handle) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(bytes) }
        let format = kind == .print ? TJPF_CMYK : TJPF_RGB
        let sampling = kind == .gray ? TJSAMP_GRAY : kind == .print ? TJSAMP_444 : TJSAMP_420
        let status = tjCompress2(
            handle, pixels, Int32(width), 0, Int32(height), Int32(format.rawValue), &bytes, &count,
            Int32(sampling.rawValue), quality, isProgressive ? TJFLAG_PROGRESSIVE : 0)
        precondition(status == 0, String(cString: tjGetErrorStr2(handle)))
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// A segment with its marker and length.
    static func segment(_ code: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return [0xff, code, UInt8(length >> 8), UInt8(length & 255)] + body
    }

    /// The JPEG with more segments at its start.
    static func adding(_ segments: [UInt8], to jpeg: [UInt8]) -> [UInt8] { jpeg[..<2] + segments + jpeg[2...] }
}
