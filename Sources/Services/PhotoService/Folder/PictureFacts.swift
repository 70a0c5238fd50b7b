import Geo
import PictureCalls

/// What a picture's file says about the photo.
struct PictureFacts: Equatable, Sendable {
    let position: Coordinate
    /// EXIF's number, 1 to 8: how to turn the picture.
    let orientation: Int
    /// The size of the upright picture in pixels.
    let width: Int
    let height: Int
    /// Milliseconds since 1970-01-01T00:00:00Z; nil when not known. Local time is taken for UTC when its offset is not
    /// known.
    let takenMilliseconds: Int64?
    let takenOffsetMinutes: Int?
    /// Where the camera looked; nil when it did not write it.
    let view: CameraView?
    /// Texts within the limits of a photo's; empty when there are none.
    let title: String
    let author: String
    let licence: String
    let tags: [String]
    let camera: String
    let lens: String

    /// From what a decoder noted. A picture without a position is refused; with a place `elsewhere` that is taken for
    /// its position when it has none.
    init(_ notes: PictureNotes, elsewhere: Coordinate? = nil) throws(PictureProblem) {
        position = try Self.position(notes.position, elsewhere)
        (orientation, width, height) = (notes.orientation, notes.width, notes.height)
        (takenMilliseconds, takenOffsetMinutes) = (notes.takenMilliseconds, notes.takenOffsetMinutes)
        view = notes.heading.flatMap { CameraView(heading: $0, angle: notes.viewAngle) }
        title = TextLimit.title.fitted(notes.title)
        author = TextLimit.author.fitted(notes.author)
        licence = Self.licence(notes.licence)
        camera = CameraName.text(make: notes.make, model: notes.model)
        lens = CameraName.lens(notes.lens)
        tags = PhotoTags.fitted(notes.tags.split(separator: 0).lazy.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func position(
        _ noted: Result<NotedPosition, PictureProblem>, _ elsewhere: Coordinate?
    ) throws(PictureProblem) -> Coordinate {
        do throws(PictureProblem) {
            return try coordinate(try noted.get())
        } catch {
            if let elsewhere { return elsewhere }
            throw error
        }
    }

    private static func coordinate(_ position: NotedPosition) throws(PictureProblem) -> Coordinate {
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
