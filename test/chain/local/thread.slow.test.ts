import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../../server/cell/cell.ts'
import { createChain } from '../../../server/chain/chain.ts'
import { createCollator } from '../../../server/chain/local/collator.ts'
import { createLocalChain } from '../../../server/chain/local/create.ts'
import { createGenesis } from '../../../server/chain/local/genesis.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { StepInput } from '../../../server/chain/local/model.ts'
import { openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { createWatch, givingSigns } from '../../../server/chain/local/thread/signs-of-life.ts'
import { createThreadCollator } from '../../../server/chain/local/thread/thread-collator.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { external, SLOW } from '../../kit/chain/small-contracts.ts'
import { createTestTvm, tellingPool } from '../../kit/chain/tvm.ts'
import { createRandom, type Random } from '../../kit/random.ts'
import { builtService } from '../../kit/service/process.ts'
import { sleep, until } from '../../kit/wait.ts'

/* Blocks that are made in a thread of their own. */

const signal = new AbortController().signal
const idOf = (byte: number): AccountId => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })
const TON = 1_000_000_000n
const UTIME = 1_800_000_000
/** ACCEPT. */
const ACCEPTING = beginCell().storeBytes(Buffer.from('f800', 'hex')).end()
/** SETCP 0, DROP, PUSHCTR c4: a get-method that gives the data. */
const GIVING = beginCell().storeBytes(Buffer.from('ff0030ed44', 'hex')).end()

let program: URL
let tvm: Tvm
/** Transactions that the pool was asked for. */
let asked = 0
const errors: string[] = []
const log = { debug: () => {}, warn: () => {}, error: (event: string) => void errors.push(event) }
const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
const open = (thread: URL | false, dataDir?: string): Promise<LocalChain> => {
  const counting = tellingPool(tvm, () => asked++)
  return createLocalChain({ dataDir, blockTimeMs: 0, globalId: -3, thread }, { tvm: counting, log, clock: { now: () => UTIME } })
}
/**
 * A program of the thread that ends in the middle of the next `attempts` requests of a kind, or does something else then. The number is kept in a file, which is
 * removed after the last of them.
 */
const dyingWhile = (file: string, attempts: number, request: 'step' | 'check' = 'step', how = 'process.exit(3)'): URL => {
  const path = `${file}.mjs`
  writeFileSync(
    path,
    `import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
await import(${JSON.stringify(program.href)})
// It comes after the listener of the program, so the request has begun.
parentPort.on('message', (messages) => {
  if (!messages.some(({ type, kind }) => type === 'ask' && kind === '${request}') || !existsSync(${JSON.stringify(file)})) return
  const left = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) - 1
  if (left === 0) rmSync(${JSON.stringify(file)})
  else writeFileSync(${JSON.stringify(file)}, String(left))
  ${how}
})
`,
  )
  writeFileSync(file, String(attempts))
  return pathToFileURL(path)
}
const sendAll = (chain: LocalChain, to: AccountId, from: number, count: number): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, n) => chain.query('sendMessage', { body: external(to, from + n) }, signal)))

