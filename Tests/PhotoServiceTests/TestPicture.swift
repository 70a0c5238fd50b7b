import Glibc
import PictureCalls
import TestCodecs
import Testing

/// Pictures of every kind, made for a test by the libraries that programs write them with.
struct TestPicture {
    typealias Colour = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

    enum Kind: String, CaseIterable, Sendable { case jpeg, png, webP, heic, avif, tiff }

    var width = 64
    var height = 48
    /// As the container itself says it, EXIF aside; 0 for nothing.
    var orientation: UInt32 = 0
    var hasAlpha = false
    var isInterlaced = false
    var frames: Int32 = 1
    var exif: TestExif?
    var profile: [UInt8] = []
    var xmp = ""
    /// Of TIFF, whose notes are no EXIF block.
    var position = (latitude: 0.0, longitude: 0.0)

    /// The bytes of the file.
    func bytes(_ kind: Kind, _ colour: (_ x: Int, _ y: Int) -> Colour) throws -> [UInt8] {
        if kind == .jpeg { return jpeg(colour) }
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue, alpha) = colour(x, y)
                pixels += [red, green, blue, alpha]
            }
        }
        var count = 0
        let made = (exif.map { Array($0.segment.dropFirst(6)) } ?? []).withUnsafeBufferPointer { exif in
            profile.withUnsafeBufferPointer { profile in
                Array(xmp.utf8).withUnsafeBufferPointer { xmp in
                    pixels.withUnsafeBufferPointer { pixels in
                        func part(_ part: UnsafeBufferPointer<UInt8>) -> test_bytes {
                            test_bytes(bytes: part.baseAddress, count: part.count)
                        }
                        var picture = test_picture(
                            pixels: pixels.baseAddress, width: UInt32(width), height: UInt32(height),
                            orientation: orientation, has_alpha: hasAlpha ? 1 : 0,
                            is_interlaced: isInterlaced ? 1 : 0, exif: part(exif), profile: part(profile),
                            xmp: part(xmp), latitude: position.latitude, longitude: position.longitude)
                        return encode(kind, &picture, &count)
                    }
                }
            }
        }
        defer { free(made) }
        let bytes = Array(UnsafeBufferPointer(start: made, count: made == nil ? 0 : count))
        try #require(!bytes.isEmpty, "no \(kind) was made")
        return bytes
    }

    /// One that was taken in Helsinki, with what each kind has for that.
    static func inHelsinki(_ kind: Kind, width: Int = 64, height: Int = 48) throws -> [UInt8] {
        var picture = TestPicture(width: width, height: height, exif: .inHelsinki())
        picture.position = (60.1699, 24.9384)
        return try picture.bytes(kind) { x, y in (UInt8(x & 255), UInt8(y & 255), 128, 255) }
    }

    private func encode(_ kind: Kind, _ picture: inout test_picture, _ count: inout Int) -> UnsafeMutablePointer<UInt8>?
    {
        switch kind {
        case .jpeg: nil
        case .png: test_png(&picture, &count)
        case .webP: test_webp(&picture, frames, &count)
        case .heic: test_heif(&picture, 0, &count)
        case .avif: test_heif(&picture, 1, &count)
        case .tiff: test_tiff(&picture, &count)
        }
    }

    private func jpeg(_ colour: (_ x: Int, _ y: Int) -> Colour) -> [UInt8] {
        var segments = exif.map { TestJPEG.segment(0xe1, $0.segment) } ?? []
        if !xmp.isEmpty { segments += TestJPEG.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)) }
        // In two parts, the second first: they have numbers.
        let half = profile.count / 2
        for (number, part) in [(2, profile[half...]), (1, profile[..<half])] as [(UInt8, ArraySlice<UInt8>)] {
            guard !profile.isEmpty else { continue }
            segments += TestJPEG.segment(0xe2, Array("ICC_PROFILE\0".utf8) + [number, 2] + part)
        }
        let plain = TestJPEG(width: width, height: height, quality: 95).bytes { x, y in
            let (red, green, blue, _) = colour(x, y)
            return (red, green, blue)
        }
        return TestJPEG.adding(segments, to: plain)
    }

    /// A profile in which red and green have changed places.
    static var swappedProfile: [UInt8] {
        var count = 0
        let bytes = test_swapped_profile(&count)
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
