import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { KeptAccount } from '../../server/chain/account-states.ts'
import type { BlockConfig } from '../../server/chain/configs.ts'
import { createGetMethods } from '../../server/chain/get-methods.ts'
import { NO_CURRENCY } from '../../server/tlb/currency.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import { createInline } from '../../server/tvm/inline.ts'
import { walletV4 } from '../kit/chain/contracts.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { idOf, ownCell } from '../kit/tvm/cells.ts'

/* Which accounts are prepared for get-methods that run at once. */

const SEQNO = 85143
const { signal } = new AbortController()
const id = idOf(walletV4.address)

/** Block ids as a source gives them: a new object each time. */
const block = (seqno: number): BlockId => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno,
  rootHash: Buffer.alloc(32, seqno),
  fileHash: Buffer.alloc(32, seqno),
})

const accountAt = (at: BlockId): KeptAccount => ({
  state: {
    id,
    block: at,
    shardBlock: at,
    genUtime: 1_760_000_000,
    genLt: 1n,
    account: undefined,
    lastTransLt: 1n,
    lastTransHash: Buffer.alloc(32),
    balance: NO_CURRENCY,
    status: 'active',
    accountCell: EMPTY_CELL,
  },
  runnable: () => ({ code: ownCell(walletV4.init.code!), data: ownCell(walletV4.init.data!), library: undefined }),
  bytes: 1,
})

/** Get-methods of one account over a chain whose newest block is `newest`. All accounts and configurations are kept. */
const createChain = () => {
  const chain = { newest: 2 }
  const accounts = new Map<number, KeptAccount>()
  const known = (at: BlockId): KeptAccount => {
    const kept = accounts.get(at.seqno) ?? accountAt(at)
    accounts.set(at.seqno, kept)
    return kept
  }
  const root = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))
  const config: BlockConfig = {
    root,
    param: () => undefined,
    tvm: () => makeTvmConfig(root),
    prevBlocks: () => Promise.resolve(undefined),
  }
  // The clock stands still, so that no run is too slow to be run here.
  const inline = createInline(() => 0)
  const { run, runHere } = createGetMethods({
    tvm: {
      runGetMethod: async (request, stop) => (await inline.run(request, stop))!,
      runHere: inline.runAtOnce,
    },
    head: () => ({ id: block(chain.newest), utime: 1_760_000_000, epoch: 0 }),
    pin: (at) => Promise.resolve(typeof at === 'object' ? at : block(at ?? chain.newest)),
    accounts: { at: (_id, at) => Promise.resolve(known(at)), known: (_id, at) => accounts.get(at.seqno) },
    configAt: () => Promise.resolve(config),
    librariesAt: () => () => Promise.resolve([]),
  })
  return {
    chain,
    run: async (seqno: number) => (await run(id, SEQNO, [], block(seqno), signal)).exitCode,
    runHere: (seqno: number) => runHere(id, SEQNO, [], block(seqno), signal)?.exitCode,
  }
}

describe('get-methods that run at once', () => {
  it('a get-method runs at once where one of its account was run at the newest block', async () => {
    const { run, runHere } = createChain()
    expect(runHere(2)).toBeUndefined()
    expect(await run(2)).toBe(0)
    expect(runHere(2)).toBe(0)
  })

  it('accounts at old blocks are not prepared, because each would hold the configuration of its block', async () => {
    const { run, runHere } = createChain()
    expect([await run(2), await run(1)]).toEqual([0, 0])
    expect([runHere(2), runHere(1)]).toEqual([0, undefined])
  })

  it('accounts that were prepared at the newest block are let go when a newer one has some', async () => {
    const { chain, run, runHere } = createChain()
    expect(await run(2)).toBe(0)
    chain.newest = 3
    expect([await run(3), await run(2)]).toEqual([0, 0])
    expect([runHere(3), runHere(2)]).toEqual([0, undefined])
  })
})