beforeAll(async () => {
  program = pathToFileURL(join(builtService.folder, 'server/chain/local/thread/worker.js'))
  tvm = createTestTvm({ workers: 1 })
})
afterAll(async () => {
  await tvm.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All that a chain can be told; resolves with its heads. */
const work = async (chain: LocalChain): Promise<unknown[]> => {
  const { control } = chain
  const heads: unknown[] = []
  const note = (): void => void heads.push(chain.head!())
  const data = beginCell().storeUint(7, 32).end()
  note()
  await control.fund(idOf(1), 50n * TON, signal)
  note()
  await control.setAccount(idOf(2), { balance: TON, code: GIVING, data }, signal)
  await control.setAccount(idOf(4), { balance: 10n * TON, code: SLOW, data: EMPTY_CELL }, signal)
  await control.setAccount(idOf(5), { balance: 10n * TON, code: ACCEPTING, data: EMPTY_CELL }, signal)
  await control.sendInternal({ from: idOf(1), to: idOf(3), value: TON, body: data }, signal)
  await control.sendInternal({ from: idOf(1), to: idOf(4), value: 5n * TON }, signal)
  await control.setConfig(new Map([[100, data]]), signal)
  note()
  await control.mine(3, signal)
  control.setAutomine(false)
  for (let n = 0; n < 40; n++) await chain.query('sendMessage', { body: external(idOf(5), n) }, signal)
  await control.mine(1, signal)
  control.setAutomine(true)
  note()
  const snapshot = await control.snapshot(signal)
  await control.impersonate({ from: idOf(5), to: idOf(6), value: TON, mode: 1 }, signal)
  // A message from one workchain to the other waits in a queue for the next block.
  await control.impersonate({ from: idOf(5), to: { workchain: -1, hash: idOf(9).hash }, value: TON, mode: 1 }, signal)
  await control.settled(signal)
  note()
  await control.revert(snapshot, signal)
  await control.increaseTime(100, signal)
  await control.fund(idOf(7), TON, signal)
  note()
  return heads
}

/** A control with few different arguments, so that reverts lead to states that were there before. An older snapshot may be gone. */
const anyControl = (random: Random, snapshots: readonly string[]): ((chain: LocalChain) => Promise<unknown>) => {
  const account = (): AccountId => {
    const n = random.below(9)
    return { workchain: n % 3 === 2 ? -1 : 0, hash: idOf(n).hash }
  }
  const [one, other, n] = [account(), account(), random.below(3)]
  const state = { balance: 10n * TON, code: random.pick([ACCEPTING, SLOW]), data: EMPTY_CELL }
  const config = new Map([[100, beginCell().storeUint(n, 32).end()]])
  const snapshot = snapshots.length === 0 ? 'snapshot-1' : random.pick(snapshots)
  return random.pick<(chain: LocalChain) => Promise<unknown>>([
    ({ control }) => control.fund(one, 10n * TON, signal),
    ({ control }) => control.setConfig(config, signal),
    ({ control }) => control.setAccount(one, state, signal),
    ({ control }) => control.mine(1 + n, signal),
    ({ control }) => control.snapshot(signal),
    ({ control }) => control.revert(snapshot, signal),
    ({ control }) => control.revert(snapshot, signal),
    ({ control }) => control.revert(snapshot, signal),
    ({ control }) => control.impersonate({ from: one, to: other, value: TON, mode: 1 }, signal),
    ({ control }) => control.increaseTime(n, signal),
    ({ control }) => control.sendInternal({ from: one, to: other, value: TON }, signal),
    (chain) => chain.query('sendMessage', { body: external(one, n) }, signal),
  ])
}

describe('blocks that are made in a thread', () => {
  it('blocks of the thread are those that the serving thread would have made, with every control', async () => {
    const threaded = await open(program)
    const plain = await open(false)
    asked = 0
    expect(await work(threaded)).toEqual(await work(plain))
    // The long transaction of the plain chain.
    expect(asked).toBe(1)
    expect(await threaded.control.exportState(signal)).toEqual(await plain.control.exportState(signal))
    const chain = createChain({ source: threaded, tvm })
    expect((await chain.account(idOf(3), undefined, signal)).account?.balance.grams).toBe(TON)
    expect((await chain.runGetMethod(idOf(2), 1, [], undefined, signal)).exitCode).toBe(0)
    await threaded.close()
    await plain.close()
  })

  it('messages are accepted while the thread makes a block, and everything is there after a restart', async () => {
    const dataDir = join(folder, 'kept')
    const first = await open(program, dataDir)
    await first.control.setAccount(idOf(5), { balance: 10n * TON, code: ACCEPTING, data: EMPTY_CELL }, signal)
    for (let n = 0; n < 200; n += 20) {
      const funded = first.control.fund(idOf(100 + n / 20), TON, signal)
      await sendAll(first, idOf(5), n, 20)
      await funded
    }
    await first.control.settled(signal)
    const head = first.head!().id
    const state = await first.control.exportState(signal)
    await first.close()
    const second = await open(false, dataDir)
    expect(second.head!().id).toEqual(head)
    expect(await second.control.exportState(signal)).toEqual(state)
    const chain = createChain({ source: second, tvm })
    const history = await chain.account(idOf(5), undefined, signal)
    expect(history.account?.lastTransLt).toBeGreaterThan(0n)
    for (let n = 0; n < 10; n++) expect((await chain.account(idOf(100 + n), undefined, signal)).account?.balance.grams).toBe(TON)
    await second.close()
  })

  it('a block that has a state of an undone block is right, and so are those after it', async () => {
    const blocks = async (thread: URL | false, dataDir: string): Promise<unknown[]> => {
      const chain = await open(thread, dataDir)
      const made: unknown[] = []
      const snapshot = await chain.control.snapshot(signal)
      for (const n of [1, 2, 3]) {
        await chain.control.revert(snapshot, signal)
        // The masterchain differs, and workchain 0 has the same state each time.
        await chain.control.setConfig(new Map([[100, beginCell().storeUint(n, 32).end()]]), signal)
        await chain.control.fund(idOf(1), TON, signal)
        await chain.control.fund(idOf(2), TON, signal)
        made.push(chain.head!())
      }
      await chain.close()
      const again = await open(false, dataDir)
      made.push(await again.control.exportState(signal))
      await again.close()
      return made
    }
    expect(await blocks(program, join(folder, 'undone'))).toEqual(await blocks(false, join(folder, 'undone-plain')))
  })

  it('blocks of the thread are those of the serving thread, whatever the controls do in whatever order', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const chains = [await open(program), await open(false)]
      const random = createRandom(seed)
      let snapshots: string[] = []
      for (let i = 0; i < 60; i++) {
        const act = anyControl(random, snapshots)
        const outcomes = []
        for (const chain of chains) {
          const outcome = await act(chain).catch(String)
          await chain.control.settled(signal)
          outcomes.push([outcome, chain.head!()])
        }
        const [threaded, plain] = outcomes
        expect(threaded, `seed ${seed}, control ${i}`).toEqual(plain)
        const [outcome] = plain!
        if (typeof outcome === 'string' && outcome.startsWith('snapshot-')) snapshots = [...new Set([...snapshots, outcome])]
      }
      const [threaded, plain] = chains
      expect(await threaded!.control.exportState(signal), `seed ${seed}`).toEqual(await plain!.control.exportState(signal))
      for (const chain of chains) await chain.close()
    }
  })

  it('messages to contracts that need curves are accepted while these are being loaded', async () => {
    const chain = await open(program)
    await chain.control.setAccount(idOf(4), { balance: 10n * TON, code: SLOW, data: EMPTY_CELL }, signal)
    await sendAll(chain, idOf(4), 0, 5)
    await chain.close()
  })

  it('a message that the account does not accept is refused as without the thread', async () => {
    const refusal = async (thread: URL | false): Promise<unknown> => {
      const chain = await open(thread)
      await chain.control.fund(idOf(1), TON, signal)
      const error = await chain.query('sendMessage', { body: external(idOf(1), 1) }, signal).catch((thrown: unknown) => thrown)
      const bad = await chain.control
        .sendInternal({ from: idOf(1), to: idOf(1), value: 1n << 130n }, signal)
        .catch((thrown: unknown) => thrown)
      await chain.close()
      return [error, bad].map((each) => ({ ...(each as Error), text: String(each) }))
    }
    expect(await refusal(program)).toEqual(await refusal(false))
  })

  it('a step in the thread ends with the chain', async () => {
    const chain = await open(program)
    const funded = chain.control.fund(idOf(1), TON, signal).then(
      () => 'funded',
      () => 'refused',
    )
    await chain.close()
    expect(['funded', 'refused']).toContain(await funded)
    await expect(chain.control.fund(idOf(1), TON, signal)).rejects.toThrow('the chain is closed')
  })
})

