import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Address } from '@ton/core'
import { mnemonicNew, mnemonicToPrivateKey } from '@ton/crypto'
import { startTonway } from '../../server/start/start.ts'
import { installInto, packProject, startByNpx } from '../package/pack.ts'
import type { Bench } from './bench.ts'

const run = promisify(execFile)

/** The built module, seen from dist/test and its chunks. */
const MODULE = fileURLToPath(new URL('../server/start/tonway.js', new URL(import.meta.url.replace('/chunks/', '/'))))

const IMPORT = `const began = performance.now()
const { startTonway } = await import(${JSON.stringify(MODULE)})
const imported = performance.now()`

/** A first process: it fills the caches of the disk, and keeps what V8 compiles (server/base/files/compiled.ts). */
const FIRST = `${IMPORT}
const tonway = await startTonway({ port: 'off' })
await tonway.client.getMasterchainInfo()
await tonway.close()`

/** Milliseconds that a script of a new process prints: the median of some runs. */
const printed = async (script: string, runs = 7): Promise<number> => {
  const inProcess = (text: string) => run(process.execPath, ['--input-type=module', '-e', text])
  await inProcess(FIRST)
  await inProcess(script)
  const times: number[] = []
  for (let i = 0; i < runs; i++) times.push(Number((await inProcess(script)).stdout))
  return times.sort((a, b) => a - b)[runs >> 1]!
}

const figure = (name: string, atMost: number, script: string): Bench => ({
  name,
  target: { atMost, unit: 'ms' },
  async measure() {
    const ours = await printed(script)
    return { ours, yardstick: atMost, ratio: ours, unit: 'ms' }
  },
})

const TESTS = 1000
const FRIEND = `0:${'77'.repeat(32)}`
const VALUE = '1500000000'

/** Throws unless the transfer has arrived once, with or without the fee that its sender may pay of it. */
const arrived = (balance: bigint): void => {
  if (balance < 1_490_000_000n || balance > 1_500_000_000n) throw new Error(`the coins have not arrived: ${balance} nanograms`)
}

/** Tests of one transfer each over a tonway in memory, as `useTonway` runs them: mark, send, look, go back. Like the sandbox's treasury, the sender signs nothing. */
const ourTests = async () => {
  const tonway = await startTonway({ port: 'off' })
  const { client, wallets } = tonway
  const from = wallets[0]!.address
  const test = async (): Promise<void> => {
    const { snapshot } = await client.local.snapshot()
    await client.local.impersonate({ from, to: FRIEND, amount: VALUE, bounce: false })
    arrived(BigInt(await client.getAddressBalance({ address: FRIEND })))
    await client.local.revert({ snapshot })
  }
  return { test, close: tonway.close }
}

/** The same tests over the sandbox. */
const sandboxTests = async () => {
  const { Blockchain } = await import('@ton/sandbox')
  const chain = await Blockchain.create()
  const treasury = await chain.treasury('sender')
  const to = Address.parseRaw(FRIEND)
  const test = async (): Promise<void> => {
    const mark = chain.snapshot()
    await treasury.send({ to, value: BigInt(VALUE), bounce: false })
    arrived((await chain.getContract(to)).balance)
    await chain.loadFrom(mark)
  }
  return { test, close: async () => {} }
}

const ACCOUNTS = 10_000

/** Median milliseconds of a snapshot and of a revert over one transfer, on a chain with many accounts and the index. */
const marks = async (): Promise<{ readonly snapshot: number; readonly revert: number }> => {
  const accounts = Array.from({ length: ACCOUNTS }, (_, i) => ({
    address: `0:${(i + 1).toString(16).padStart(64, '0')}`,
    balance: '1000000000',
  }))
  const tonway = await startTonway({ port: 'off', index: true, genesis: { accounts } })
  const { local } = tonway.client
  const times: { snapshot: number[]; revert: number[] } = { snapshot: [], revert: [] }
  for (let i = 0; i < 25; i++) {
    // Without a change since the last snapshot, a snapshot is the last one again.
    await local.fund({ address: FRIEND, amount: '7' })
    await tonway.indexed()
    const began = performance.now()
    const mark = await local.snapshot()
    const marked = performance.now()
    await local.fund({ address: FRIEND, amount: '5' })
    await tonway.indexed()
    const changed = performance.now()
    await local.revert(mark)
    // The first ones are of functions that V8 has not compiled yet.
    if (i < 5) continue
    times.snapshot.push(marked - began)
    times.revert.push(performance.now() - changed)
  }
  await tonway.close()
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!
  return { snapshot: median(times.snapshot), revert: median(times.revert) }
}

