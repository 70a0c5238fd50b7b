import LiveNetworks

/// An answer in the second shape; later ones are bare lists of photos.
struct FoursquareAnswer: Decodable {
    struct Refusal: Decodable {
        let message: String
    }

    struct Photos: Decodable {
        let items: LossyList<Listed>?
    }

    struct Venue: Decodable {
        let photos: Photos?
    }

    struct Person: Decodable {
        let firstName: String?
        let lastName: String?
    }

    struct Listed: Decodable, Sendable {
        let id: String?
        let fsq_photo_id: String?
        let prefix: String?
        let suffix: String?
        /// In the oldest answers, in place of the two.
        let url: String?
        let width: UInt32?
        let height: UInt32?
        let createdAt: LooseNumber?
        let created_at: String?
        let visibility: String?
        let user: Person?
    }

    let meta: FoursquareMeta
    let response: Venue?
}

extension FoursquareAnswer.Listed {
    /// Where its bytes are: the size stands between the two parts.
    var address: String? {
        guard let prefix, let suffix else { return url }
        return "\(prefix)original\(suffix)"
    }

    /// Who made it. Answers of 2025 name no one.
    var author: String {
        let name = [user?.firstName, user?.lastName].compactMap(\.self).joined(separator: " ")
        let line = PlainText.line(name, limit: 200)
        return line.isEmpty ? "Foursquare" : line
    }
}
