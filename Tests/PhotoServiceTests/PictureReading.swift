import EventLoops
import PictureCalls

@testable import PhotoService
@testable import Pictures

// What decoders do, without their processes.

extension PictureFacts {
    init(_ picture: [UInt8]) throws(PictureProblem) { try self.init(try PictureReader.notes(of: picture)) }
}

extension PictureFolder {
    func facts(_ path: String, sidecar: String? = nil) throws(PictureProblem) -> PictureFacts {
        let file = FoundFile(path: path, size: 0, modifiedNs: 0, problem: nil, sidecar: sidecar)
        return try PictureFacts(
            try notes(file) { picture, sidecar throws(PictureProblem) in
                var notes = try PictureReader.notes(of: picture)
                notes.read(sidecar: sidecar)
                return notes
            })
    }
}

extension PictureMaker {
    /// One picture.
    static func make(from bytes: [UInt8], longestSide: Int, quality: Int) throws(PictureProblem) -> MadePicture {
        try make([PictureOrder(longestSide: longestSide, quality: quality)], from: bytes).pictures[0]
    }
}

extension PictureDecoders {
    /// Those of all tests that need no others.
    static let ofTested = Result { try started() }

    /// Two decoders of the program that this build made.
    static func started(_ limits: Limits = Limits()) throws -> PictureDecoders {
        let host = DecoderHost()
        try host.start()
        return PictureDecoders(host, count: 2, limits: limits)
    }
}
