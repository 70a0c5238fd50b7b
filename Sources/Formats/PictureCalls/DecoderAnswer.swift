/// What a decoder answers.
package enum DecoderAnswer: Equatable, Sendable {
    case notes(PictureNotes)
    case made(MadePictures)
    case problem(PictureProblem)

    private static let pictureLimit = 16 << 20
    private static let placeholderBytes = 28

    /// Its number.
    package var kind: UInt8 {
        switch self {
        case .notes: 1
        case .made: 2
        case .problem: 3
        }
    }

    /// What follows the kind.
    package var packed: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .notes(let notes): notes.write(to: &writer)
        case .made(let made):
            writer.add(made.placeholder)
            writer.add(made.pictures.count)
            for picture in made.pictures {
                writer.add(picture.width)
                writer.add(picture.height)
                writer.add(picture.bytes)
                writer.add(picture.webP)
            }
        case .problem(let problem): problem.write(to: &writer)
        }
        return writer.bytes
    }

    /// Nil when it is none.
    package init?(kind: UInt8, packed: [UInt8]) {
        var reader = ByteReader(packed[...])
        guard let answer = try? Self.read(kind, &reader), (try? reader.end()) != nil else { return nil }
        self = answer
    }

    private static func read(_ kind: UInt8, _ reader: inout ByteReader) throws(ByteReader.Malformed) -> DecoderAnswer {
        switch kind {
        case 1: return .notes(try PictureNotes(&reader))
        case 2: return .made(try made(&reader))
        case 3: return .problem(try PictureProblem(&reader))
        default: throw ByteReader.Malformed()
        }
    }

    private static func made(_ reader: inout ByteReader) throws(ByteReader.Malformed) -> MadePictures {
        let placeholder = try reader.text(limit: placeholderBytes)
        guard placeholder.utf8.count == placeholderBytes else { throw ByteReader.Malformed() }
        var pictures: [MadePicture] = []
        for _ in 0..<(try reader.integer(in: 1...8)) {
            let width = try reader.integer(in: 1...PictureLimit.madeSide)
            let height = try reader.integer(in: 1...PictureLimit.madeSide)
            let (jpeg, webP) = (try reader.block(limit: pictureLimit), try reader.block(limit: pictureLimit))
            // What is given to browsers is at least named right.
            guard jpeg.starts(with: [0xff, 0xd8, 0xff]), webP.isEmpty || webP.starts(with: Array("RIFF".utf8)) else {
                throw ByteReader.Malformed()
            }
            pictures.append(MadePicture(bytes: jpeg, webP: webP, width: width, height: height))
        }
        return MadePictures(pictures: pictures, placeholder: placeholder)
    }
}

extension PictureNotes {
    fileprivate func write(to writer: inout ByteWriter) {
        for number in [width, height, orientation, decodingBytes] { writer.add(number) }
        writer.add(takenMilliseconds == nil ? 0 : 1)
        writer.add(Int(takenMilliseconds ?? 0))
        writer.add(takenOffsetMinutes == nil ? 0 : 1)
        writer.add(takenOffsetMinutes ?? 0)
        for number in [heading, viewAngle] {
            writer.add(number == nil ? 0 : 1)
            writer.add(number ?? 0)
        }
        for text in [title, author, licence, tags, make, model, lens] { writer.add(text) }
        switch position {
        case .success(let position):
            writer.add(1)
            writer.add(position.latitude)
            writer.add(position.longitude)
        case .failure(let problem):
            writer.add(0)
            problem.write(to: &writer)
        }
    }

    fileprivate init(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            width: try reader.integer(in: 1...PictureLimit.pixels),
            height: try reader.integer(in: 1...PictureLimit.pixels))
        guard width * height <= PictureLimit.pixels else { throw ByteReader.Malformed() }
        orientation = try reader.integer(in: 1...8)
        decodingBytes = try reader.integer(in: 0...Int.max)
        let isTimed = try reader.integer(in: 0...1) == 1
        let time = Int64(try reader.integer(in: Int.min...Int.max))
        takenMilliseconds = isTimed ? time : nil
        let hasOffset = try reader.integer(in: 0...1) == 1
        let offset = try reader.integer(in: Self.offsets)
        takenOffsetMinutes = hasOffset ? offset : nil
        heading = try reader.optionalDecimal()
        viewAngle = try reader.optionalDecimal()
        title = try reader.block(limit: Self.maximumTextBytes)
        author = try reader.block(limit: Self.maximumTextBytes)
        licence = try reader.block(limit: Self.maximumTextBytes)
        tags = try reader.block(limit: Self.maximumTextBytes)
        make = try reader.block(limit: Self.maximumTextBytes)
        model = try reader.block(limit: Self.maximumTextBytes)
        lens = try reader.block(limit: Self.maximumTextBytes)
        if try reader.integer(in: 0...1) == 1 {
            position = .success(
                NotedPosition(latitude: try reader.decimal(), longitude: try reader.decimal()))
        } else {
            position = .failure(try PictureProblem(&reader))
        }
    }
}

extension PictureProblem {
    /// Only what is wrong with bytes; a decoder knows nothing else.
    fileprivate func write(to writer: inout ByteWriter) {
        let (kind, text, width, height): (Int, String, Int, Int) =
            switch self {
            case .notAPicture: (1, "", 0, 0)
            case .truncated: (2, "", 0, 0)
            case .tooManyPixels(let width, let height): (3, "", width, height)
            case .tooLarge(let limit): (4, "", limit, 0)
            case .unsupported(let reason): (5, reason, 0, 0)
            case .damaged(let reason): (6, reason, 0, 0)
            case .deadly(let reason): (7, reason, 0, 0)
            case .noPosition: (8, "", 0, 0)
            case .badPosition(let reason): (9, reason, 0, 0)
            default: (10, description, 0, 0)
            }
        writer.add(kind)
        writer.add(String(text.prefix(200)))
        writer.add(width)
        writer.add(height)
    }

    fileprivate init(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
        let kind = try reader.integer(in: 1...10)
        let text = try reader.text(limit: 2_000)
        let (width, height) = (try reader.integer(in: 0...Int.max), try reader.integer(in: 0...Int.max))
        self =
            switch kind {
            case 1: .notAPicture
            case 2: .truncated
            case 3: .tooManyPixels(width: width, height: height)
            case 4: .tooLarge(limit: width)
            case 5: .unsupported(text)
            case 6: .damaged(text)
            case 7: .deadly(text)
            case 8: .noPosition
            case 9: .badPosition(text)
            default: .unreadable(text)
            }
    }
}
