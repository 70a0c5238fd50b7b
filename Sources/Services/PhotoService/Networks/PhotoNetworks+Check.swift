import Geo
import LiveNetworks

/// What a network says of photos that it was asked about again.
struct CheckedPhotos: Sendable {
    var known: [PhotoID: Photo] = [:]
    /// Those that it does not have any more, or that may not be shown any more.
    var withdrawn: Set<PhotoID> = []
}

extension PhotoNetworks {
    /// About how many photos a network can be asked at once; 0 when it is off, or can't be asked by ids.
    func checkLimit(of network: String) -> Int { namer(network)?.0.idLimit ?? 0 }

    /// Asks a network again about photos that it has listed.
    func check(_ photos: [Photo], at network: String) async throws -> Result<CheckedPhotos, AskFailure> {
        guard let (provider, queue) = namer(network), let first = photos.first else { return .success(CheckedPhotos()) }
        let asked = Dictionary(photos.map { ($0.id.providerID, $0) }) { first, _ in first }
        let answer = try await queue.ask(provider.request(ids: asked.keys.sorted())) { response, now in
            provider.named(response, at: now, elsewhere: first.position)
        }
        return answer.flatMap { page in
            let listed = Dictionary(page.items.map { ($0.id, $0) }) { first, _ in first }
            // One that answers something else has withdrawn nothing.
            guard !page.isFull, listed.keys.allSatisfy({ asked[$0] != nil }) else {
                return .failure(AskFailure(.malformed, "it was asked for photos by their ids, and answers with others"))
            }
            var checked = CheckedPhotos()
            for (name, known) in asked {
                if let photo = listed[name]?.photo {
                    checked.known[known.id] = provider.namesBytes ? photo : photo.with(bytesOf: known)
                } else if listed[name] != nil || !provider.namesGone {
                    checked.withdrawn.insert(known.id)
                }
            }
            return .success(checked)
        }
    }
}

extension Photo {
    fileprivate func with(bytesOf known: Photo) -> Photo {
        Photo(
            id: id, title: title, position: position, credit: credit, originalURL: known.originalURL,
            width: known.width, height: known.height, takenMilliseconds: takenMilliseconds,
            takenOffsetMinutes: takenOffsetMinutes, view: view, tags: tags)
    }
}
