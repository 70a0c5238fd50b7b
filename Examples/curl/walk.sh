#!/bin/bash
# Drops a pin in the middle of Helsinki, watches it turn green, opens its album and fetches a picture.
# Usage: walk.sh [URL [FILE]]     with curl and jq
set -euo pipefail
url=${1:-http://127.0.0.1:7780}
file=${2:-picture.jpg}

# Prints the answer, or why there is none.
call() {
    local answer
    answer=$(curl --silent --show-error --fail-with-body --header 'Content-Type: application/json' --data "$2" \
        "$url/$1") || {
        jq -r '.message // empty' <<<"$answer" >&2
        return 1
    }
    printf '%s\n' "$answer"
}

# Watches until jq makes something of a message, and prints that: await WATCH FILTER
await() {
    local line found=
    while [ -z "$found" ] && IFS= read -r line; do
        [[ $line != data:* ]] || found=$(jq -r ".message | $2" <<<"${line#data:}")
    done < <(exec curl --silent --show-error --no-buffer --get "$url/events" --data-urlencode "watch=$1")
    kill $! 2>/dev/null || true
    printf '%s\n' "$found"
}

# Before its first pin an account says which networks may be asked; what it has chosen stays.
call waymark.accounts.v1.SettingsService/UpdateSettings '{"enableNetworks":["catalog","folder"]}' >/dev/null
pin=$(call waymark.pins.v1.PinService/CreatePin \
    '{"position":{"latitude":60.1675,"longitude":24.9430},"radiusM":300}' | jq -r .pin.id)
news=$(await "waymark.pins.v1.PinService/WatchPin:{\"id\":\"$pin\"}" \
    '.pin // empty | select(.state == "PIN_STATE_READY" or .state == "PIN_STATE_FAILED") | tojson')
jq -r '"\(.name): \(.state), \(.placeCount // 0) places"' <<<"$news"
jq -e '.state == "PIN_STATE_READY"' <<<"$news" >/dev/null || {
    jq -r '.searches[]? | "\(.network): \(.warning)"' <<<"$news" >&2
    exit 1
}

call waymark.photos.v1.PhotoService/OpenAlbum "{\"subject\":\"pin/$pin\"}" >/dev/null
photo=$(await "waymark.photos.v1.PhotoService/WatchAlbum:{\"subject\":\"pin/$pin\"}" \
    '(.photos // [] | map(select(.state == "PHOTO_STATE_READY"))[0])
     // (.album | select(.summary.state == "ALBUM_STATE_EMPTY" or .summary.state == "ALBUM_STATE_FAILED"))
     // empty | tojson')
jq -e .largeUrl <<<"$photo" >/dev/null || {
    jq -r '.warning // "the album has no picture"' <<<"$photo" >&2
    exit 1
}

curl --silent --show-error --fail --output "$file" "$url$(jq -r .largeUrl <<<"$photo")"
jq -r --arg file "$file" '"\($file): \(.title), by \(.author), \(.licence)"' <<<"$photo"
