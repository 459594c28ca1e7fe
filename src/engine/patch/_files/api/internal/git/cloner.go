package git

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Cloner is a function that can clone a git repo.
type Cloner func(repoSpec *RepoSpec) error

// ClonerUsingGitExec never fetches: the engine starts no program and has no network.
func ClonerUsingGitExec(*RepoSpec) error {
	return errors.New(`no 'git' program on path: exec: "git": executable file not found in $PATH`)
}

// DoNothingCloner only sets the directory that a repository is said to be cloned to.
func DoNothingCloner(dir filesys.ConfirmedDir) Cloner {
	return func(repo *RepoSpec) error {
		repo.Dir = dir
		return nil
	}
}
