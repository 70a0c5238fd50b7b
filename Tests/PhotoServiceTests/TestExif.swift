/// Writes what a camera would write beside a picture, true or not.
struct TestExif {
    /// A tag with its value.
    struct Tag {
        var number: UInt16
        var format: UInt16
        var count: UInt32
        var bytes: [UInt8]
    }

    var isBigEndian = false
    /// The folders: the picture, the camera ("Exif") and the position ("GPS").
    var picture: [Tag] = []
    var camera: [Tag] = []
    var position: [Tag] = []

    static let helsinki: [Fraction] = [(60, 1), (10, 1), (1_164, 100)]
    static let helsinkiEast: [Fraction] = [(24, 1), (56, 1), (1_824, 100)]
    typealias Fraction = (UInt32, UInt32)

    init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

    /// A camera that stood at 60.16990, 24.93840.
    static func inHelsinki(isBigEndian: Bool = false) -> TestExif {
        var exif = TestExif(isBigEndian: isBigEndian)
        exif.setPosition(helsinki, "N", helsinkiEast, "E")
        return exif
    }

    mutating func setPosition(_ latitude: [Fraction], _ north: String?, _ longitude: [Fraction], _ east: String?) {
        position = []
        if let north { position.append(text(1, north)) }
        position.append(fractions(2, latitude))
        if let east { position.append(text(3, east)) }
        position.append(fractions(4, longitude))
    }

    func text(_ number: UInt16, _ text: String) -> Tag { self.text(number, Array(text.utf8)) }

    func text(_ number: UInt16, _ bytes: [UInt8]) -> Tag {
        Tag(number: number, format: 2, count: UInt32(bytes.count + 1), bytes: bytes + [0])
    }

    func short(_ number: UInt16, _ value: UInt16) -> Tag { Tag(number: number, format: 3, count: 1, bytes: two(value)) }

    func long(_ number: UInt16, _ value: UInt32) -> Tag { Tag(number: number, format: 4, count: 1, bytes: four(value)) }

    func fractions(_ number: UInt16, _ values: [Fraction]) -> Tag {
        Tag(
            number: number, format: 5, count: UInt32(values.count),
            bytes: values.flatMap { four($0.0) + four($0.1) })
    }

    /// The segment's body, "Exif" and two zeros first.
    var segment: [UInt8] {
        var pictureTags = picture
        let pointers = (camera.isEmpty ? 0 : 1) + (position.isEmpty ? 0 : 1)
        let cameraStart = 8 + size(pictureTags) + pointers * 12
        let positionStart = cameraStart + (camera.isEmpty ? 0 : size(camera))
        if !camera.isEmpty { pictureTags.append(long(0x8769, UInt32(cameraStart))) }
        if !position.isEmpty { pictureTags.append(long(0x8825, UInt32(positionStart))) }
        let head = Array((isBigEndian ? "MM" : "II").utf8) + two(42) + four(8)
        return Array("Exif\0\0".utf8) + head + folder(pictureTags, at: 8)
            + (camera.isEmpty ? [] : folder(camera, at: cameraStart))
            + (position.isEmpty ? [] : folder(position, at: positionStart))
    }

    /// A JPEG with it.
    func jpeg(_ jpeg: [UInt8] = TestJPEG().bytes()) -> [UInt8] {
        TestJPEG.adding(TestJPEG.segment(0xe1, segment), to: jpeg)
    }

    private func size(_ tags: [Tag]) -> Int {
        tags.reduce(2 + 12 * tags.count + 4) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
    }

    private func folder(_ tags: [Tag], at start: Int) -> [UInt8] {
        var heads = two(UInt16(tags.count))
        var values: [UInt8] = []
        let valuesStart = start + 2 + 12 * tags.count + 4
        for tag in tags {
            heads += two(tag.number) + two(tag.format) + four(tag.count)
            if tag.bytes.count > 4 {
                heads += four(UInt32(valuesStart + values.count))
                values += tag.bytes
            } else {
                heads += tag.bytes + [UInt8](repeating: 0, count: 4 - tag.bytes.count)
            }
        }
        return heads + four(0) + values
    }

    private func two(_ value: UInt16) -> [UInt8] { ordered([UInt8(value >> 8), UInt8(value & 255)]) }

    private func four(_ value: UInt32) -> [UInt8] {
        ordered([24, 16, 8, 0].map { UInt8(value >> $0 & 255) })
    }

    private func ordered(_ bytes: [UInt8]) -> [UInt8] { isBigEndian ? bytes : bytes.reversed() }
}
