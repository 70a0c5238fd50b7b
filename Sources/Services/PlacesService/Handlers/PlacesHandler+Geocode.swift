import Bytes
import PlaceContracts
import EventLoops
import Geo
import LiveNetworks
import RPC

extension PlacesHandler {
    func geocode(_ request: GeocodeRequest, _ context: CallContext) async throws -> GeocodeResponse {
        let question = try GeocodeQuestion(request)
        let (sources, view) = (await geocoder.sources, try await view(of: context))
        let words = AddressSearch.words(of: request.text)
        let mayBeAddress = AddressSearch.isWorthwhile(words)
        let isReady = !mayBeAddress || sources.addresses.isReady(view)
        var matches = mayBeAddress ? try await addresses(question, words, sources, view, context) : []
        if let gazetteer = sources.gazetteer {
            let search = GazetteerSearch(gazetteer: gazetteer, question: question)
            matches += search.matches().map { GeocodeMatch($0, in: gazetteer) }
        }
        // A text that may be an address here must not be sent to another geocoder.
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
            throw PlacesError.geocoderFails(
                reason: failure.reason, retryAfterMilliseconds: failure.retryAfterMilliseconds)
        }
    }

    /// Street addresses, each with what it lies in.
    private func addresses(
        _ question: GeocodeQuestion, _ words: QueryWords, _ sources: Geocoder.Sources, _ view: CatalogView,
        _ context: CallContext
    ) async throws -> [GeocodeMatch] {
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
            try await runBlocking { [scratches] in
                let checkpoint = SearchPace.until(context.deadline, stop)
                let search = AddressSearch(words, in: sources.addresses, sources.gazetteer)
                let look = { try checkpoint(0) }
                return try search.matches(
                    view, bias: question.bias, limit: question.limit, checkpoint: look
                ) { address in
                    let place = scratches.withScratch { scratch in
                        try? Whereabouts(
                            of: address.position, in: view, sources.areas, scratch, checkpoint: checkpoint)
                    }
                    let match = GeocodeMatch(address, in: place)
                    return question.wants(countryCode: match.countryCode) ? match : nil
                }
            }
        } onCancel: {
            stop.set()
        }
    }
}
