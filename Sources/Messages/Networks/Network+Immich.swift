import Arguments

extension Network {
    /// Libraries that accounts have at servers which the operator names.
    package static let immich = Network(
        name: "immich", label: "Your Immich",
        photos: PhotoOffer(
            isOfAreas: true,
            settings: [
                Option(
                    "--immich-servers", "LIST", defaultText: "none",
                    help: "servers of Immich whose photos accounts may show in their albums, as URL,URL; of one that"
                        + " people reach elsewhere URL=URL, the second theirs")
            ]),
        asked: Asking(rate: "20", atOnce: 4, perDay: 100_000), takesKeys: true, isChosen: false)
}
