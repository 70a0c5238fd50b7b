import CExif
import Geo

/// What a JPEG and its metadata say about the photo.
struct PictureFacts: Equatable, Sendable {
    let position: Coordinate
    /// EXIF's number, 1 to 8: how to turn the picture.
    let orientation: Int
    /// The size of the upright picture in pixels. It comes from the JPEG, not from the metadata.
    let width: Int
    let height: Int
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known. Local time is taken for UTC when the camera did not
    /// write its time zone.
    let takenMilliseconds: Int64?
    /// Where the camera looked; nil when it did not write it.
    let view: CameraView?
    /// Texts within the limits of a photo's; empty when there are none.
    let title: String
    let author: String
    let licence: String

    /// From a whole JPEG, or the start of one; throws `truncated` when more of it is needed. A picture without a
    /// position, or one that is too large to be shown, is refused; with a place `elsewhere` that is taken for its
    /// position when it has none.
    init(_ jpeg: [UInt8], elsewhere: Coordinate? = nil) throws(PictureProblem) {
        let header = try JPEGHeader(jpeg)
        try header.check()
        guard header.exif != nil || elsewhere != nil else { throw .noPosition }
        guard let tags = ExifTags(header.exif.map { jpeg[$0] } ?? []) else {
            throw .unreadable("there is no memory for its notes")
        }
        position = try Self.position(tags, elsewhere)
        let orientation = Orientation(exif: tags.number(EXIF_TAG_ORIENTATION, in: EXIF_IFD_0) ?? 1)
        self.orientation = orientation.rawValue
        (width, height) = orientation.isSideways ? (header.height, header.width) : (header.width, header.height)
        takenMilliseconds = tags.text(EXIF_TAG_DATE_TIME_ORIGINAL, in: EXIF_IFD_EXIF).flatMap { text in
            ExifTime.milliseconds(text, offset: tags.text(EXIF_TAG_OFFSET_TIME_ORIGINAL, in: EXIF_IFD_EXIF))
        }
        view = CameraView(tags)
        title = TextLimit.title.fitted(tags.text(EXIF_TAG_IMAGE_DESCRIPTION, in: EXIF_IFD_0) ?? [])
        author = TextLimit.author.fitted(tags.text(EXIF_TAG_ARTIST, in: EXIF_IFD_0) ?? [])
        licence = Self.licence(tags.text(EXIF_TAG_COPYRIGHT, in: EXIF_IFD_0) ?? [])
    }

    private static func position(
        _ tags: borrowing ExifTags, _ elsewhere: Coordinate?
    ) throws(PictureProblem) -> Coordinate {
        do throws(PictureProblem) {
            return try coordinate(try ExifPosition(tags))
        } catch {
            if let elsewhere { return elsewhere }
            throw error
        }
    }

    private static func coordinate(_ position: ExifPosition) throws(PictureProblem) -> Coordinate {
        do throws(GeoError) {
            return try Coordinate(latitude: position.latitude, longitude: position.longitude)
        } catch {
            throw .badPosition("\(error)")
        }
    }

    /// The photographer's part; the editor's, after a zero, when that is blank.
    private static func licence(_ bytes: [UInt8]) -> String {
        let photographer = TextLimit.licence.fitted(bytes)
        guard photographer.isEmpty else { return photographer }
        return TextLimit.licence.fitted(Array(bytes.drop { $0 != 0 }.dropFirst()))
    }
}
