import Bytes
import Contracts
import Daemon
import MapPicture
import Networks
import Wire

/// The parts of a pin or a list that a share shows: URLs of pictures that end with the share, and no ids for the
/// holder of a link.
struct SharedPinView: Sendable {
    private static let daySeconds: Int64 = 86_400
    private static let immich = "immich/"

    private let sealed: SharedTickets
    private let tickets: PictureTickets
    private let clock: WallClock

    init(_ key: DeploymentKey, clock: WallClock = .system) {
        sealed = SharedTickets(key)
        tickets = PictureTickets(key, clock: clock)
        self.clock = clock
    }

    func answer(
        _ pin: Pin, _ places: ListPinPlacesResponse, _ album: GetAlbumResponse, _ share: Share, of account: String,
        for guest: String? = nil
    ) -> GetSharedPinResponse {
        GetSharedPinResponse(
            name: pin.name, position: pin.position, radiusM: pin.radiusM, note: share.withNote ? pin.note : "",
            visitedDate: share.withNote ? pin.visitedDate : "", places: places.places.map(Self.place),
            placeCount: places.count,
            photos: album.photos.filter { share.withImmich || !$0.id.begins(with: Self.immich) }
                .compactMap { photo($0, share, of: account, for: guest) },
            expireTime: share.expireTime, mapUrl: map(around: pin.position, share, of: account))
    }

    /// A pin's album alone. A name that no person has chosen says where the pin is, and captions say it of photos.
    func answer(albumOf pin: Pin, _ album: GetAlbumResponse, _ share: Share) -> GetSharedPinResponse {
        let photos = album.photos.compactMap { photo -> SharedPhoto? in
            guard share.withImmich || !photo.id.begins(with: Self.immich), var shown = self.photo(photo, share) else {
                return nil
            }
            shown.title = ""
            return shown
        }
        return GetSharedPinResponse(
            name: pin.isNamed ? pin.name : "", photos: photos, expireTime: share.expireTime, albumOnly: true)
    }

    func answer(
        _ list: PinList, _ pins: [Pin], _ share: Share, of account: String, for guest: String? = nil
    ) -> GetSharedPinResponse {
        let frame = SharedMap.frame(of: pins)
        let shown = frame.map { SharedMap.view(around: $0.middle, span: $0.span) }
        let entries = pins.map { pin in
            let place = pin.position.flatMap { shown?.place(latitude: $0.latitude, longitude: $0.longitude) }
            return SharedListPin(
                name: pin.name, position: pin.position, visitedDate: share.withNote ? pin.visitedDate : "",
                mapX: place?.x ?? 0, mapY: place?.y ?? 0, pinId: guest == nil ? "" : pin.id)
        }
        return GetSharedPinResponse(
            name: list.name, expireTime: share.expireTime,
            mapUrl: map(around: frame?.middle, span: frame?.span ?? 0, share, of: account),
            list: SharedList(colour: list.colour, pins: entries, pinCount: list.pinCount))
    }

    /// The URL of a picture of the map; empty when there is nothing to show.
    /// - Parameters:
    ///   - span: as `SharedMap.view(around:span:)` takes it.
    ///   - account: the one that shares it.
    ///   - isSmall: whether it is the one beside a photo.
    func map(
        around position: Coordinate?, span: Double = 0, _ share: Share, of account: String, isSmall: Bool = false
    ) -> String {
        guard let position else { return "" }
        let today = clock.unixMilliseconds / 1_000 / Self.daySeconds
        return sealed.url(
            SharedTicket(
                shareId: share.id, map: position, expiresUnixS: (today + 2) * Self.daySeconds, span: span,
                account: account, isSmall: isSmall))
    }

    private static func place(_ place: PinPlace) -> SharedPlace {
        SharedPlace(
            name: place.name, categories: place.categories, position: place.position, distanceM: place.distanceM)
    }

    /// Nil while there is no picture of it.
    ///
    /// - Parameter account: the one that shares it; nil when nothing may say where it was taken.
    private func photo(
        _ photo: Photo, _ share: Share, of account: String? = nil, for guest: String? = nil
    ) -> SharedPhoto? {
        let thumbnail = picture(photo.thumbnailUrl, share)
        guard !thumbnail.isEmpty else { return nil }
        let position = account == nil || Self.isOwn(photo) ? nil : photo.position
        return SharedPhoto(
            title: photo.title, author: photo.author, licence: photo.licence, sourceUrl: photo.sourceUrl,
            takenTime: photo.takenTime, width: photo.width, height: photo.height, placeholder: photo.placeholder,
            thumbnailUrl: thumbnail, largeUrl: picture(photo.largeUrl, share),
            addedBy: guest == nil ? "" : photo.addedBy,
            ownId: !photo.adder.isEmpty && photo.adder == guest ? photo.id : "",
            takenOffsetMinutes: photo.takenTime == nil ? nil : photo.takenOffsetMinutes, position: position,
            mapUrl: map(around: position, share, of: account ?? "", isSmall: true))
    }

    /// Whether no network shows it to everyone. Where such a one was taken may be someone's home, to the metre, which
    /// the circle of a pin does not say.
    private static func isOwn(_ photo: Photo) -> Bool {
        let name = photo.id.split(at: "/").first.map { String($0) } ?? ""
        return [.folder, .upload, .immich].contains(Network.named(name) ?? .upload)
    }

    private func picture(_ url: String, _ share: Share) -> String {
        guard let text = url.after(PictureTickets.path), let ticket = tickets.check(text) else { return "" }
        return sealed.url(SharedTicket(shareId: share.id, picture: ticket))
    }
}