const markFigure = (what: 'snapshot' | 'revert', atMost: number): Bench => ({
  name: `${what} of a chain with ${ACCOUNTS} accounts and an index`,
  target: { atMost, unit: 'ms' },
  async measure() {
    const { [what]: ours } = await marks()
    return { ours, yardstick: atMost, ratio: ours, unit: 'ms' }
  },
})

const MNEMONICS = 10

/** A chain with the wallets of ten new mnemonics is made; beside it the keys one after another, as a loop with @ton/crypto makes them, and a chain without mnemonics. */
const mnemonicsBench: Bench = {
  name: `a genesis with ${MNEMONICS} mnemonics, beside their keys one after another and a genesis without`,
  target: { atLeast: Math.min(2, availableParallelism()) * 0.7 },
  basis: 'wall',
  async setup() {
    let own: string[][] = []
    const start = async (mnemonics: readonly string[][]): Promise<void> => {
      const accounts = mnemonics.map((mnemonic) => ({ mnemonic }))
      const tonway = await startTonway({ port: 'off', ...(accounts.length > 0 && { genesis: { accounts } }) })
      await tonway.close()
    }
    return {
      async ready() {
        own = await Promise.all(Array.from({ length: MNEMONICS }, () => mnemonicNew()))
      },
      ours: () => start(own),
      async yardstick() {
        for (const mnemonic of own) await mnemonicToPrivateKey(mnemonic)
        await start([])
      },
    }
  },
}

/** `npx tonway` with default settings in a folder where it is installed. It listens before the index is ready. */
const npxBench: Bench = {
  name: 'npx tonway, once installed, until it listens',
  target: { atMost: 3000, unit: 'ms' },
  async measure() {
    const packed = await packProject(true)
    const folder = await mkdtemp(join(tmpdir(), 'tonway-bench-npx-'))
    try {
      await installInto(folder, [packed.file])
      const times: number[] = []
      for (let i = 0; i < 5; i++) {
        const began = performance.now()
        const { end } = await startByNpx(folder, [])
        times.push(performance.now() - began)
        await end()
      }
      const ours = times.sort((a, b) => a - b)[times.length >> 1]!
      return { ours, yardstick: 3000, ratio: ours, unit: 'ms' }
    } finally {
      await rm(folder, { recursive: true, force: true })
      await packed.remove()
    }
  },
}

export const benches: readonly Bench[] = [
  npxBench,
  figure("import 'tonway'", 300, `${IMPORT}\nconsole.log(imported - began)\nprocess.exit()`),
  figure(
    'startTonway() to the first answer, in process, without an index',
    400,
    `${IMPORT}
const tonway = await startTonway({ port: 'off' })
await tonway.client.getMasterchainInfo()
console.log(performance.now() - imported)
await tonway.close()`,
  ),
  figure(
    'startTonway() to the first answer of v3, with an index in an embedded PostgreSQL',
    1500,
    `${IMPORT}
const tonway = await startTonway({ port: 'off', index: true })
await tonway.indexed()
console.log(performance.now() - imported)
await tonway.close()`,
  ),
  figure(
    'startTonway() to the first answer, in a thread of its own',
    400,
    `${IMPORT}
const tonway = await startTonway({ port: 'off', thread: true })
await tonway.client.getMasterchainInfo()
console.log(performance.now() - imported)
await tonway.close()`,
  ),
  markFigure('snapshot', 20),
  markFigure('revert', 50),
  mnemonicsBench,
  {
    name: `${TESTS} tests of one transfer, with a snapshot between, beside @ton/sandbox`,
    target: { atLeast: 1 },
    basis: 'wall',
    async measure() {
      const times: number[] = []
      for (const open of [ourTests, sandboxTests]) {
        const { test, close } = await open()
        for (let i = 0; i < 50; i++) await test()
        const began = performance.now()
        for (let i = 0; i < TESTS; i++) await test()
        times.push(performance.now() - began)
        await close()
      }
      const [ours, yardstick] = times as [number, number]
      return { ours, yardstick, ratio: yardstick / ours, unit: 'ms' }
    },
  },
]
