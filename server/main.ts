#!/usr/bin/env node
import cluster from 'node:cluster'
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { KeysAction, PlansAction } from './access/command-definitions.ts'
import type { AskName } from './cli/ask/commands.ts'
import type { Loaded } from './cli/load-config.ts'
import type { Streams } from './cli/streams.ts'

/*
 * The only reader of process.env, argv and the standard streams. It imports nothing of the project before the flags of V8 are set, because loading a module
 * already makes the heap grow.
 */

const openStreams = async (): Promise<Streams> => ({
  print(text) {
    process.stdout.write(`${text}\n`)
  },
  printError(text) {
    process.stderr.write(`${text}\n`)
  },
  isTerminal: process.stdout.isTTY === true,
  colour: (await import('./cli/streams.ts')).showsColours(process.env, process.stdout.isTTY === true),
  draw: process.stderr.isTTY ? (text) => process.stderr.write(`\r\x1b[K${text}`) : undefined,
})

/** Runs a command. Returns an exit code if the process has to end with one. */
const run = async ({ command, action, flags, positionals, config }: Loaded, streams: Streams): Promise<number | undefined> => {
  // Each command is loaded only when it runs, so that the others cost nothing.
  const text = (name: string): string | undefined => (typeof flags[name] === 'string' ? flags[name] : undefined)
  if (command === 'verify') return (await import('./cli/verify.ts')).verify(config, text('only'), streams)
  if (command === 'repair') {
    const { repair } = await import('./cli/repair.ts')
    return repair(config, { only: text('only'), check: flags['check'] === true }, streams)
  }
  if (command === 'move') return (await import('./cli/move.ts')).move(config, streams)
  if (command === 'migrate') return (await import('./cli/migrate.ts')).migrateTables(config, streams)
  if (command === 'index') return (await import('./cli/index-only.ts')).indexOnly(config, { from: text('from'), to: text('to') }, streams)
  if (command === 'backfill')
    return (await import('./cli/backfill.ts')).backfill(config, { to: text('to'), blocks: text('blocks') }, streams)
  if (command === 'status') {
    const { showStatus } = await import('./cli/status.ts')
    return showStatus(config, { url: text('url'), json: flags['json'] === true }, streams)
  }
  const { ASK_COMMANDS } = await import('./cli/ask/commands.ts')
  if (Object.hasOwn(ASK_COMMANDS, command)) {
    const { ask } = await import('./cli/ask/ask.ts')
    return ask({ command: command as AskName, flags, positionals }, config, streams)
  }
  if (command === 'keys' || command === 'plans') {
    const { runKeys, runPlans } = await import('./access/commands.ts')
    const typed = { flags, positionals }
    return command === 'keys'
      ? runKeys(action as KeysAction, typed, config, streams)
      : runPlans(action as PlansAction, typed, config, streams)
  }
  if (command === 'tokens') {
    const { importTokens } = await import('./cli/import-tokens.ts')
    return importTokens(config, { file: positionals[0]!, only: text('only') }, streams)
  }
  if (config.workers > 1) await (await import('./cli/workers.ts')).serveByWorkers(config, streams)
  else await (await import('./cli/serve.ts')).serve(config, streams)
  return undefined
}

const main = async (): Promise<void> => {
  const { readCommand } = await import('./cli/cli.ts')
  const streams = await openStreams()
  const read = readCommand({ argv: process.argv.slice(2), env: process.env, ...streams })
  const code = 'exit' in read ? read.exit : await run(read.run, streams)
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
  const [{ askForStart }, { serve }, streams] = await Promise.all([
    import('./cli/worker-messages.ts'),
    import('./cli/serve.ts'),
    openStreams(),
  ])
  const worker = await askForStart()
  await serve(worker.config, streams, worker)
} else await main()
