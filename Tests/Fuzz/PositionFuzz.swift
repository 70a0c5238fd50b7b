// A libFuzzer target, built by script/fuzz with Sources/Formats/FeatureFiles and PlacesService/Positions.
//
// An input is a text that someone types or pastes: links, codes, coordinates. What must hold: nothing crashes; a point
// that is read is the same with blanks around the text and, of a link, with words behind it; and it is read again from
// what we write it as: degrees, a geo URI, a link.
import FeatureFiles
import Geo

private func point(_ text: String) -> Coordinate? {
    if case .point(let point) = WrittenPosition(text) { point } else { nil }
}

private func degrees(_ e7: Int32) -> String {
    let (sign, size) = (e7 < 0 ? "-" : "", e7.magnitude)
    let part = String(size % 10_000_000)
    return "\(sign)\(size / 10_000_000).\(String(repeating: "0", count: 7 - part.utf8.count))\(part)"
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPosition(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let read = point(text) else { return 0 }
    // A longer text is not looked at.
    guard text.utf8.count < 1_900 else { return 0 }
    precondition(point(" \n\(text)\t ") == read, "blanks around it moved it")
    let isOneWord = !text.unicodeScalars.contains { $0.properties.isWhitespace }
    if isOneWord, text.utf8.starts(with: "https://".utf8) {
        precondition(point("\(text) see you there") == read, "words behind the link moved it")
        precondition(point("We meet at \(text)") == read, "words before the link moved it")
    }
    let (latitude, longitude) = (degrees(read.latitudeE7), degrees(read.longitudeE7))
    for written in [
        "\(latitude), \(longitude)", "\(latitude) \(longitude)", "geo:\(latitude),\(longitude)",
        "https://www.google.com/maps/search/?api=1&query=\(latitude)%2C\(longitude)",
        "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=12/1.5/2.5",
        "Somewhere https://maps.apple.com/?ll=\(latitude),\(longitude)",
    ] {
        precondition(point(written) == read, "\(written) is elsewhere")
    }
    return 0
}
