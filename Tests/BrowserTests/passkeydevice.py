"""A device with passkeys in the browser of a test: Chromium's own virtual authenticator, which asks no person."""

DEVICE = {
    "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}


class PasskeyDevice:
    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.session.send("WebAuthn.enable", {"enableUI": False})
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]

    def send(self, command, **parameters):
        return self.session.send(f"WebAuthn.{command}", {"authenticatorId": self.id} | parameters)

    def passkeys(self):
        """What is on it, private keys too."""
        return self.send("getCredentials")["credentials"]

    def recognises(self, is_so):
        """Whether it takes the one who holds it for its owner."""
        self.send("setUserVerified", isUserVerified=is_so)

    def put_back(self, passkey):
        """Puts a passkey there as it was earlier, as a copy of the device would have it."""
        self.send("removeCredential", credentialId=passkey["credentialId"])
        self.send("addCredential", credential=passkey)
