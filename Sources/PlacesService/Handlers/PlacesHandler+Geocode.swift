import Contracts
import Geo
import RPC

extension PlacesHandler {
    func geocode(_ request: GeocodeRequest, _ context: CallContext) async throws -> GeocodeResponse {
        let question = try GeocodeQuestion(request)
        let (sources, view) = (await geocoder.sources, catalog.view)
        let mayBeAddress = AddressSearch.isWorthwhile(question.words)
        let isReady = !mayBeAddress || sources.addresses.isReady(view)
        var matches = mayBeAddress ? try await addresses(question, sources, view, context) : []
        if let gazetteer = sources.gazetteer {
            let search = GazetteerSearch(gazetteer: gazetteer, question: question)
            matches += search.matches().map { GeocodeMatch($0, in: gazetteer) }
        }
        // What may be an address here is none of another geocoder's business.
        guard isReady || !matches.isEmpty else { throw PlacesError.addressesNotRead }
        if matches.isEmpty, let upstream = geocoder.upstream {
            matches = try await ask(upstream, UpstreamQuestion(request.text, question))
        } else if matches.isEmpty, sources.gazetteer == nil {
            throw PlacesError.noGazetteer
        }
        guard !matches.isEmpty else { throw PlacesError.namesNothing }
        return GeocodeResponse(matches: Array(matches.prefix(question.limit)))
    }

    private func ask(_ upstream: Upstream, _ question: UpstreamQuestion) async throws -> [GeocodeMatch] {
        do {
            return try await upstream.matches(question)
        } catch let failure as AskFailure {
            throw PlacesError.geocoderFails(failure)
        }
    }

    /// Street addresses, each with what it lies in.
    private func addresses(
        _ question: GeocodeQuestion, _ sources: Geocoder.Sources, _ view: CatalogView, _ context: CallContext
    ) async throws -> [GeocodeMatch] {
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
            try await runBlocking { [scratches] in
                let checkpoint = SearchPace.until(context.deadline, stop)
                let found = try AddressSearch(question.words, in: sources.gazetteer).matches(
                    sources.addresses, view, bias: question.bias
                ) { try checkpoint(0) }
                let matches = found.prefix(question.limit).map { address in
                    scratches.withScratch { scratch in
                        GeocodeMatch(
                            address,
                            town: try? TownSearch(view: view, scratch: scratch).town(
                                of: address.position, checkpoint: checkpoint))
                    }
                }
                return matches.filter { question.wants(countryCode: $0.countryCode) }
            }
        } onCancel: {
            stop.set()
        }
    }
}
