// What its messages are made of comes with it.
@_exported public import BaseContracts
