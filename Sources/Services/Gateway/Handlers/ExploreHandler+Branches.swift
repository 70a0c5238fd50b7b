import Contracts
import EventLoops
import RPC
import Wire

// The branches of an exploration: which service each asks, and what becomes of its answer.

extension ExploreHandler {
    /// A branch's call that was sent.
    struct SentBranch {
        let branch: ExploreBranch
        let start: MonotonicTime
        let note: CallNote?
        let call: SentCall
    }

    /// Sends a branch's call at once, if that can be.
    func send(_ branch: ExploreBranch, _ query: ExploreQuery, _ options: CallOptions) -> SentBranch? {
        guard !ExploreBranch.live.contains(branch) else { return nil }
        var options = options
        if query.explains { options.note = CallNote() }
        let (method, client) = target(of: branch)
        return client.send(method, query.request(of: branch), options).map {
            SentBranch(branch: branch, start: .now, note: options.note, call: $0)
        }
    }

    nonisolated(nonsending) func answer(
        of sent: SentBranch, _ query: ExploreQuery, _ options: CallOptions
    ) async -> BranchPart {
        do {
            let (bytes, end) = try await sent.call.answer()
            let page = try await page(sent.branch, bytes, query, options)
            return BranchPart(page, of: sent.branch, from: sent.start, to: end, sent.note)
        } catch {
            return BranchPart(RPCError(anyError: error), of: sent.branch, since: sent.start, sent.note)
        }
    }

    /// Runs one branch; its failure becomes its report.
    func run(_ branch: ExploreBranch, _ query: ExploreQuery, _ options: CallOptions) async -> BranchPart {
        var options = options
        if query.explains { options.note = CallNote() }
        let start = MonotonicTime.now
        do {
            let page: BranchPage
            if ExploreBranch.live.contains(branch) {
                page = try await askLive(branch.name, query, options)
            } else {
                let (method, client) = target(of: branch)
                let bytes = try await client.unaryBytes(method, query.request(of: branch), options)
                page = try await self.page(branch, bytes, query, options)
            }
            return BranchPart(page, of: branch, from: start, to: .now, options.note)
        } catch {
            return BranchPart(RPCError(anyError: error), of: branch, since: start, options.note)
        }
    }

    private func target(of branch: ExploreBranch) -> (MethodDescriptor, RPCClient) {
        switch branch {
        case .places, .network: (PlacesServiceMethods.nearby, backends.places)
        case .pins: (PinServiceMethods.pinsNear, backends.pins)
        case .photos: (PhotoServiceMethods.photosNear, backends.photos)
        case .posts: (PostServiceMethods.postsNear, backends.pins)
        }
    }

    nonisolated(nonsending) private func page(
        _ branch: ExploreBranch, _ answer: [UInt8], _ query: ExploreQuery, _ options: CallOptions
    ) async throws -> BranchPage {
        let page = try BranchPage(answer, of: branch)
        return branch == .places ? try await things(page, query, options) : page
    }

    /// Puts the places of several sources that are one thing together, and asks for more until there are enough things.
    nonisolated(nonsending) private func things(
        _ first: BranchPage, _ query: ExploreQuery, _ options: CallOptions
    ) async throws -> BranchPage {
        var (page, found) = (first, first.rows)
        for number in 1... {
            let merged = PackedPlaces.merged(found)
            let isLast = number == Self.maximumPlacePages && !page.nextToken.isEmpty
            if merged.count > query.limit || page.nextToken.isEmpty || isLast {
                page.isTruncated = page.isTruncated || merged.count > query.limit || isLast
                page.given = query.live.isEmpty ? [] : found.rows
                page.rows = merged
                page.rows.keep(Int(query.limit))
                page.explanation = first.explanation
                break
            }
            let next = query.request(of: .places, page: page.nextToken)
            page = try BranchPage(
                try await backends.places.unaryBytes(PlacesServiceMethods.nearby, next, options), of: .places)
            found.append(page.rows)
        }
        return page
    }

    /// How often places are asked for until there are enough things.
    private static let maximumPlacePages = 4
}
