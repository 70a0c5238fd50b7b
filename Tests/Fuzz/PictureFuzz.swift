// A libFuzzer target, built by script/fuzz with Sources/Formats/Pictures, what reads pictures: own code and the C
// libraries behind it, which AddressSanitizer watches where they call the C library.
//
// An input is a picture, what a camera wrote, XMP, and what a decoder answers. What must hold: nothing crashes or takes
// long, a position that is believed is one on the earth, and the same when it is written and read again, texts are
// within their limits, and what is made of a picture is a picture.

import PictureCalls

private let longestSide = 64
/// Larger ones are sound, but slow to go through by the thousands.
private let pixelLimit = 500_000

private func check(_ notes: PictureNotes) {
    precondition((1...8).contains(notes.orientation) && notes.width > 0 && notes.height > 0, "notes of no picture")
    if case .success(let position) = notes.position {
        precondition(abs(position.latitude) <= 90 && abs(position.longitude) <= 180, "a position off the earth")
        var again = PictureNotes(width: 1, height: 1)
        again.read(xmp: Array(packet(position).utf8)[...])
        guard case .success(let read) = again.position else { preconditionFailure("a position was lost") }
        precondition(
            abs(read.latitude - position.latitude) < 1e-6 && abs(read.longitude - position.longitude) < 1e-6,
            "a position went elsewhere")
    }
    guard let facts = try? PictureFacts(notes) else { return }
    precondition(TextLimit.licence.fitted(facts.licence) == facts.licence, "a licence that is not allowed")
    precondition(TextLimit.title.fitted(facts.title) == facts.title, "a title that is not allowed")
}

/// A position as XMP has it: degrees and minutes, and a letter.
private func packet(_ position: NotedPosition) -> String {
    func angle(_ degrees: Double, _ plus: String, _ minus: String) -> String {
        // Ten millionths of a minute.
        let all = Int((degrees.magnitude * 600_000_000).rounded())
        let rest = String(all % 10_000_000 + 10_000_000).dropFirst()
        return "\(all / 600_000_000),\(all / 10_000_000 % 60).\(rest)\(degrees < 0 ? minus : plus)"
    }
    let north = angle(position.latitude, "N", "S")
    let east = angle(position.longitude, "E", "W")
    return """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="\(north)" exif:GPSLongitude="\(east)"/>
        </rdf:RDF></x:xmpmeta>
        """
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
