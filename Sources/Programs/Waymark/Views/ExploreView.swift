import Contracts
import RPC
import Terminal
import Wire

/// The answer of `explore` as lines for a person: what each branch found, then how each went.
struct ExploreView {
    let response: ExploreResponse
    let sink: TextSink

    var lines: [String] { sections + summary }

    /// What each branch found that has answered.
    var sections: [String] {
        section("places", response.places.count, PlaceTable.lines(response.places, on: sink))
            + section("pins", response.pins.count, PinTable.lines(response.pins, on: sink))
            + section("photos", response.photos.count, PhotoTable.lines(response.photos, on: sink))
            + section("posts", response.posts.count, PostTable.lines(response.posts, on: sink)) + whyNothing
    }

    /// What helps where all have answered and nothing is there.
    private var whyNothing: [String] {
        let isEmpty = response.branches.allSatisfy { RPCCode(wire: $0.code) == .ok && $0.count == 0 }
        guard isEmpty, response.branches.contains(where: { $0.name == "places" }) else { return [] }
        return [
            "Nothing is known of this area: waymark import brings a map of it, and waymark networks says which others "
                + "could be asked.", "",
        ]
    }

    /// How each branch went, and the plan if there is one.
    var summary: [String] {
        branchLines + elapsedLine
            + (response.plan.map { [""] + PlanView(plan: $0, sink: sink).lines } ?? [])
    }

    /// Nothing is said of a branch that was not asked.
    private func section(_ name: String, _ count: Int, _ rows: [String]) -> [String] {
        // Of a live network that answers late, places come by themselves.
        guard count > 0 || response.branches.contains(where: { $0.name == name }) else { return [] }
        let title = Style.bold.paint(name.prefix(1).uppercased() + name.dropFirst(), on: sink)
        if let failure = failure(of: name) { return ["\(title)  \(Style.red.paint(failure, on: sink))", ""] }
        guard count > 0 else { return ["\(title)  none", ""] }
        let isTruncated = response.branches.contains { $0.name == name && $0.truncated }
        let more = isTruncated ? ", nearest of more" : ""
        return ["\(title)  \(Quantity.count(count))\(more)"] + rows.map { "  \($0)" } + [""]
    }

    /// Why nothing is known of a branch; nil when it has answered.
    private func failure(of name: String) -> String? {
        guard let branch = response.branches.first(where: { $0.name == name }) else { return nil }
        switch RPCCode(wire: branch.code) {
        case .ok: return nil
        case .deadlineExceeded: return "not known: no answer in time"
        case .unavailable: return "not known: the service can't be reached"
        case let code: return "not known: \(code)"
        }
    }

    private var branchLines: [String] {
        var table = Table(columns: [
            .init(title: "BRANCH"), .init(title: "STATUS"), .init(title: "FOUND", isRight: true),
            .init(title: "TIME", isRight: true), .init(title: "MESSAGE"),
        ])
        table.rows = response.branches.map { branch in
            let code = RPCCode(wire: branch.code)
            return [
                .init(branch.name), .init(code == .ok ? "ok" : code.description, code == .ok ? .green : .red),
                .init(Quantity.count(branch.count) + (branch.truncated ? "+" : "")), .init(time(branch.elapsed)),
                .init(branch.message),
            ]
        }
        return table.lines(on: sink)
    }

    private var elapsedLine: [String] {
        response.elapsed?.duration.map { ["", Style.faint.paint("answered in \(Quantity.duration($0))", on: sink)] }
            ?? []
    }

    private func time(_ elapsed: DurationMessage?) -> String { elapsed?.duration.map(Quantity.duration) ?? "" }
}
