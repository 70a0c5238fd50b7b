"""What is attacked: calls with good requests, which wapiti changes, and addresses."""

POINT = {"latitude": 60.1675, "longitude": 24.943}
# With something to change in it. Watches have no end; those of a login lead to other tests of the map.
PLAIN = (
    "/index.html", "/modules/main.js", "/session/provider/home?next=x",
    "/session/provider/home/callback?state=s&code=c&iss=i&error=e",
    "/pictures/x.y?size=1", "/maps/x?width=64&height=64&scale=1", "/albums/x.zip?name=y",
    "/waymark.places.v1.PlacesService/Geocode?connect=v1&encoding=json&message=%7B%22text%22%3A%22Helsinki%22%7D")


def service(name, **requests):
    return {f"waymark.{name}/{method}": request for method, request in requests.items()}


def requests_of_stranger(pin):
    """What one may call without a session, or try to."""
    secret = "b" * 43
    return (
        service(
            "accounts.v1.AccountService", GetAccountOptions={},
            SignUp={"email": "bob@example.org", "password": "correct horse", "firstName": "Bob", "device": "x"},
            LogIn={"email": "ann@example.org", "password": "wrong horse", "device": "x"},
            ResetPassword={"code": "AAAAA-AAAAA", "password": "correct horse"}, LogOut={"token": "wms_x"},
            GetProfile={}, UpdateProfile={"firstName": "Eve"})
        | service(
            "accounts.v1.LoginProviderService", BeginLogin={"provider": "home", "browser": secret},
            FinishLogin={"provider": "home", "browser": secret, "state": "s", "code": "c", "issuer": "i"},
            LogInWithToken={"provider": "home", "idToken": "a.b.c", "nonce": "0123456789abcdef"},
            EndProviderSessions={"provider": "home", "logoutToken": "a.b.c"})
        | service("accounts.v1.PasskeyService", FinishPasskeyLogIn={"credentialId": "YQ==", "challenge": "YQ=="})
        | service("pins.v1.PinService", GetPin={"id": pin}, RenamePin={"id": pin, "name": "Mine"})
        | service("places.v1.PlacesService", Geocode={"text": "Helsinki"})
        | service("posts.v1.PostService", ListPosts={}))


def requests_of_owner(pin):
    """What answers well, and takes or stores texts. Calls that end the session, or the pin, are left out."""
    return (
        service(
            "accounts.v1.AccountService", UpdateProfile={"firstName": "Ann", "lastName": "Tester"},
            ListSecurityEvents={"limit": 5}, RevokeSessions={"id": "none"})
        | service("accounts.v1.APIKeyService", RevokeAPIKey={"id": "none"}, ListAPIKeys={})
        | service(
            "pins.v1.PinService", RenamePin={"id": pin, "name": "Home"}, GetPin={"id": pin},
            ListPins={"pageSize": 5, "pageToken": ""}, PinsNear={"centre": POINT, "radiusM": 100.0},
            ListPinPlaces={"id": pin, "pageSize": 5, "networks": ["catalog"]},
            SetPinSpan={"id": pin, "span": {"latitudeDelta": 1.0, "longitudeDelta": 1.0}})
        | service(
            "places.v1.PlacesService", Geocode={"text": "Helsinki", "countryCodes": ["FI"]},
            Nearby={"centre": POINT, "nameText": "cafe", "categories": ["amenity/cafe"], "limit": 3})
        | service("photos.v1.PhotoService", GetAlbum={"subject": f"pin/{pin}"}, ListFavourites={"pageToken": ""})
        | service(
            "photos.v1.UploadService",
            StartUpload={"sha256": "a" * 64, "byteCount": 10, "pinId": pin})
        | service(
            "posts.v1.PostService", ListPosts={},
            CreatePost={"place": "Helsinki", "link": "https://example.org/", "position": POINT, "overwrite": True})
        | service("gateway.v1.ExploreService", Explore={"centre": POINT, "limit": 2}))


def document(address, requests):
    """A description in OpenAPI from which wapiti makes these very requests: it does not understand all of ours."""
    paths = {
        f"/{method}": {"post": {
            "requestBody": {"content": {"application/json": {"schema": schema(request)}}},
            "responses": {"200": {"description": "The answer."}}}}
        for method, request in requests.items()}
    return {"openapi": "3.0.0", "info": {"title": "Calls", "version": "1"}, "servers": [{"url": address}], "paths": paths}


def schema(value):
    """The schema whose example is a value."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: schema(member) for name, member in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": schema(value[0])}
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return {"type": kinds[type(value)], "default": value}
