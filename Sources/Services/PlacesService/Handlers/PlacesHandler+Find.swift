import Bytes
import PlaceContracts
import EventLoops
import FeatureFiles
import Geo
import RPC
import Refusals
import Requests

extension PlacesHandler {
    func find(_ request: FindRequest, _ context: CallContext) async throws -> FindResponse {
        var question = try FindQuestion(request)
        question.open = try request.openAt.map { condition throws(Refusal) in
            try OpenCondition(condition, now: now)
        }
        if question.open != nil { question.open?.tables = await hours.tables }
        question.area = try await area(request.area, context)
        if let service = MapLink.shortener(of: request.text) { return FindResponse(unresolvedLink: service) }
        let (opened, names) = (await geocoder.sources, await geocoder.names)
        let sources = FindSources(
            view: try await view(of: context), gazetteer: opened.gazetteer, gazetteerNames: names,
            addresses: opened.addresses,
            names: opened.names, kinds: opened.kinds, areas: opened.areas.with(await hours.tables))
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
            try await runBlocking { [scratches, question] in
                let checkpoint = SearchPace.until(context.deadline, stop)
                let answer = FindAnswer(
                    question: question, sources: sources, scratches: scratches, checkpoint: checkpoint)
                return FindResponse(results: try answer.results())
            }
        } onCancel: {
            stop.set()
        }
    }
}

extension FindQuestion {
    /// Parses a request and refuses what is out of range.
    init(_ request: FindRequest) throws(Refusal) {
        self.init(
            request.text,
            near: try request.near.map { point throws(Refusal) in try Geo.Coordinate(point, field: "near") },
            limit: Int(request.limit ?? FindRequest.limitDefault))
    }
}
