import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import type { ProvenState } from '../../server/chain/account-states.ts'
import type { BlockConfig } from '../../server/chain/configs.ts'
import { createGetMethods } from '../../server/chain/get-methods.ts'
import { NO_CURRENCY } from '../../server/tlb/currency.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
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

const accountAt = (at: BlockId, code: Cell): ProvenState => ({
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
  runnable: () => ({ code, data: ownCell(walletV4.init.data!), library: undefined }),
  bytes: 1,
})

/** PUSHNULL, INC: a type check error, as reading PREVBLOCKSINFO is where it is absent. */
const FAILING = beginCell().storeBytes(Buffer.from('6da4', 'hex')).end()

/** Get-methods of one account over a chain whose newest block is `newest`. All accounts and configurations are kept. */
const createChain = (code = ownCell(walletV4.init.code!)) => {
  const chain = { newest: 9, runs: 0 }
  const accounts = new Map<number, ProvenState>()
  const known = (at: BlockId): ProvenState => {
    const kept = accounts.get(at.seqno) ?? accountAt(at, code)
    accounts.set(at.seqno, kept)
    return kept
  }
  const root = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))
  const config: BlockConfig = {
    root,
    configAddress: new Uint8Array(32),
    globalBalance: 0n,
    param: () => undefined,
    prevBlocks: () => Promise.resolve(undefined),
  }
  // The clock stands still, so that no run is too slow to be run here.
  const inline = createInline(() => 0)
  const { run, runHere } = createGetMethods({
    tvm: {
      async runGetMethod(request, stop) {
        chain.runs++
        return (await inline.run(request, stop))!
      },
      runHere(request) {
        chain.runs++
        return inline.runHere(request)
      },
    },
    head: () => ({ id: block(chain.newest), utime: 1_760_000_000, epoch: 0 }),
    pin: (at) => Promise.resolve(typeof at === 'object' ? at : block(at ?? chain.newest)),
    accounts: { at: (_id, at) => Promise.resolve(known(at)), cached: (_id, at) => accounts.get(at.seqno) },
    configAt: () => Promise.resolve(config),
    librariesAt: () => () => Promise.resolve([]),
  })
  return {
    chain,
    run: async (seqno: number) => (await run(id, SEQNO, [], block(seqno), signal)).exitCode,
    runHere(seqno: number) {
      const ran = runHere(id, SEQNO, [], block(seqno), signal)
      return ran instanceof Promise ? ran.then(({ exitCode }) => exitCode) : ran?.exitCode
    },
  }
}

describe('get-methods that run at once', () => {
  it('a get-method runs at once where one of its account was run at the newest block', async () => {
    const { run, runHere } = createChain()
    expect(runHere(9)).toBeUndefined()
    expect(await run(9)).toBe(0)
    expect(runHere(9)).toBe(0)
  })

  it('accounts at old blocks are not prepared, because each would hold the configuration of its block', async () => {
    const { run, runHere } = createChain()
    expect([await run(9), await run(1)]).toEqual([0, 0])
    expect([runHere(9), runHere(1)]).toEqual([0, undefined])
  })

  it('accounts stay prepared until get-methods were run at four newer heads', async () => {
    const { chain, run, runHere } = createChain()
    for (chain.newest = 9; chain.newest < 13; chain.newest++) {
      expect(await run(chain.newest)).toBe(0)
      expect(runHere(9)).toBe(0)
    }
    expect(await run(13)).toBe(0)
    expect([9, 10, 11, 12, 13].map(runHere)).toEqual([undefined, 0, 0, 0, 0])
    // It was a head, and it is none of the last four.
    expect([await run(9), runHere(9)]).toEqual([0, undefined])
  })

  it('a get-method that may lack previous blocks is repeated with them once, and no more', async () => {
    const { chain, run, runHere } = createChain(FAILING)
    expect([await run(9), chain.runs]).toEqual([7, 2])
    expect([await runHere(9), chain.runs]).toEqual([7, 4])
  })
})
