// Package session answers the host's calls (protocol.ts): it holds one tree, on which any number of builds run.
package session
