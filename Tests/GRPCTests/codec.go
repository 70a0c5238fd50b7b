// What Debian's gRPC for Go packs messages with is older than its generator: its messages are packed by the library
// that they were made for.
package main

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
)

type codec struct{}

func (codec) Marshal(message interface{}) ([]byte, error) { return proto.Marshal(message.(proto.Message)) }

func (codec) Unmarshal(bytes []byte, message interface{}) error {
	return proto.Unmarshal(bytes, message.(proto.Message))
}

func (codec) Name() string { return "proto" }

func init() { encoding.RegisterCodec(codec{}) }
