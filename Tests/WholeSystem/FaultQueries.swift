/// Queries that find what is wrong in the records of a service, as a sentence in the first column.
package enum FaultQueries {
    package static let ofPins: [StaticString] = [
        "SELECT 'link of no pin ' || hex(pin) FROM links WHERE pin NOT IN (SELECT id FROM pins)",
        "SELECT 'search of no pin ' || hex(pin) FROM pin_searches WHERE pin NOT IN (SELECT id FROM pins)",
        untold,
    ]
    package static let untold: StaticString =
        "SELECT 'place that photo-service was not notified of: ' || place FROM links WHERE is_told = FALSE"
    package static let ofPhotos: [StaticString] = [
        "SELECT 'photo of no album ' || subject FROM album_photos WHERE subject NOT IN (SELECT subject FROM albums)",
        "SELECT 'no such photo: ' || photo_id FROM album_photos WHERE photo_id NOT IN (SELECT id FROM photos)",
        "SELECT 'picture of no photo ' || photo_id FROM pictures WHERE photo_id NOT IN (SELECT id FROM photos)",
        "SELECT 'upload that was finished: ' || id FROM uploads WHERE id IN (SELECT id FROM photos)",
        "SELECT 'part of no upload ' || upload FROM upload_parts WHERE upload NOT IN (SELECT id FROM uploads)",
        "SELECT 'two photos at one place of ' || subject FROM album_photos GROUP BY subject, ordinal HAVING count(*) > 1",
        "SELECT 'removal in no album ' || subject FROM removals WHERE subject NOT IN (SELECT subject FROM albums)",
        "SELECT 'shown in no album ' || subject FROM album_shown WHERE subject NOT IN (SELECT subject FROM albums)",
        "SELECT 'album of an unknown place ' || subject FROM albums WHERE subject LIKE 'place/%' AND substr(subject, 7) NOT IN (SELECT place FROM search_places)",
    ]

    package static let always: [StaticString] = [
        "SELECT 'job that waits: ' || kind || ' ' || key || ' ' || reason FROM jobs WHERE kind NOT IN ('sweep', 'recheck')"
    ]
}
