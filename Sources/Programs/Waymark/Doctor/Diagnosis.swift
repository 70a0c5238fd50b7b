import Terminal

/// One check, and what to do about its result.
struct Diagnosis: Equatable, Encodable, Sendable {
    enum Verdict: String, Encodable, Sendable {
        case ok, warning, wrong
    }

    /// What was checked: "data folder".
    let subject: String
    let verdict: Verdict
    /// The result.
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

/// The results of all checks, as lines for a person.
struct DoctorView {
    let diagnoses: [Diagnosis]
    let sink: TextSink

    var lines: [String] {
        let width = diagnoses.map(\.subject.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 11)
        return diagnoses.flatMap { diagnosis in
            let space = String(repeating: " ", count: width - diagnosis.subject.count + 2)
            let first = StyledLine(Self.word(diagnosis.verdict), Self.style(diagnosis.verdict)).adding(
                diagnosis.subject
            )
            .adding(space).adding(diagnosis.finding)
            let advice = diagnosis.advice.isEmpty ? [] : [StyledLine(indent).adding("→ \(diagnosis.advice)")]
            // A sentence has to be read in full: it is not cut.
            return ([first] + advice).map { $0.text(on: TextSink.endless(like: sink)) }
        } + ["", summary]
    }

    private var summary: String {
        let wrong = diagnoses.count { $0.verdict == .wrong }
        let warnings = diagnoses.count { $0.verdict == .warning }
        if wrong + warnings == 0 { return Style.green.paint("Nothing is wrong.", on: sink) }
        return "\(Quantity.count(wrong)) wrong, \(Quantity.count(warnings, "warning"))."
    }

    private static func word(_ verdict: Diagnosis.Verdict) -> String {
        switch verdict {
        case .ok: "ok       "
        case .warning: "warning  "
        case .wrong: "wrong    "
        }
    }

    private static func style(_ verdict: Diagnosis.Verdict) -> Style {
        switch verdict {
        case .ok: .green
        case .warning: .yellow
        case .wrong: .red
        }
    }
}

extension TextSink {
    /// The same without a limit on the length of lines.
    static func endless(like sink: TextSink) -> TextSink {
        TextSink(isTerminal: sink.isTerminal, hasColours: sink.hasColours, width: nil, write: sink.write)
    }
}
