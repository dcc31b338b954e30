import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, setClient } from '../../../server/base/call-client.ts'
import { systemClock } from '../../../server/base/clock.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../../server/cell/cell.ts'
import { createChain } from '../../../server/chain/chain.ts'
import { LiteServerError } from '../../../server/chain/liteserver.ts'
import { createLocalChain } from '../../../server/chain/local/create.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createChainThread } from '../../../server/chain/local/thread/serving-side.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { TonError } from '../../../shared/errors.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { type BuiltService, buildService } from '../../kit/service/process.ts'
import { until } from '../../kit/wait.ts'

const signal = new AbortController().signal
const idOf = (byte: number): AccountId => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })
const TON = 1_000_000_000n
/** ACCEPT and one ECRECOVER, which is left to the pool. */
const SLOW = beginCell().storeBytes(Buffer.from('f80071707171f912', 'hex')).end()

let service: BuiltService
let program: URL
let tvm: Tvm
const asked: string[] = []
const clients: (string | undefined)[] = []
const errors: string[] = []
const log = { debug: () => {}, warn: () => {}, error: (event: string) => void errors.push(event) }
const folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
const open = (dataDir?: string, from = program): Promise<LocalChain> => {
  const counting: Pick<Tvm, 'runGetMethod' | 'runTransactions'> = {
    runGetMethod: (...args) => {
      asked.push('get-method')
      clients.push(clientOf(args[1]))
      return tvm.runGetMethod(...args)
    },
    runTransactions: (...args) => {
      asked.push('transactions')
      return tvm.runTransactions(...args)
    },
  }
  return createChainThread({ dataDir, blockTimeMs: 0, globalId: -3 }, { tvm: counting, log, clock: systemClock }, from)
}

