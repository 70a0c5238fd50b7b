import Bytes

/// A name's pieces, as its punctuation divides it.
enum NamePieces {
    struct Piece {
        var text = ""
        /// Whether it stands in brackets, or behind a dash, a comma or a colon.
        var isOptional = false
        var isBehindHyphen = false
    }

    /// The names that may be in the pieces: what is in brackets, or behind a dash or a slash, may be one by itself.
    static func alternatives(_ pieces: [Piece]) -> [[Piece]] {
        var names: [[Piece]] = []
        for piece in pieces {
            let part = Piece(text: piece.text, isBehindHyphen: piece.isBehindHyphen)
            if piece.isBehindHyphen, !names.isEmpty {
                names[names.count - 1].append(part)
            } else if !piece.text.unicodeScalars.allSatisfy(\.isWhitespace) {
                names.append([part])
            }
        }
        return names
    }

    /// The pieces in their order. Apostrophes are left out, "&" is "and", and the number of a shop in its chain ("#12")
    /// is nothing that other sources know.
    static func of(_ name: String) -> [Piece] {
        var pieces: [Piece] = []
        var (piece, isTail, isNumber, before) = (Piece(), false, false, Unicode.Scalar(" "))
        func next(_ new: Piece) {
            pieces.append(piece)
            piece = new
        }
        for scalar in name.unicodeScalars {
            defer { before = scalar }
            if isNumber, scalar == " " || scalar.properties.numericType != nil { continue }
            isNumber = scalar == "#"
            switch scalar {
            case "'", "’", "‘", "`", "´", "ʼ": continue
            case "#": piece.text += " "
            case "&", "+": piece.text += " and "
            case "@": piece.text += " at "
            case "(", "[": next(Piece(isOptional: true))
            case ")", "]": next(Piece(isOptional: isTail))
            case "-" where before != " ": next(Piece(isOptional: isTail, isBehindHyphen: true))
            case "-", "–", "—", ",", ":", "|", "/":
                isTail = true
                next(Piece(isOptional: true))
            default: piece.text.unicodeScalars.append(scalar)
            }
        }
        next(Piece())
        // A name that is all in brackets has nothing else.
        guard pieces.contains(where: { !$0.isOptional && !$0.text.isEmpty }) else {
            return pieces.map { Piece(text: $0.text) }
        }
        return pieces
    }
}
