import Terminal

/// What a doctor has found, as lines for a person.
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
            // A sentence is read to its end: it is not cut.
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
    /// The same with lines as long as they like.
    static func endless(like sink: TextSink) -> TextSink {
        TextSink(isTerminal: sink.isTerminal, hasColours: sink.hasColours, width: nil, write: sink.write)
    }
}
