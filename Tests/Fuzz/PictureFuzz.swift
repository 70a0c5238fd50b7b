// A libFuzzer target, built by script/fuzz with what reads pictures in Sources/PhotoService: own code and the C
// libraries behind it, which AddressSanitizer watches where they call the C library.
//
// An input is a JPEG, and also what a camera wrote. What must hold: nothing crashes or takes long, a position that is
// believed is one on the earth, texts are within their limits, and what is made of a picture is a picture.

import CExif

private let longestSide = 64
/// Larger ones are sound, but slow to go through by the thousands.
private let pixelLimit = 500_000

private func readNotes(_ segment: ArraySlice<UInt8>) {
    guard let tags = ExifTags(segment) else { return }
    if let position = try? ExifPosition(tags) {
        precondition(abs(position.latitude) <= 90 && abs(position.longitude) <= 180, "a position off the earth")
    }
    _ = tags.number(EXIF_TAG_ORIENTATION, in: EXIF_IFD_0).map(Orientation.init(exif:))
    if let text = tags.text(EXIF_TAG_DATE_TIME_ORIGINAL, in: EXIF_IFD_EXIF) {
        _ = ExifTime.milliseconds(text, offset: tags.text(EXIF_TAG_OFFSET_TIME_ORIGINAL, in: EXIF_IFD_EXIF))
    }
    for (tag, limit) in [(EXIF_TAG_IMAGE_DESCRIPTION, TextLimit.title), (EXIF_TAG_COPYRIGHT, .licence)] {
        let text = limit.fitted(tags.text(tag, in: EXIF_IFD_0) ?? [])
        precondition((try? limit.checked(text)) == text, "a text that is not allowed")
    }
}

private func readFacts(_ jpeg: [UInt8]) {
    guard let facts = try? PictureFacts(jpeg) else { return }
    precondition((1...8).contains(facts.orientation) && facts.width > 0 && facts.height > 0, "facts of no picture")
    precondition((try? TextLimit.licence.checked(facts.licence)) == facts.licence, "a licence that is not allowed")
}

private func makePicture(_ jpeg: [UInt8], _ header: JPEGHeader) {
    guard header.width * header.height <= pixelLimit else { return }
    let orientation = Int(jpeg.last ?? 0) % 10
    guard let made = try? PictureMaker.make(from: jpeg, longestSide: longestSide, orientation: orientation, quality: 80)
    else { return }
    guard let madeHeader = try? JPEGHeader(made.bytes) else { preconditionFailure("what was made is no picture") }
    precondition(madeHeader.width == made.width && madeHeader.height == made.height, "another size than was told")
    precondition(made.width <= longestSide && made.height <= longestSide, "a picture that is too large")
    precondition(madeHeader.exif == nil, "notes were passed on")
    precondition(made.placeholder.utf8.count == 28, "another placeholder than was promised")
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPicture(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    readNotes((Array("Exif\0\0".utf8) + input)[...])
    guard let header = try? JPEGHeader(input) else { return 0 }
    if let notes = header.exif { readNotes(input[notes]) }
    readFacts(input)
    makePicture(input, header)
    return 0
}
