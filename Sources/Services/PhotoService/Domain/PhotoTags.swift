import Contracts
import Refusals

/// The tags of a photo: words that its network or its file gives it, in their order, none twice.
enum PhotoTags {
    static let most = Contracts.Photo.tagsLength.upperBound
    /// The longest tag, in Unicode scalars.
    static let longest = 64

    /// The usable ones of those that a network or a file has: blanks stand for control characters, and what is empty,
    /// too long, there already or one too many is left out.
    static func fitted(_ texts: some Sequence<String>) -> [String] {
        // One that is too long is not cut: half a word is another word.
        let limit = limit(of: "photo.tags", characters: longest + 1)
        var tags: [String] = []
        for text in texts where tags.count < most {
            let tag = limit.fitted(text)
            if !tag.isEmpty, tag.unicodeScalars.count <= longest, !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Those that a client gives, without the white space around them.
    static func checked(_ given: [String], field: String) throws(Refusal) -> [String] {
        guard given.count <= most else { throw Refusal(field, given.count, "tags", allowed: "at most \(most) are") }
        var tags: [String] = []
        for (index, text) in given.enumerated() {
            let tag = try limit(of: "\(field)[\(index)]", characters: longest).checked(text)
            guard !tag.isEmpty else { throw Refusal("\(field)[\(index)]", text: text, allowed: "a word is") }
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private static func limit(of field: String, characters: Int) -> TextLimit {
        TextLimit(field: field, characters: characters, allowsLines: false)
    }
}
