#!/bin/sh
# Drops a pin in the middle of Helsinki, watches it turn green, opens its album and fetches a picture.
# Usage: walk.sh [URL [FILE]]     with curl and jq
set -eu
url=${1:-http://127.0.0.1:7780}
file=${2:-picture.jpg}

call() { curl --silent --show-error --fail-with-body --header 'Content-Type: application/json' --data "$2" "$url/$1"; }

# The first event of a watch that jq says yes to. What comes before is shown with `jq -r "$3"`.
await() {
    curl --silent --show-error --no-buffer --get "$url/events" --data-urlencode "watch=$1" |
        sed -un 's/^data: *//p' | jq --unbuffered -c '.message' | while read -r news; do
            [ -z "$3" ] || printf '%s' "$news" | jq -r "$3" >&2
            if printf '%s' "$news" | jq -e "$2" >/dev/null; then
                printf '%s\n' "$news"
                break
            fi
        done
}

pin=$(call waymark.pins.v1.PinService/CreatePin \
    '{"position":{"latitude":60.1675,"longitude":24.9430},"radiusM":300}' | jq -r .pin.id)

await "waymark.pins.v1.PinService/WatchPin:{\"id\":\"$pin\"}" '.pin.state == "PIN_STATE_READY"' \
    '.pin // empty | "\(.name): \(.state), \(.placeCount // 0) places"' >/dev/null

call waymark.photos.v1.PhotoService/OpenAlbum "{\"subject\":\"pin/$pin\"}" >/dev/null
ready='.photos // [] | map(select(.state == "PHOTO_STATE_READY"))'
photo=$(await "waymark.photos.v1.PhotoService/WatchAlbum:{\"subject\":\"pin/$pin\"}" "$ready | length > 0" '' | jq "$ready[0]")

curl --silent --show-error --fail --output "$file" "$url$(printf '%s' "$photo" | jq -r .largeUrl)"
printf '%s' "$photo" | jq -r --arg file "$file" '"\($file): \(.title), by \(.author), \(.licence)"'
