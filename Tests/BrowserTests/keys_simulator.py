"""A simulator of servers at which people have something of their own: two of Immich, of which one always fails, and one
that speaks Instagram's former API."""

import json
from urllib.parse import parse_qs, urlsplit

from network_simulator import NetworkSimulator, picture

KEY, TOKEN, OPERATORS = "the-key-of-a-library", "the-token-of-a-person", "the-token-of-the-operator"
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
            found = {"username": "ann"} if path == "v1/users/self" else []
            return self.give(handler, {"meta": {"code": 200}, "data": found})
        meta = {"code": 400, "error_type": "OAuthAccessTokenException", "error_message": "The token is not valid."}
        self.give(handler, {"meta": meta})

    def give(self, handler, answer):
        self.send(handler, "application/json", json.dumps(answer).encode())

    def refuse(self, handler, status):
        handler.send_response(status)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
