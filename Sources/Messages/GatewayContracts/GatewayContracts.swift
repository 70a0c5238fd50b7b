// What its messages are made of comes with it.
@_exported public import PhotoContracts
@_exported public import PinContracts
@_exported public import PlaceContracts
@_exported public import BaseContracts
