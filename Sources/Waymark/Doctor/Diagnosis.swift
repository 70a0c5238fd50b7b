/// One thing that was looked at, and what is to be done about it.
struct Diagnosis: Equatable, Encodable, Sendable {
    enum Verdict: String, Encodable, Sendable {
        case ok, warning, wrong
    }

    /// What was looked at: "data folder".
    let subject: String
    let verdict: Verdict
    /// How it is.
    let finding: String
    /// What to do; empty when nothing is.
    var advice = ""

    static func ok(_ subject: String, _ finding: String) -> Diagnosis {
        Diagnosis(subject: subject, verdict: .ok, finding: finding)
    }

    static func warning(_ subject: String, _ finding: String, _ advice: String) -> Diagnosis {
        Diagnosis(subject: subject, verdict: .warning, finding: finding, advice: advice)
    }

    static func wrong(_ subject: String, _ finding: String, _ advice: String) -> Diagnosis {
        Diagnosis(subject: subject, verdict: .wrong, finding: finding, advice: advice)
    }
}
