// Drops a pin in the middle of Helsinki, watches it turn green, opens its album and fetches a picture: by gRPC.
//
// Usage: walk [HOST:PORT [FILE]]     with the stubs that Examples/go/stubs makes
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"waymark"
)

// Stores a pin. The same RequestId again would give the same pin: a call that was cut off may be retried.
func drop(ctx context.Context, pins waymark.PinServiceClient) string {
	name := make([]byte, 16)
	if _, err := rand.Read(name); err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	answer, err := pins.CreatePin(ctx, &waymark.CreatePinRequest{
		Position:  &waymark.Coordinate{Latitude: 60.1675, Longitude: 24.9430},
		RadiusM:   proto.Float64(300),
		RequestId: fmt.Sprintf("%x", name),
	}, grpc.WaitForReady(true))
	if err != nil {
		log.Fatal(err)
	}
	return answer.Pin.Id
}

// Until every network has answered and the photos of all places are known.
func watch(ctx context.Context, pins waymark.PinServiceClient, id string) {
	news, err := pins.WatchPin(ctx, &waymark.WatchPinRequest{Id: id})
	if err != nil {
		log.Fatal(err)
	}
	for {
		change, err := news.Recv()
		if err != nil {
			log.Fatal(err)
		}
		if pin := change.Pin; pin != nil {
			fmt.Printf("%s: %s, %d places\n", pin.Name, pin.State, pin.PlaceCount)
			if pin.State == waymark.PinState_PIN_STATE_READY || pin.State == waymark.PinState_PIN_STATE_FAILED {
				return
			}
		}
	}
}

// The first photo of the pin's album whose picture is there.
func firstPicture(ctx context.Context, photos waymark.PhotoServiceClient, id string) *waymark.Photo {
	if _, err := photos.OpenAlbum(ctx, &waymark.OpenAlbumRequest{Subject: "pin/" + id}); err != nil {
		log.Fatal(err)
	}
	news, err := photos.WatchAlbum(ctx, &waymark.WatchAlbumRequest{Subject: "pin/" + id})
	if err != nil {
		log.Fatal(err)
	}
	for {
		change, err := news.Recv()
		if err != nil {
			log.Fatal(err)
		}
		for _, photo := range change.Photos {
			if photo.State == waymark.PhotoState_PHOTO_STATE_READY {
				return photo
			}
		}
		switch change.GetAlbum().GetSummary().GetState() {
		case waymark.AlbumState_ALBUM_STATE_EMPTY, waymark.AlbumState_ALBUM_STATE_FAILED:
			log.Fatalf("no picture: %s", change.GetAlbum().GetWarning())
		}
	}
}

// Pictures are HTTP, on the same port. The address is signed and needs no token; it lasts for some hours.
func save(address string, name string) {
	answer, err := http.Get(address)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	file, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(file, answer.Body); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}

func main() {
	server, name := "127.0.0.1:7780", "picture.jpg"
	if len(os.Args) > 1 {
		server = os.Args[1]
	}
	if len(os.Args) > 2 {
		name = os.Args[2]
	}
	// With a token: metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token), over TLS.
	connection, err := grpc.Dial(server, grpc.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	ctx := context.Background()
	id := drop(ctx, waymark.NewPinServiceClient(connection))
	watch(ctx, waymark.NewPinServiceClient(connection), id)
	photo := firstPicture(ctx, waymark.NewPhotoServiceClient(connection), id)
	save("http://"+server+photo.LargeUrl, name)
	fmt.Printf("%s: %s, by %s, %s\n", name, photo.Title, photo.Author, photo.Licence)
}
