import Geo
import HTTPClient
import LiveNetworks

/// The photos that the entry of a place names, or that its network has of it.
struct NamedFinding: Sendable {
    /// In the order in which they are shown.
    var photos: [Photo] = []
    /// Why they may not be all; nil when they are.
    var failure: (network: String, failure: AskFailure)?
}

/// What a network says of a photo that it was asked for.
struct NamedPhoto: Sendable {
    /// What it calls it.
    let title: String
    let id: String
    /// Nil when it does not have it any more, or it may not be shown.
    let photo: Photo?
}

/// A network that can be asked for photos by their names.
protocol NamingProvider: PhotoProvider {
    /// Whether an answer about ids has each of them, also those that are gone.
    var namesGone: Bool { get }
    /// The most ids in one question.
    var idLimit: Int { get }
    /// Whether an answer about ids says where the bytes of a photo are as well as one about an area does.
    var namesBytes: Bool { get }
    /// The request for photos by their ids.
    func request(ids: [String]) -> HTTPClientRequest
    /// What an answer has; a photo without a position is `elsewhere`.
    func named(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64, elsewhere: Coordinate
    ) -> Result<AnswerPage<NamedPhoto>, AskFailure>
}

extension NamingProvider {
    var idLimit: Int { 50 }
    var namesBytes: Bool { true }
}

extension PhotoNetworks {
    /// Asks for the photos that the entry of a place names, or that its network has of it, at the networks that are on.
    /// One that has no position is where the place is.
    func photos(named names: PictureNames, of place: KnownPlace) async throws -> NamedFinding {
        var found = NamedFinding()
        if let (foursquare, queue) = asker(of: FoursquarePhotos.self), let venue = names.venue {
            let answer = try await queue.ask(foursquare.request(venue)) { response, now in
                foursquare.photos(response, at: now, of: venue, at: place.position)
            }
            found.photos = found.value(of: answer, FoursquarePhotos.network) ?? []
        }
        if let (instagram, queue) = asker(of: InstagramMedia.self), let location = names.location {
            let answer = try await queue.ask(instagram.request(location)) { response, now in
                instagram.photos(response, at: now, of: place.position)
            }
            found.photos += found.value(of: answer, InstagramMedia.network) ?? []
        }
        if let (commons, queue) = asker(of: CommonsProvider.self) {
            var files = names.files
            for item in names.items {
                let image = try await queue.ask(commons.request(item: item)) { commons.file($0, at: $1) }
                if let file = found.value(of: image, commons.name) ?? nil, !files.contains(file) { files.append(file) }
            }
            if !files.isEmpty {
                try await found.add(commons.request(files: files), commons, queue, place, order: files)
            }
            for category in names.categories {
                try await found.add(commons.request(category: category), commons, queue, place)
            }
        }
        if let (panoramax, queue) = asker(of: PanoramaxProvider.self), !names.panoramax.isEmpty {
            try await found.add(
                panoramax.request(ids: names.panoramax), panoramax, queue, place, order: names.panoramax)
        }
        return found
    }
}

extension NamedFinding {
    /// The value of an answer; a failure is noted.
    fileprivate mutating func value<Value>(of answer: Result<Value, AskFailure>, _ network: String) -> Value? {
        switch answer {
        case .success(let value): return value
        case .failure(let failure):
            if self.failure == nil { self.failure = (network, failure) }
            return nil
        }
    }

    /// Asks, and adds what is answered, in the order of the names if there are some.
    fileprivate mutating func add(
        _ request: HTTPClientRequest, _ provider: some NamingProvider, _ queue: NetworkQueue, _ place: KnownPlace,
        order: [String] = []
    ) async throws {
        let answer = try await queue.ask(request) { response, now in
            provider.named(response, at: now, elsewhere: place.position)
        }
        guard let more = value(of: answer, provider.name) else { return }
        let known = Set(photos.map(\.id))
        let turns = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        let sorted = more.items.enumerated().map { (turn: turns[$1.title] ?? .max, index: $0, photo: $1.photo) }
            .sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }
        photos += sorted.compactMap(\.photo).filter { !known.contains($0.id) }
    }
}
