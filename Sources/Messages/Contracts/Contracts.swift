// All parts, for those who need most of them. A change of any of them compiles these again.
@_exported public import AccountContracts
@_exported public import BaseContracts
@_exported public import GatewayContracts
@_exported public import PhotoContracts
@_exported public import PinContracts
@_exported public import PlaceContracts
