// Package frame reads and writes the byte frames in which the host and the engine exchange calls: chunks, each a
// little-endian uint32 length and as many bytes. No base64, no copies of file contents.
package frame
