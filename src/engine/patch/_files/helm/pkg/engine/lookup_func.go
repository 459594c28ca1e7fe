package engine

// ClientProvider answers what a template looks up: an object, a list where the name is empty, or an empty map where nothing is there.
type ClientProvider interface {
	Lookup(apiVersion, kind, namespace, name string) (map[string]interface{}, error)
}

func newLookupFunction(client ClientProvider) func(string, string, string, string) (map[string]interface{}, error) {
	return client.Lookup
}

// NewWithClientProvider is an engine whose templates look up what the client answers.
func NewWithClientProvider(client ClientProvider) Engine { return Engine{clientProvider: &client} }
