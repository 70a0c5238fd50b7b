import PhotoContracts
import FieldRules

/// The tags of a photo: words that its network or its file gives it, in their order, none twice.
enum PhotoTags {
    static let maximum = PhotoContracts.Photo.tagsLength.upperBound
    /// The longest tag, in Unicode scalars.
    static let longest = 64

    /// The usable ones of those that a network or a file has: blanks stand for control characters, and what is empty,
    /// too long, there already or one too many is left out.
    static func fitted(_ texts: some Sequence<String>) -> [String] {
        // One that is too long is not cut: half a word is another word.
        let limit = TextLimit(characters: longest + 1, allowsLines: false)
        var tags: [String] = []
        for text in texts where tags.count < maximum {
            let tag = limit.fitted(text)
            if !tag.isEmpty, tag.unicodeScalars.count <= longest, !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Those that a client gives, without the white space around them, each once.
    static func distinct(_ given: [String]) -> [String] {
        var tags: [String] = []
        for tag in given.map({ String(FieldText.trimmed($0)) }) where !tags.contains(tag) { tags.append(tag) }
        return tags
    }
}
