// A libFuzzer target, built by script/fuzz with Sources/Formats/Pictures, what reads pictures: own code and the C
// libraries behind it, which AddressSanitizer watches where they call the C library.
//
// An input is a picture, what a camera wrote, XMP, and what a decoder answers. What must hold: nothing crashes or takes
// long, a position that is believed is one on the earth, texts are within their limits, and what is made of a picture
// is a picture.

import PictureCalls

private let longestSide = 64
/// Larger ones are sound, but slow to go through by the thousands.
private let pixelLimit = 500_000

private func check(_ notes: PictureNotes) {
    precondition((1...8).contains(notes.orientation) && notes.width > 0 && notes.height > 0, "notes of no picture")
    if case .success(let position) = notes.position {
        precondition(abs(position.latitude) <= 90 && abs(position.longitude) <= 180, "a position off the earth")
    }
    guard let facts = try? PictureFacts(notes) else { return }
    precondition(TextLimit.licence.fitted(facts.licence) == facts.licence, "a licence that is not allowed")
    precondition(TextLimit.title.fitted(facts.title) == facts.title, "a title that is not allowed")
}

private func readNotes(_ input: [UInt8]) {
    var notes = PictureNotes(width: 1, height: 1)
    _ = try? notes.read(exif: (Array("Exif\0\0".utf8) + input)[...], turns: true)
    notes.read(xmp: input[...])
    check(notes)
    guard let kind = input.first else { return }
    let answer = DecoderAnswer(kind: kind, packed: Array(input.dropFirst()))
    if case .notes(let notes) = answer { _ = try? PictureFacts(notes) }
}

private func makePicture(_ file: [UInt8], _ notes: PictureNotes) {
    guard notes.width * notes.height <= pixelLimit else { return }
    let order = PictureOrder(longestSide: longestSide, quality: 80)
    guard let made = try? PictureMaker.make([order], from: file), let picture = made.pictures.first else { return }
    guard let header = try? JPEGHeader(picture.bytes) else { preconditionFailure("what was made is no picture") }
    precondition(header.width == picture.width && header.height == picture.height, "another size than was told")
    precondition(picture.width <= longestSide && picture.height <= longestSide, "a picture that is too large")
    precondition(header.notes == JPEGHeader.Notes(), "notes were passed on")
    precondition(made.placeholder.utf8.count == 28, "another placeholder than was promised")
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPicture(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    readNotes(input)
    guard let notes = try? PictureReader.notes(of: input) else { return 0 }
    check(notes)
    makePicture(input, notes)
    return 0
}
