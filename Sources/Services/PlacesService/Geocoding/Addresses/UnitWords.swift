import Bytes

/// Parts of a house, which people write behind its number: "5 A 12", "Apt 4", "#12", "2nd floor". No position is known
/// of them, so an address is found without them.
enum UnitWords {
    private static let longestUnit = 6
    private static let longestNumber = 4

    /// Words before or behind the letters of a unit, folded: flats, stairs, floors, rooms in several languages.
    private static let words: Set<String> = [
        "apt", "apartment", "unit", "suite", "ste", "flat", "room", "rm", "floor", "fl", "level", "door", "stairs",
        "asunto", "as", "huoneisto", "rappu", "porras", "kerros", "krs", "lgh", "lagenhet", "vaning", "trappa",
        "leilighet",
        "etasje", "sal", "wohnung", "whg", "top", "stiege", "stock", "og", "eg", "app", "appt", "appartement", "etage",
        "bat", "batiment", "esc", "escalier", "piso", "planta", "puerta", "escalera", "depto", "dpto", "depart", "apto",
        "andar", "sala", "bloco", "interno", "int", "piano", "scala", "verdieping", "kv", "kvartira", "byt", "patro",
        "lokal", "lok", "pietro", "ap", "et", "daire", "kat", "blok", "emelet", "ajto", "кв", "квартира", "этаж",
    ]

    /// A text with "unit" for each "#" before a letter or digit, which folding would leave out.
    static func spelled(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return text }
        return text.split(at: "#", omittingEmptySubsequences: false).joined(separator: " unit ")
    }

    /// Whether words say which part of a house is meant.
    /// - Parameter isBehindNumber: whether they follow the house number, where letters and numbers stand alone.
    static func areUnit(_ words: [ArraySlice<UInt8>], isBehindNumber: Bool) -> Bool {
        switch words.count {
        case 1: return isBehindNumber && isLetterOrNumber(words[0])
        case 2:
            let isNamed = isWord(words[0]) && words[1].count <= longestUnit || isNumber(words[0]) && isWord(words[1])
            return isNamed || isBehindNumber && words.allSatisfy(isLetterOrNumber)
        default: return false
        }
    }

    private static func isWord(_ word: ArraySlice<UInt8>) -> Bool {
        words.contains(String(decoding: word, as: UTF8.self))
    }

    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool { word.first.map(AddressKey.isDigit) == true }

    private static func isLetterOrNumber(_ word: ArraySlice<UInt8>) -> Bool {
        word.count <= longestNumber && (word.count == 1 || isNumber(word))
    }
}
