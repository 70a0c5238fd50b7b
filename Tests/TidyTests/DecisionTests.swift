import Testing

@Suite("Decisions have one form")
struct DecisionTests {
    @Test("a title with the number of the file, then whether it holds or what has changed it")
    func form() {
        let decisions = SourceTree.files.filter { $0.path.hasPrefix("Docs/Decisions/") }
        #expect(decisions.count > 60)
        for decision in decisions {
            let number = decision.path.split(separator: "/").last.flatMap { Int($0.prefix(4)) } ?? 0
            let status = decision.lines.dropFirst(2).first ?? ""
            #expect(
                decision.lines.first?.hasPrefix("# \(number). ") == true
                    && (status == "Status: holds." || status.hasPrefix("Status: changed by [")), "\(decision.path)")
        }
    }
}
