/// A file of the folder that looks like a picture by its name, or something there that can't be used.
struct FoundFile: Equatable, Sendable {
    /// Its path in the folder: "2024/helsinki.jpg". What is not UTF-8 in it is replaced, and then it is a problem.
    let path: String
    /// Bytes.
    let size: Int64
    /// When it was changed last, in nanoseconds since 1970.
    let modifiedNs: Int64
    /// Why it can't be used, as far as that is seen without opening it.
    let problem: PictureProblem?
}

/// What a walk through the folder saw.
struct FolderWalk: Equatable, Sendable {
    /// What it told: pictures, and what can't be used.
    var foundCount = 0
    /// Whether it saw everything: a picture that it did not tell is gone then. Otherwise a folder could not be read,
    /// lay too deep, or there was too much.
    var isComplete = true
}
