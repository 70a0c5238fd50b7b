package import PictureCalls

/// Makes pictures in other sizes. It computes for some milliseconds.
package enum PictureMaker {
    /// Upright pictures in sRGB, one for each order. `limit` is the most bytes that the file may have.
    package static func make(
        _ orders: [PictureOrder], from bytes: [UInt8], limit: Int = PictureLimit.bytes
    ) throws(PictureProblem) -> MadePictures {
        precondition(orders.allSatisfy { (1...PictureLimit.madeSide).contains($0.longestSide) }, "a side out of range")
        precondition(orders.allSatisfy { (1...100).contains($0.quality) }, "a quality out of range")
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        let picture = try PictureKind.open(bytes)
        let orientation = Orientation(exif: try picture.notes.orientation)
        let (width, height) = fitted(picture.width, picture.height, orders.map(\.longestSide).max() ?? 1)
        let decoded = try picture.pixels(atLeast: width, height)
        let largest = try decoded.drawn(
            orientation, width: orientation.isSideways ? height : width,
            height: orientation.isSideways ? width : height)
        largest.makeSRGB(of: picture.profile)
        return try make(orders, of: largest)
    }

    /// Each from the next larger one, so that little has to be drawn. The preview is of the smallest.
    private static func make(
        _ orders: [PictureOrder], of largest: borrowing PixelSurface
    ) throws(PictureProblem) -> MadePictures {
        var made: [Int: MadePicture] = [:]
        var placeholder = ""
        var last = try largest.drawn(.upright, width: largest.width, height: largest.height)
        for (index, order) in orders.enumerated().sorted(by: { $0.element.longestSide > $1.element.longestSide }) {
            let (width, height) = fitted(last.width, last.height, order.longestSide)
            if width != last.width || height != last.height {
                last = try last.drawn(.upright, width: width, height: height)
            }
            made[index] = try encoded(last, quality: order.quality)
            placeholder = try Placeholder.text(of: last)
        }
        return MadePictures(pictures: orders.indices.compactMap { made[$0] }, placeholder: placeholder)
    }

    private static func encoded(
        _ surface: borrowing PixelSurface, quality: Int
    ) throws(PictureProblem) -> MadePicture {
        let jpeg = try JPEGEncoder.encode(surface, quality: quality)
        let webP = WebPEncoder.encode(surface, quality: quality) ?? []
        return MadePicture(
            bytes: jpeg, webP: webP.count < jpeg.count ? webP : [], width: surface.width, height: surface.height)
    }

    private static func fitted(_ width: Int, _ height: Int, _ longestSide: Int) -> (width: Int, height: Int) {
        let longer = max(width, height)
        guard longer > longestSide else { return (width, height) }
        func shrunk(_ side: Int) -> Int { max(1, (side * longestSide + longer / 2) / longer) }
        return (shrunk(width), shrunk(height))
    }
}
