/// What a picture's file says: its size, how it is held, and what a camera or a program wrote beside it.
package struct PictureNotes: Equatable, Sendable {
    /// Pixels of the upright picture, by its header.
    package var width: Int
    package var height: Int
    /// How the decoded picture has to be turned, as EXIF counts, 1 to 8; 1 where decoding turns it already.
    package var orientation = 1
    /// Where it was taken, or why that is not known.
    package var position: Result<NotedPosition, PictureProblem> = .failure(.noPosition)
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known. Local time is taken for UTC when its offset is not
    /// known.
    package var takenMilliseconds: Int64?
    /// How many minutes the camera's clock was ahead of UTC, `offsets`; nil when not known.
    package var takenOffsetMinutes: Int?
    /// Where the camera looked, in degrees clockwise from north, and how wide its picture is, in degrees; nil when not
    /// known. Any number that stands in the file.
    package var heading: Double?
    package var viewAngle: Double?
    /// As they stand in the file, within `maximumTextBytes`; what they mean in which encoding is the reader's business.
    package var title: [UInt8] = []
    package var author: [UInt8] = []
    package var licence: [UInt8] = []
    /// In UTF-8, with a zero between them.
    package var tags: [UInt8] = []
    /// Who made the camera, what it is called, and the lens.
    package var make: [UInt8] = []
    package var model: [UInt8] = []
    package var lens: [UInt8] = []
    /// About how many bytes decoding takes besides the file, into any size.
    package var decodingBytes = 0

    /// Bytes of each of the texts.
    package static let maximumTextBytes = 16 << 10
    /// Minutes that a clock may be ahead of UTC.
    package static let offsets = -900...900

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A position as a picture has it.
package struct NotedPosition: Equatable, Sendable {
    /// Degrees, -90…90.
    package let latitude: Double
    /// Degrees, -180…180.
    package let longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A picture to be made of another one.
package struct PictureOrder: Equatable, Sendable {
    /// The most pixels of the longer side, 1 to `PictureLimit.madeSide`; a smaller picture is not enlarged.
    package let longestSide: Int
    /// Of JPEG and of WebP, 1 to 100.
    package let quality: Int

    package init(longestSide: Int, quality: Int) {
        self.longestSide = longestSide
        self.quality = quality
    }
}

/// A picture that was made of another one: upright, in sRGB, and without any metadata.
package struct MadePicture: Equatable, Sendable {
    /// A JPEG.
    package let bytes: [UInt8]
    /// The same as WebP; empty when that is not smaller.
    package let webP: [UInt8]
    /// Pixels.
    package let width: Int
    package let height: Int

    package init(bytes: [UInt8], webP: [UInt8], width: Int, height: Int) {
        self.bytes = bytes
        self.webP = webP
        self.width = width
        self.height = height
    }
}

/// All pictures that were made of one.
package struct MadePictures: Equatable, Sendable {
    /// One for each order, in their order.
    package let pictures: [MadePicture]
    /// A blurred preview as https://blurha.sh describes it, 28 characters.
    package let placeholder: String

    package init(pictures: [MadePicture], placeholder: String) {
        self.pictures = pictures
        self.placeholder = placeholder
    }
}
