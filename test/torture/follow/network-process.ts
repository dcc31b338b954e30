import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NetworkOptions, NetworkStep } from '../../kit/network/network.ts'
import { serveNetwork } from '../../kit/network/serve.ts'

/* The made-up network in a process of its own, so that the making of blocks delays nothing that is measured. */

/** What is known of a masterchain block when the lite-server has it. */
export interface Told {
  readonly seqno: number
  /** Date.now() */
  readonly at: number
  /** Of the masterchain block and of the shard blocks that it commits. */
  readonly transactions: number
  readonly blocks: number
  readonly isBurst: boolean
  readonly shardCount: number
  readonly splits: number
  readonly merges: number
}

export interface RunningNetwork {
  readonly config: string
  /** Undefined if the network runs in this process. */
  readonly pid: number | undefined
  start(onBlock: (told: Told) => void): void
  /** Ends the making of blocks. The lite-server goes on. */
  stop(): Promise<void>
  close(): Promise<void>
}

const toldOf = ({ master, shards, transactions, isBurst, shardCount, splits, merges }: NetworkStep, at: number): Told => {
  return { seqno: master.id.seqno, at, transactions, blocks: shards.length + 1, isBurst, shardCount, splits, merges }
}

/** The network in this process. */
export const runNetwork = async (options: NetworkOptions): Promise<RunningNetwork> => {
  const served = await serveNetwork(options, join(tmpdir(), `tonway-network-${process.pid}.blocks`))
  const over = new AbortController()
  let running: Promise<void> = Promise.resolve()
  return {
    config: served.config,
    pid: undefined,
    start(onBlock) {
      running = served.run(over.signal, (step, at) => onBlock(toldOf(step, at)))
      running.catch(() => {})
    },
    async stop() {
      over.abort()
      await running
    },
    close: served.close,
  }
}

/** `npm run torture -- network OPTIONS`: what `forkNetwork` starts. */
export const serveParent = async (options: NetworkOptions): Promise<void> => {
  const network = await runNetwork(options)
  const send = (message: object): void => void process.send?.(message)
  process.once('disconnect', () => process.exit(0))
  process.on('message', (word) => {
    if (word === 'start') network.start((told) => send({ told }))
    if (word === 'stop') {
      network.stop().then(
        () => send({ stopped: true }),
        (error: Error) => send({ failed: error.stack }),
      )
    }
  })
  send({ config: network.config })
}

type Word = { readonly config?: string; readonly told?: Told; readonly stopped?: true; readonly failed?: string }

/** The network as a process: this program, called with the name of it. */
export const forkNetwork = async (options: NetworkOptions): Promise<RunningNetwork> => {
  const child = fork(process.argv[1]!, ['network', JSON.stringify(options)])
  const [{ config }] = (await once(child, 'message')) as [Word]
  let onBlock: (told: Told) => void = () => {}
  child.on('message', ({ told }: Word) => told && onBlock(told))
  return {
    config: config!,
    pid: child.pid,
    start(callback) {
      onBlock = callback
      child.send('start')
    },
    async stop() {
      const answer = new Promise<Word>((resolve) => child.on('message', (word: Word) => word.told === undefined && resolve(word)))
      child.send('stop')
      const { failed } = await answer
      if (failed !== undefined) throw new Error(failed)
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
