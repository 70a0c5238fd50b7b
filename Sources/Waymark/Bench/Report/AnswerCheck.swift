/// How answers stood beside brute force.
struct AnswerCheck: Sendable, Equatable {
    var checked = 0
    /// A sentence for each answer that differs.
    var wrong: [String] = []
}
