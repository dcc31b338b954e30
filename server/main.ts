#!/usr/bin/env node
import cluster from 'node:cluster'
import { once } from 'node:events'
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { Streams } from './cli/streams.ts'

/*
 * The only reader of process.env, argv and the standard streams. It imports nothing of the project before the flags of V8 are set, because loading a module
 * already makes the heap grow.
 */

const openStreams = (): Streams => ({
  print(text) {
    process.stdout.write(`${text}\n`)
  },
  printError(text) {
    process.stderr.write(`${text}\n`)
  },
  isTerminal: process.stdout.isTTY === true,
  draw: process.stderr.isTTY ? (text) => process.stderr.write(`\r\x1b[K${text}`) : undefined,
})

const main = async (): Promise<void> => {
  const { runCli } = await import('./cli/cli.ts')
  const code = await runCli(process.argv.slice(2), process.env, openStreams())
  if (code !== undefined) process.exitCode = code
}

// pg looks for `navigator`, which node has from version 21 on. Without it pg creates a `Response`, which loads node's whole fetch: 10 MB that nothing here
// needs.
if (typeof navigator === 'undefined')
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: `Node.js/${process.versions.node.split('.')[0]}` },
    configurable: true,
    writable: true,
  })

  // From node 22.1 on: caches compiled code on disk, so that the next start is faster.
;(module as { enableCompileCache?(): void }).enableCompileCache?.()
// Lets the heap grow to twice its live data before V8 collects garbage. By default V8 lets a small heap grow to four times its live data, which under load
// occupies 100 MB more without benefit (`npm run bench -- saturation`: 280 MB instead of 380, as many answers per second).
setFlagsFromString('--heap-growing-percent=100')
// Stops V8 from allocating objects directly in the old space. Under load at the start V8 decides this for the objects of requests, and never reverts it.
// Dead requests in the old space then keep the young objects they point to alive: half of the garbage is copied, and a request takes 42 us instead of 24
// for as long as the process lives (1 start in 10 with both cores busy).
setFlagsFromString('--no-allocation-site-pretenuring')

// The reader of the output may go away (`tonway | head`). The service continues then.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

// WORKER_OF_TONWAY tells a worker of `TONWAY_WORKERS` from a worker of a program that embeds tonway and has a cluster of its own.
if (cluster.isWorker && process.env['WORKER_OF_TONWAY'] !== undefined) {
  const { serveHere } = await import('./cli/serve.ts')
  // A message that comes before its listener would be lost.
  const started = once(process, 'message')
  process.send!('ready')
  const [worker] = await started
  await serveHere(worker.config, openStreams(), worker)
} else await main()