describe('a thread that is lost', () => {
  it('a block whose thread dies is made by the next thread', async () => {
    const chain = await open(dyingWhile(join(folder, 'once'), 1))
    errors.length = 0
    const { seqno } = chain.head!().id
    expect((await chain.control.fund(idOf(1), TON, signal)).seqno).toBe(seqno + 1)
    expect(errors).toEqual(['chain.thread_lost'])
    await chain.close()
  })

  it('a thread that dies with many requests is logged once, and all of them are answered', async () => {
    const file = join(folder, 'many')
    const chain = await open(dyingWhile(file, 1, 'check'))
    await chain.control.setAccount(idOf(5), { balance: 10n * TON, code: ACCEPTING, data: EMPTY_CELL }, signal)
    errors.length = 0
    await sendAll(chain, idOf(5), 0, 20)
    expect(errors).toEqual(['chain.thread_lost'])
    await chain.close()
  })

  it('a message on which the thread dies again and again waits, and is in a block when the thread lives', async () => {
    const file = join(folder, 'often')
    const chain = await open(dyingWhile(file, 5))
    rmSync(file)
    await chain.control.setAccount(idOf(5), { balance: TON, code: ACCEPTING, data: EMPTY_CELL }, signal)
    const { seqno } = chain.head!().id
    writeFileSync(file, '5')
    errors.length = 0
    await chain.query('sendMessage', { body: external(idOf(5), 1) }, signal)
    await until(() => chain.head!().id.seqno > seqno)
    expect(errors.filter((event) => event === 'chain.thread_lost')).toHaveLength(5)
    expect(existsSync(file)).toBe(false)
    await chain.close()
  })

  it('without a thread, calls that need one say why; reads and idle blocks go on', async () => {
    const broken = join(folder, 'broken.mjs')
    writeFileSync(broken, "throw new Error('there is no room')\n")
    const chain = await open(pathToFileURL(broken))
    const { seqno } = await chain.control.mine(2, signal)
    const message = 'the thread that makes blocks fails: there is no room'
    await expect(chain.control.fund(idOf(1), TON, signal)).rejects.toMatchObject({ kind: 'UNAVAILABLE', message })
    await expect(chain.query('sendMessage', { body: external(idOf(1), 1) }, signal)).rejects.toThrow(message)
    expect((await chain.control.mine(1, signal)).seqno).toBe(seqno + 1)
    expect((await chain.query('getMasterchainInfo', {}, signal)).last.seqno).toBe(seqno + 1)
    await chain.close()
  })

  it('a thread that stands still is ended, and what it was asked for is refused; the next step is made', async () => {
    const own = { validatorSeed: new Uint8Array(32).fill(3), globalId: -3 }
    const paths = { log: join(folder, 'still.log'), index: join(folder, 'still.idx') }
    const genesis = createGenesis({ ...own, utime: UTIME, accounts: [] })
    const store = await openChainStore(paths, async () => ({ genesis, text: '{}' }))
    const collator = createThreadCollator({
      here: createCollator(own),
      data: { ...own, log: paths.log },
      fetched: undefined,
      log,
      program: dyingWhile(join(folder, 'still'), 1, 'step', 'for (;;);'),
      silence: 2,
    })
    const input: StepInput = {
      utime: UTIME,
      externals: [],
      internals: [{ from: idOf(1), to: idOf(2), value: TON }],
      accounts: [],
      config: new Map(),
    }
    errors.length = 0
    const message = 'the thread that makes blocks fails: it gave no sign of life for 2 s, and was ended'
    await expect(collator.step(store.tip(), input, signal)).rejects.toMatchObject({ kind: 'UNAVAILABLE', message })
    expect(errors).toEqual(['chain.thread_lost'])
    expect(store.appendStep(await collator.step(store.tip(), input, signal), []).shard.id.seqno).toBe(1)
    await collator.close()
    store.close()
  })

  it('a thread that works long in pieces gives signs, and one that has no work need not', async () => {
    const silences: string[] = []
    const watch = createWatch(2, ({ message }) => silences.push(message))
    const working = givingSigns(watch.sign)
    watch.start()
    await working(() => sleep(4500))
    watch.stop()
    await sleep(2500)
    expect(silences).toEqual([])
    watch.start()
    await until(() => silences.length > 0)
    expect(silences).toEqual(['it gave no sign of life for 2 s, and was ended'])
  })

  it('where no thread can be started at all, calls that need one say so', async () => {
    const chain = await open(new URL('http://127.0.0.1/no-program.js'))
    const fund = chain.control.fund(idOf(1), TON, signal)
    await expect(fund).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
      message: expect.stringMatching(/^the thread that makes blocks cannot be started: ./),
    })
    expect((await chain.control.mine(1, signal)).seqno).toBe(chain.head!().id.seqno)
    await chain.close()
  })
})

it('a service makes its blocks in a thread by default', async () => {
  const { child, ready, ended } = builtService.start(['--port', '0', '--index', 'off', '--liteserver-port', 'off', '--block-time', '0'])
  const url = await ready
  const ask = async (method: string, params: object): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(`${url}/jsonRPC`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await answer.json()) as { result: unknown }).result
  }
  const address = `0:${'11'.repeat(32)}`
  await ask('local.fund', { address, amount: '5000000000' })
  expect(await ask('getAddressBalance', { address })).toBe('5000000000')
  const snapshot = await ask('local.snapshot', {})
  await ask('local.fund', { address, amount: '1' })
  await ask('local.revert', snapshot as object)
  expect(await ask('getAddressBalance', { address })).toBe('5000000000')
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})
