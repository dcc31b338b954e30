import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { forkOf } from '../../kit/chain/fork-settings.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { messageTo, RELAY } from '../../kit/chain/small-contracts.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { createRandom, seed } from '../../kit/random.ts'
import { builtService } from '../../kit/service/process.ts'
import { type Service, startService } from '../../kit/service/service.ts'
import { sleep, until } from '../../kit/wait.ts'

/* Accounts that blocks of a fork need and that nobody has read before; a fork that is killed. */

const random = createRandom(seed)
const signal = new AbortController().signal
const TON = 1_000_000_000n
const idOf = (byte: number): AccountId => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })
/** Data with which RELAY passes on the value of the message that it gets. */
const relaying = (to: AccountId): Cell => beginCell().storeUint(64, 8).storeRef(messageTo(to)).end()

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-fork-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the chain of a fork', () => {
  let tvm: Tvm
  let remote: LocalChain
  /** Accounts that were fetched of the other network, by their first byte. */
  const fetched: number[] = []
  beforeAll(async () => {
    tvm = createTestTvm({ workers: 1 })
    const accounts = [
      { account: idOf(0x33), balance: 10n * TON, code: RELAY, data: relaying(idOf(0x44)) },
      { account: idOf(0x44), balance: 10n * TON },
      { account: idOf(0x55), balance: 10n * TON },
    ]
    remote = await createTestChain(tvm, { accounts, globalId: -7 })
  })
  afterAll(async () => {
    await remote?.close()
    await tvm?.close()
  })

  const openFork = async (): Promise<{ readonly local: LocalChain; readonly chain: Chain }> => {
    const source: LiteServer = {
      ...remote,
      query: (fn, args, stop) => {
        if (fn === 'getAccountState') fetched.push((args as { account: AccountId }).account.hash[0]!)
        return remote.query(fn, args, stop)
      },
    }
    const local = await createTestChain(tvm, { fork: forkOf(() => source, tvm) })
    return { local, chain: createChain({ source: local, tvm }) }
  }
  it('an account that turns out to be lacking in the middle of a block is fetched, and the block made', async () => {
    const { local, chain } = await openFork()
    // Both ends of the input are known; that the relay sends on is found out by running it.
    await chain.account(idOf(0x33), undefined, signal)
    fetched.length = 0
    await local.control.sendInternal({ from: idOf(0x33), to: idOf(0x33), value: 2n * TON, bounce: false }, signal)
    expect(fetched).toEqual([0x44])
    const { account } = await chain.account(idOf(0x44), undefined, signal)
    expect(account!.balance.grams).toBeGreaterThan(11n * TON)
    // What was fetched is known to the next blocks.
    await local.control.fund(idOf(0x44), TON, signal)
    expect(fetched).toEqual([0x44])
    await local.close()
  })

  it('a receiver that waits in a queue is fetched before the block is kept', async () => {
    const { local, chain } = await openFork()
    const relay: AccountId = { workchain: -1, hash: idOf(0x66).hash }
    await local.control.setAccount(relay, { balance: 10n * TON, code: RELAY, data: relaying(idOf(0x55)) }, signal)
    fetched.length = 0
    // The masterchain's block only puts the relay's message into the queue.
    await local.control.sendInternal({ from: relay, to: relay, value: 2n * TON, bounce: false }, signal)
    expect(fetched).toEqual([0x55])
    await local.control.idleOrBusyTooLong(signal)
    expect((await chain.account(idOf(0x55), undefined, signal)).account!.balance.grams).toBeGreaterThan(11n * TON)
    await local.close()
  })
})

describe('the service as a fork', () => {
  let remote: Service
  const addressOf = (n: number): string => `0:${n.toString(16).padStart(64, 'a')}`
  beforeAll(async () => {
    remote = await startService({ liteserverPort: 0, globalId: -11 })
  })
  const children: ChildProcess[] = []
  afterAll(async () => {
    // Those of a test that failed.
    for (const child of children) child.kill('SIGKILL')
    await remote?.close()
  })

  type Call = (method: string, params: object) => Promise<unknown>
  const start = async (argv: readonly string[]) => {
    const { child, ready, ended } = builtService.start([
      '--port',
      '0',
      '--index',
      'off',
      '--liteserver-port',
      'off',
      '--block-time',
      '0',
      ...argv,
    ])
    children.push(child)
    const url = await ready
    const call: Call = async (method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = await fetch(`${url}/jsonRPC`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
      if (error !== undefined) throw new Error(error.message)
      return result
    }
    const end = async (by: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      child.kill(by)
      await ended
    }
    return { call, end }
  }
  const theFork = ({ url }: Service = remote): readonly string[] => ['--fork', `${url}/global.config.json`]

  it('a fork that is killed again and again keeps what it told, and goes on without the other network', { timeout: 120_000 }, async () => {
    const dataDir = join(folder, 'killed')
    const other = await startService({ liteserverPort: 0, globalId: -11 })
    await Promise.all(Array.from({ length: 100 }, (_, n) => other.call('local.fund', { address: addressOf(n), amount: `${10n * TON}` })))
    /** Accounts that were funded, by what the service said. */
    const told: number[] = []
    let next = 0
    const balanceOf = async (call: Call, n: number): Promise<bigint> =>
      BigInt((await call('getAddressBalance', { address: addressOf(n) })) as string)
    const checkTold = async ({ call }: Awaited<ReturnType<typeof start>>): Promise<void> => {
      for (const n of told) expect(await balanceOf(call, n), `account ${n}`).toBeGreaterThan(10n * TON + TON / 2n)
    }
    for (let round = 0; round < 4; round++) {
      const fork = await start([...theFork(other), '--data-dir', dataDir])
      await checkTold(fork)
      let isKilled = false
      // Each block has an account that was not known before.
      const funding = (async () => {
        for (;;) {
          const n = next++
          await fork.call('local.fund', { address: addressOf(n), amount: `${TON}` })
          told.push(n)
        }
      })().catch((error: unknown) => {
        if (!isKilled) throw error
      })
      const enough = told.length + 5
      await until(() => told.length >= enough)
      await sleep(random.below(50))
      isKilled = true
      await fork.end('SIGKILL')
      await funding
    }
    await other.close()
    const alone = await start(['--data-dir', dataDir])
    await checkTold(alone)
    await alone.call('local.fund', { address: addressOf(0), amount: `${TON}` })
    expect(await balanceOf(alone.call, 0)).toBeGreaterThan(11n * TON + TON / 2n)
    await expect(alone.call('getAddressBalance', { address: addressOf(99) })).rejects.toThrow('this chain was started without --fork')
    await alone.end('SIGTERM')
  })
})
