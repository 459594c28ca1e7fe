/** A module that was started when it was built answers as one that starts now. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { goEnv, hasGo } from '../../src/build/go.mjs';
import { snapshotOf } from '../../src/build/snapshot.mjs';
import { type Sandbox, startSandbox } from '../../src/engine/host/sandbox.js';
import { root } from '../support/cli.js';
import { createRepo, removeRepo } from '../support/trees.js';

if (!hasGo()) console.log('skipped: snapshots of modules, as Go is not installed to build one');

/** Uses what Go's runtime keeps outside of its own memory, or has to find again: values of the world, its clock, chance, other threads. */
const program = `
package main

import (
	"fmt"
	"hash/maphash"
	"math/rand"
	"sync"
	"syscall/js"
	"time"
)

var (
	begun  = time.Now()
	seed   = maphash.MakeSeed()
	table  = map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	number = rand.Int()
	object = js.Global().Get("Object")
	kept   = js.Global().Get("Array")
	asked  = make(chan int)
	doubled = make(chan int)
	once   sync.Once
	late   = make([]byte, 1<<20)
)

func init() {
	go func() { for n := range asked { doubled <- 2*n } }()
	go func() { for range time.Tick(time.Second) { number++ } }()
	for i := range late { late[i] = byte(i*i) }
}

func main() {
	count := 0
	call := js.FuncOf(func(_ js.Value, args []js.Value) any {
		count++
		asked <- args[0].Length()
		sum := 0
		for _, b := range late { sum += int(b) }
		order := ""
		for key := range table { order += key }
		grown := make([]byte, 40<<20)
		grown[len(grown)-1] = 1
		once.Do(func() { order += "!" })
		isSame := object.Equal(js.Global().Get("Object")) && kept.Equal(js.Global().Get("Array"))
		made := object.New()
		made.Set("x", count)
		text := fmt.Sprint(count, <-doubled, sum, len(order), number, maphash.String(seed, "x"), made.Get("x").Int(), len(grown), isSame, kept.New(count).Length(),
			time.Since(begun) < 0, time.Now().UTC().Format("2006-01"))
		answer := js.Global().Get("Uint8Array").New(len(text))
		js.CopyBytesToJS(answer, []byte(text))
		return answer
	})
	js.Global().Get("__engineReady").Invoke(call)
	select {}
}
`;
/** It keeps a value that no name leads to. */
const keeping = program.replace('js.Global().Get("Object")', 'js.Global().Get("Object").New()');
/** It is not ready for a call when it first waits. */
const waiting = program.replace('js.Global().Get("__engineReady").Invoke(call)', '_ = call');

(hasGo() ? describe : describe.skip)('a module that was started when it was built', () => {
  const runtime = readFileSync(join(root, 'dist/engine/wasm_exec.js'), 'utf8');
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) removeRepo(folder);
  });
  let plain: Buffer;
  let snapshot: Buffer;
  beforeAll(async () => {
    plain = built(program);
    snapshot = await snapshotOf(plain, runtime);
  });

  function built(text: string): Buffer {
    const folder = createRepo({ 'main.go': text, 'go.mod': 'module own\n\ngo 1.25\n' });
    folders.push(folder);
    const env = goEnv({ GOOS: 'js', GOARCH: 'wasm' });
    execFileSync('go', ['build', '-o', 'own.wasm', '.'], { cwd: folder, env });
    return readFileSync(join(folder, 'own.wasm'));
  }

  const started = (module: Buffer) => startSandbox(Uint8Array.from(module), runtime);
  const answers = (sandbox: Sandbox) =>
    [3, 5, 8].map((length) => Buffer.from(sandbox.call(new Uint8Array(length))).toString());

  test('answers as one that starts now, call for call', () => {
    expect(answers(started(snapshot))).toEqual(answers(started(plain)));
  });

  test('knows the day of the run, not of the build', () => {
    expect(answers(started(snapshot))[0]).toContain(new Date().toISOString().slice(0, 7));
  });

  test('is the same however often it is made, and each start is its own', async () => {
    expect((await snapshotOf(plain, runtime)).equals(snapshot)).toBe(true);
    const one = started(snapshot);
    expect(answers(one)).not.toEqual(answers(one));
    expect(answers(started(snapshot))[0]).toMatch(/^1 6 /);
  });

  test.each([
    ['keeps a value that has no name', keeping, 'the module holds a value that has no name'],
    ['is not ready', waiting, 'the module is not ready for a call'],
  ])('none is made of one that %s', async (_, text, words) => {
    await expect(snapshotOf(built(text), runtime)).rejects.toThrow(words);
  });
});
