import CExif
import Glibc
import PictureCalls

extension PictureNotes {
    /// Takes what an EXIF segment says, "Exif" and two zeros first; `turns` when its number for how the picture is held
    /// counts.
    mutating func read(exif segment: ArraySlice<UInt8>, turns: Bool) throws(PictureProblem) {
        guard let tags = ExifTags(segment) else { throw .unreadable("there is no memory for its notes") }
        if turns { turn(by: tags.number(EXIF_TAG_ORIENTATION, in: EXIF_IFD_0) ?? 1) }
        do throws(PictureProblem) {
            position = .success(try ExifPosition.read(tags))
        } catch {
            position = .failure(error)
        }
        // From magnetic north it is good enough.
        heading = tags.positionNumber(EXIF_TAG_GPS_IMG_DIRECTION)
        let focal = tags.number(EXIF_TAG_FOCAL_LENGTH_IN_35MM_FILM, in: EXIF_IFD_EXIF) ?? 0
        // The film is 36 mm wide.
        viewAngle = focal > 0 ? 2 * atan(18 / Double(focal)) * 180 / .pi : nil
        if let time = ExifTime.read(tags) { take(time) }
        add(
            title: tags.text(EXIF_TAG_IMAGE_DESCRIPTION, in: EXIF_IFD_0) ?? [],
            author: tags.text(EXIF_TAG_ARTIST, in: EXIF_IFD_0) ?? [],
            licence: tags.text(EXIF_TAG_COPYRIGHT, in: EXIF_IFD_0) ?? [])
        addCamera(
            make: tags.text(EXIF_TAG_MAKE, in: EXIF_IFD_0) ?? [],
            model: tags.text(EXIF_TAG_MODEL, in: EXIF_IFD_0) ?? [],
            lens: tags.text(EXIF_TAG_LENS_MODEL, in: EXIF_IFD_EXIF) ?? [])
    }

    /// The picture has to be turned as EXIF's number says; width and height were those before.
    mutating func turn(by number: Int) {
        let turn = Orientation(exif: number)
        let wasSideways = Orientation(exif: orientation).isSideways
        orientation = turn.rawValue
        if turn.isSideways != wasSideways { (width, height) = (height, width) }
    }

    /// Adds the texts that are not there yet.
    mutating func add(title: [UInt8] = [], author: [UInt8] = [], licence: [UInt8] = [], tags: [UInt8] = []) {
        if self.title.isEmpty { self.title = Self.cut(title) }
        if self.author.isEmpty { self.author = Self.cut(author) }
        if self.licence.isEmpty { self.licence = Self.cut(licence) }
        if self.tags.isEmpty { self.tags = Self.cut(tags) }
    }

    /// What it was taken with, unless that is known. A maker without a model says nothing of another's model.
    mutating func addCamera(make: [UInt8], model: [UInt8], lens: [UInt8]) {
        if self.model.isEmpty, !model.isEmpty || self.make.isEmpty {
            (self.make, self.model) = (Self.cut(make), Self.cut(model))
        }
        if self.lens.isEmpty { self.lens = Self.cut(lens) }
    }

    private static func cut(_ text: [UInt8]) -> [UInt8] { Array(text.prefix(maximumTextBytes)) }

    /// A position that may be on the earth, or what is wrong with it.
    func checked(_ position: NotedPosition) -> Result<NotedPosition, PictureProblem> {
        if position.isNowhere { return .failure(.noPosition) }
        guard abs(position.latitude) <= 90, abs(position.longitude) <= 180 else {
            return .failure(.badPosition("it is \(position.latitude), \(position.longitude)"))
        }
        return .success(position)
    }
}
