import Terminal

/// A link that logs a browser in, for a person: to be clicked, and to be scanned with a phone.
struct LoginLinkView: Sendable {
    let link: String
    let sink: TextSink

    var lines: [String] {
        let code = QRCode(link)?.lines(on: sink.indented(2)) ?? []
        let how =
            code.isEmpty ? "To log a phone in, open this link there" : "To log a phone in, scan this, or open it there"
        return ["\(how). It is good once, for ten minutes:", "", "  \(link)"]
            + (code.isEmpty ? [] : [""] + code.map { "  \($0)" })
    }
}
