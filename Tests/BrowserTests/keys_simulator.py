"""A simulator of servers at which people have something of their own: two of Immich, of which one always fails, and one
that speaks Instagram's former API."""

import json
from urllib.parse import parse_qs, urlsplit

from network_simulator import NetworkSimulator, picture

KEY, TOKEN, OPERATORS = "the-key-of-a-library", "the-token-of-a-person", "the-token-of-the-operator"
# A location of Instagram, and its photo.
LOCATION, MEDIUM = "4711", "77000001_5"
# Where the photo of the library was taken.
QUAY = (60.1665, 24.9530)
PHOTO = "11111111-aaaa-4aaa-8aaa-000000000001"
MONTH = {
    "id": [PHOTO], "isImage": [True], "isTrashed": [False], "latitude": [QUAY[0]], "longitude": [QUAY[1]],
    "fileCreatedAt": ["2025-05-01T10:00:00.123Z"],
}


class KeysSimulator(NetworkSimulator):
    def settings(self):
        servers = f"{self.address}/immich=https://photos.example.org,{self.address}/broken=https://family.example.org"
        return super().settings() | {
            "immich_servers": servers, "instagram_url": f"{self.address}/instagram", "instagram_token": OPERATORS,
            "instagram_files": f"{self.address}/files",
        }

    def answer(self, handler, body):
        url = urlsplit(handler.path)
        server, _, path = url.path[1:].partition("/")
        if server == "immich":
            return self.immich(handler, path)
        if server == "broken":
            return self.refuse(handler, 500)
        if server == "instagram":
            return self.instagram(handler, path, parse_qs(url.query)["access_token"])
        super().answer(handler, body)

    def immich(self, handler, path):
        if path == "api/server/version":
            return self.give(handler, {"major": 3, "minor": 3, "patch": 0})
        if handler.headers["x-api-key"] != KEY:
            return self.refuse(handler, 401)
        if path.startswith("api/assets/"):
            return self.send(handler, "image/jpeg", picture(1))
        self.give(handler, [{"timeBucket": "2025-05-01", "count": 1}] if path.endswith("buckets") else MONTH)

    def instagram(self, handler, path, tokens):
        if tokens == [OPERATORS] or tokens == [TOKEN]:
            return self.give(handler, {"meta": {"code": 200}, "data": self.found(path, tokens == [TOKEN])})
        meta = {"code": 400, "error_type": "OAuthAccessTokenException", "error_message": "The token is not valid."}
        self.give(handler, {"meta": meta})

    def found(self, path, is_person):
        """One location with a photo, which the person whose token it is likes."""
        photo = {
            "id": MEDIUM, "type": "image", "link": "https://www.instagram.com/p/steps/", "user": {"username": "bo"},
            "caption": {"text": "Steps at dusk"}, "user_has_liked": is_person,
            "images": {"standard_resolution": {"url": f"{self.address}/files/2.jpg", "width": 800, "height": 600}},
        }
        return {
            "v1/users/self": {"username": "ann"}, f"v1/media/{MEDIUM}": photo,
            f"v1/locations/{LOCATION}/media/recent": [photo],
            "v1/locations/search": [
                {"id": LOCATION, "name": "Harbour Steps", "latitude": QUAY[0], "longitude": QUAY[1]}],
        }.get(path, [])

    def give(self, handler, answer):
        self.send(handler, "application/json", json.dumps(answer).encode())

    def refuse(self, handler, status):
        handler.send_response(status)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
