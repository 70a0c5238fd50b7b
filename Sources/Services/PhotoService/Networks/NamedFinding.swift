import Geo
import HTTPClient
import LiveNetworks

/// The photos that the entry of a place names, or that its network has of it.
struct NamedFinding: Sendable {
    /// In the order in which they are shown.
    var photos: [Photo] = []
    /// Why they may not be all: the networks that gave no answer.
    var failures: [(network: String, failure: AskFailure)] = []

    /// The same for people.
    var warnings: [String] { failures.map { "\($0.network): \($0.failure.reason)" } }
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
    private typealias Ask = @Sendable () async throws -> NamedFinding

    /// Asks for the photos that the entry of a place names, or that its network has of it, at the networks that are on,
    /// all at once: one that does not answer holds up no other. One that has no position is where the place is.
    func photos(named names: PictureNames, of place: KnownPlace) async throws -> NamedFinding {
        let asks = ofVenues(names, place) + ofEntries(names, place)
        return try await withThrowingTaskGroup(of: (Int, NamedFinding).self) { group in
            for (turn, ask) in asks.enumerated() { group.addTask { (turn, try await ask()) } }
            var findings: [(turn: Int, found: NamedFinding)] = []
            for try await finding in group { findings.append(finding) }
            return findings.sorted { $0.turn < $1.turn }.reduce(into: NamedFinding()) { $0.add($1.found) }
        }
    }

    /// Networks of places have their own photos of them.
    private func ofVenues(_ names: PictureNames, _ place: KnownPlace) -> [Ask] {
        var asks: [Ask] = []
        if let (foursquare, queue) = asker(of: FoursquarePhotos.self), let venue = names.venue {
            asks.append {
                let answer = try await queue.ask(foursquare.request(venue).short) { response, now in
                    foursquare.photos(response, at: now, of: venue, at: place.position)
                }
                return NamedFinding(answer, FoursquarePhotos.network)
            }
        }
        if let (instagram, queue) = asker(of: InstagramMedia.self), let location = names.location {
            asks.append {
                let answer = try await queue.ask(instagram.request(location).short) { response, now in
                    instagram.photos(response, at: now, of: place.position)
                }
                return NamedFinding(answer, InstagramMedia.network)
            }
        }
        return asks
    }

    private func ofEntries(_ names: PictureNames, _ place: KnownPlace) -> [Ask] {
        var asks: [Ask] = []
        if let (commons, queue) = asker(of: CommonsProvider.self) {
            asks.append { try await Self.photos(named: names, of: place, commons, queue) }
        }
        if let (panoramax, queue) = asker(of: PanoramaxProvider.self), !names.panoramax.isEmpty {
            asks.append {
                var found = NamedFinding()
                try await found.add(
                    panoramax.request(ids: names.panoramax), panoramax, queue, place, order: names.panoramax)
                return found
            }
        }
        return asks
    }

    private static func photos(
        named names: PictureNames, of place: KnownPlace, _ commons: CommonsProvider, _ queue: NetworkQueue
    ) async throws -> NamedFinding {
        var found = NamedFinding()
        var files = names.files
        for item in names.items where !found.isTooLate {
            let image = try await queue.ask(commons.request(item: item).short) { commons.file($0, at: $1) }
            if let file = found.value(of: image, commons.name) ?? nil, !files.contains(file) { files.append(file) }
        }
        if !files.isEmpty {
            try await found.add(commons.request(files: files), commons, queue, place, order: files)
        }
        for category in names.categories {
            try await found.add(commons.request(category: category), commons, queue, place)
        }
        return found
    }
}

extension HTTPClientRequest {
    /// One that a user waits for who has opened an album.
    fileprivate var short: HTTPClientRequest {
        var request = self
        request.timeout = .seconds(10)
        return request
    }
}

extension NamedFinding {
    fileprivate init(_ answer: Result<[Photo], AskFailure>, _ network: String) {
        photos = value(of: answer, network) ?? []
    }

    fileprivate var isTooLate: Bool { failures.contains { $0.failure.kind == .timeout } }

    /// Adds what another network has.
    fileprivate mutating func add(_ other: NamedFinding) {
        let known = Set(photos.map(\.id))
        photos += other.photos.filter { !known.contains($0.id) }
        failures += other.failures
    }

    /// The value of an answer; a failure is noted.
    fileprivate mutating func value<Value>(of answer: Result<Value, AskFailure>, _ network: String) -> Value? {
        switch answer {
        case .success(let value): return value
        case .failure(let failure):
            failures.append((network, failure))
            return nil
        }
    }

    /// Asks, and adds what is answered, in the order of the names if there are some. One that was late is asked no
    /// more.
    fileprivate mutating func add(
        _ request: HTTPClientRequest, _ provider: some NamingProvider, _ queue: NetworkQueue, _ place: KnownPlace,
        order: [String] = []
    ) async throws {
        if isTooLate { return }
        let answer = try await queue.ask(request.short) { response, now in
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
