/**
 * How Go is called everywhere here: with the same flags, as Go's cache holds a package for each set of flags apart. Without the
 * path of the clone in it, what one clone compiles serves the next; without cgo, a machine that has gcc gets the same as one that
 * has not.
 */
import { spawnSync } from 'node:child_process';

/** The environment to call `go` with. */
export const goEnv = (more = {}) => ({ ...process.env, GOFLAGS: '-trimpath', CGO_ENABLED: '0', ...more });

/**
 * What programs are built with, and tests, so that they share what is compiled: the garbage collector that Go 1.26 has by default
 * crashes where there is no memory left, in place of saying so.
 */
export const programEnv = { GOEXPERIMENT: 'nogreenteagc' };

/** Whether there is a toolchain. */
export const hasGo = () => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