beforeAll(async () => {
  service = await buildService()
  program = pathToFileURL(join(service.folder, 'server/chain/local/thread/worker.js'))
  tvm = createTestTvm({ workers: 1 })
})
afterAll(async () => {
  await tvm.close()
  service.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('the embedded chain in its thread', () => {
  let local: LocalChain
  beforeAll(async () => {
    local = await open()
  })
  afterAll(() => local.close())

  it('the embedded chain in its thread has the head of a change as soon as the change is confirmed', async () => {
    const heads: number[] = []
    const following = new AbortController()
    const done = (async () => {
      for await (const { id } of local.heads(following.signal)) heads.push(id.seqno)
    })()
    const before = local.head!().id.seqno
    const block = await local.control.fund(idOf(1), 5n * TON, signal)
    expect(local.head!().id).toEqual(block)
    expect((await local.control.mine(3, signal)).seqno).toBe(block.seqno + 3)
    expect(local.head!().id.seqno).toBe(block.seqno + 3)
    await until(() => heads.at(-1) === block.seqno + 3)
    following.abort()
    await done
    expect(heads[0]).toBe(before)
  })

  it('the embedded chain in its thread takes cells in controls, and proves its answers', async () => {
    const data = beginCell().storeUint(7, 32).end()
    // SETCP 0, DROP, PUSHCTR c4: a get-method that gives the data.
    const code = beginCell().storeBytes(Buffer.from('ff0030ed44', 'hex')).end()
    await local.control.setAccount(idOf(2), { balance: TON, code, data }, signal)
    await local.control.sendInternal({ from: idOf(1), to: idOf(3), value: TON, body: data }, signal)
    await local.control.setConfig(new Map([[100, data]]), signal)
    const chain = await createChain({ source: local, tvm })
    expect((await chain.account(idOf(2), undefined, signal)).account?.state).toMatchObject({ type: 'active' })
    expect((await chain.account(idOf(3), undefined, signal)).account?.balance.grams).toBe(TON)
    const result = await chain.runGetMethod(idOf(2), 1, [], undefined, signal)
    expect(result.exitCode).toBe(0)
    chain.close()
  })

  it('the pool runs get-methods and long transactions for the embedded chain in its thread', async () => {
    await local.control.setAccount(idOf(4), { balance: 10n * TON, code: SLOW, data: EMPTY_CELL }, signal)
    asked.length = 0
    await local.control.sendInternal({ from: idOf(1), to: idOf(4), value: 5n * TON }, signal)
    expect(asked).toEqual(['transactions'])
    const id = local.head!().id
    const { exitCode } = await local.query(
      'runSmcMethod',
      { mode: 4, id, account: idOf(2), methodId: 1, params: new Uint8Array(0) },
      signal,
    )
    expect([exitCode, asked]).toEqual([0, ['transactions', 'get-method']])
  })

  it('the embedded chain in its thread tells the pool whose get-method it runs', async () => {
    clients.length = 0
    const run = (from: AbortSignal) =>
      local.query('runSmcMethod', { mode: 4, id: local.head!().id, account: idOf(2), methodId: 1, params: new Uint8Array(0) }, from)
    const call = new AbortController().signal
    setClient(call, 'the owner of a key')
    await run(call)
    await run(signal)
    expect(clients).toEqual(['the owner of a key', undefined])
  })

  it('the embedded chain in its thread refuses as it does without a thread', async () => {
    const unknown = { ...local.head!().id, rootHash: new Uint8Array(32) }
    const here = await createLocalChain({ blockTimeMs: 0, globalId: -3 }, { tvm, log, clock: systemClock })
    const refusal = async (chain: LocalChain): Promise<unknown> => {
      const error = await chain.query('getBlock', { id: unknown }, signal).catch((thrown: unknown) => thrown)
      return error instanceof LiteServerError ? [error.code, error.message.slice(0, 20)] : error
    }
    expect(await refusal(local)).toEqual(await refusal(here))
    await expect(local.control.revert('snapshot-99', signal)).rejects.toMatchObject({ name: 'TonError', kind: 'NOT_FOUND' })
    await expect(local.control.mine(0, signal)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    await expect(local.query('sendMessage', { body: Uint8Array.of(1, 2, 3) }, signal)).rejects.toBeInstanceOf(LiteServerError)
    await here.close()
  })

  it('the embedded chain in its thread makes blocks by itself unless that is switched off', async () => {
    local.control.setAutomine(false)
    const { seqno } = await local.control.mine(1, signal)
    local.control.setAutomine(true)
    expect((await local.control.mine(1, signal)).seqno).toBe(seqno + 1)
  })

  it('the embedded chain in its thread goes back to a snapshot with a new epoch', async () => {
    const snapshot = await local.control.snapshot(signal)
    const before = local.head!()
    await local.control.mine(2, signal)
    await local.control.revert(snapshot, signal)
    expect(local.head!()).toMatchObject({ id: before.id, epoch: before.epoch + 1 })
  })

  it('a call to the embedded chain in its thread ends with its signal', async () => {
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(local.query('getTime', {}, gone)).rejects.toThrow('gone')
  })
})

it('a chain in its thread keeps its blocks in a data directory, which one process holds', async () => {
  const dataDir = join(folder, 'kept')
  const first = await open(dataDir)
  const block = await first.control.fund(idOf(1), TON, signal)
  await expect(open(dataDir)).rejects.toThrow('in use by process')
  await first.close()
  const second = await open(dataDir)
  expect(second.head!().id).toEqual(block)
  await second.close()
})

it('if the thread of the chain dies, heads end, calls are refused and the directory is free', async () => {
  const dataDir = join(folder, 'dying')
  const dying = join(folder, 'dying.mjs')
  writeFileSync(dying, `await import(${JSON.stringify(program.href)})\nsetTimeout(() => process.exit(3), 1500)\n`)
  const local = await open(dataDir, pathToFileURL(dying))
  const ended = (async () => {
    for await (const _ of local.heads(signal)) {
      // Until they end.
    }
  })()
  await ended
  expect(errors).toContain('chain.thread_ended')
  const error = await local.query('getTime', {}, signal).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TonError)
  expect(error).toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
  await local.close()
  const again = await open(dataDir)
  expect(again.head!().id.seqno).toBeGreaterThan(0)
  await again.close()
})

it('a whole service runs with --chain-thread on', async () => {
  const { child, ready, ended } = service.start([
    '--chain-thread',
    'on',
    '--port',
    '0',
    '--index',
    'off',
    '--liteserver-port',
    'off',
    '--block-time',
    '0',
  ])
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
