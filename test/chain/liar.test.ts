import { beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/base/clock.ts'
import { parseBoc, serializeBoc } from '../../server/cell/boc.ts'
import { createBlocks } from '../../server/chain/blocks.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import { createRawQuery } from '../../server/chain/checked-query.ts'
import type { LiteAnswer, LiteFunction, LiteServer } from '../../server/chain/liteserver.ts'
import { createAnswers } from '../../server/chain/local/answers/answers.ts'
import { createForkReads } from '../../server/chain/local/fork/reads.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { createReplayStore, type ReplayStore } from '../kit/index/replay-store.ts'
import { createRandom } from '../kit/random.ts'
import { bytesIn, copyOf, type Lie, lying, meaning, readOnce } from './kit.ts'

const { signal } = new AbortController()
const account = (workchain: number, digit: string): AccountId => ({
  workchain,
  hash: Uint8Array.from(Buffer.from(digit.repeat(64), 'hex')),
})
const ELECTOR = account(MASTERCHAIN, '3')
const CONFIG = account(MASTERCHAIN, '5')
const NOBODY = account(0, '1')
const MASTER = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 }

/** A lie about one function only. */
const about =
  <F extends LiteFunction>(fn: F, change: (answer: LiteAnswer<F>) => LiteAnswer<F>): Lie =>
  (asked, answer) =>
    (asked as LiteFunction) === fn ? (change(answer as unknown as LiteAnswer<F>) as unknown as typeof answer) : answer

describe('a source that lies', () => {
  let store: ReplayStore
  let honest: LiteServer
  let masterId: (seqno: number) => BlockId
  beforeAll(() => {
    store = createReplayStore()
    const answers = createAnswers({
      store,
      tvm: { runGetMethod: () => Promise.reject(new Error('not here')) },
      sendMessage: () => Promise.resolve(),
      clock: systemClock,
    })
    honest = { query: answers.query, heads: store.heads, head: store.head }
    masterId = (seqno) => store.idOf(store.index.find((row) => row.workchain === -1 && row.seqno === seqno)!)
  })

  const shardBlock = (): BlockId => store.idOf(store.index.find((row) => row.workchain === 0 && row.seqno === 100)!)

  const refused = async (lie: Lie, read: (chain: Chain) => Promise<unknown>, why: RegExp): Promise<void> => {
    const told = await readOnce(honest, read)
    expect(told).toBeDefined()
    await expect(readOnce(lying(honest, lie), read)).rejects.toMatchObject({ kind: 'CHAIN', message: expect.stringMatching(why) })
  }

  describe('about an account', () => {
    const read = (chain: Chain) => chain.account(ELECTOR, undefined, signal)
    const readAbsent = (chain: Chain) => chain.account(NOBODY, undefined, signal)
    const answerFor = (id: BlockId, of: AccountId) => honest.query('getAccountState', { id, account: of }, signal)

    it('a source cannot pass off another account’s state', async () => {
      const other = await answerFor(masterId(199), CONFIG)
      await refused(
        about('getAccountState', () => other),
        read,
        /account state: .* is a pruned branch/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...answer, state: other.state })),
        read,
        /account hash/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...answer, proof: other.proof })),
        read,
        /INVALID_PROOF/,
      )
    })

    it('a source cannot pass off an old state as new', async () => {
      const old = await answerFor(masterId(198), ELECTOR)
      await refused(
        about('getAccountState', () => old),
        read,
        /an answer for/,
      )
      const renamed = { ...old, id: masterId(199), shardBlock: masterId(199) }
      await refused(
        about('getAccountState', () => renamed),
        read,
        /root hash/,
      )
      const mixed = parseBoc(old.proof)
      const now = parseBoc((await answerFor(masterId(199), ELECTOR)).proof)
      const spliced = { ...renamed, proof: serializeBoc([now[0]!, mixed[1]!]) }
      await refused(
        about('getAccountState', () => spliced),
        read,
        /state hash/,
      )
    })

    it('a source cannot deny an account that exists, nor invent one that does not', async () => {
      await refused(
        about('getAccountState', (answer) => ({ ...answer, state: new Uint8Array(0) })),
        read,
        /none was sent/,
      )
      const { state } = await answerFor(masterId(199), ELECTOR)
      await refused(
        about('getAccountState', (answer) => ({ ...answer, state })),
        readAbsent,
        /but one was sent/,
      )
      const nowhere = await answerFor(masterId(199), { ...NOBODY, workchain: 9 })
      await refused(
        about('getAccountState', () => nowhere),
        readAbsent,
        /INVALID_PROOF/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...answer, proof: new Uint8Array(0) })),
        readAbsent,
        /INVALID_PROOF/,
      )
    })

    it('a source cannot read an account in another shard, an older shard block, or the masterchain', async () => {
      const elsewhere = await answerFor(masterId(199), account(0, 'e'))
      await refused(
        about('getAccountState', () => elsewhere),
        readAbsent,
        /shard proof: .* is a pruned branch/,
      )
      const older = await answerFor(masterId(150), NOBODY)
      await refused(
        about('getAccountState', (answer) => ({ ...older, id: answer.id })),
        readAbsent,
        /root hash/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...older, id: answer.id, shardProof: answer.shardProof })),
        readAbsent,
        /commits/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...answer, shardBlock: answer.id })),
        readAbsent,
        /cannot hold/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...answer, shardBlock: masterId(198) })),
        read,
        /another block/,
      )
    })
  })

  describe('about transactions of an account', () => {
    const read = (chain: Chain) => chain.transactions(ELECTOR, { from: undefined, limit: 8, toLt: 0n }, signal)
    const change = (edit: (rows: ReturnType<typeof parseBoc>) => ReturnType<typeof parseBoc>): Lie =>
      about('getTransactions', ({ ids, transactions }) => {
        const rows = edit(parseBoc(transactions))
        return { ids: rows.map((_, i) => ids[i] ?? ids[0]!), transactions: rows.length === 0 ? new Uint8Array(0) : serializeBoc(rows) }
      })

    it('a source cannot leave out, reorder or repeat transactions of an account, or send more than it has', async () => {
      await refused(
        change((rows) => [...rows.slice(0, 3), ...rows.slice(4)]),
        read,
        /INVALID_PROOF: transactions: hash/,
      )
      await refused(
        change((rows) => rows.slice(1)),
        read,
        /INVALID_PROOF: transactions: hash/,
      )
      await refused(
        change((rows) => [rows[1]!, rows[0]!, ...rows.slice(2)]),
        read,
        /hash/,
      )
      await refused(
        change((rows) => [rows[0]!, ...rows.slice(0, -1)]),
        read,
        /hash/,
      )
      await refused(
        change((rows) => [...rows, rows[0]!]),
        read,
        /were asked for/,
      )
      await refused(
        change(() => []),
        read,
        /INVALID_PROOF/,
      )
    })

    it('a source cannot send transactions of another account, or fewer block ids than transactions', async () => {
      const { lastTransLt: lt, lastTransHash: hash } = await readOnce(honest, (chain) => chain.account(CONFIG, undefined, signal))
      const other = await honest.query('getTransactions', { account: CONFIG, lt, hash, count: 8 }, signal)
      await refused(
        about('getTransactions', () => other),
        read,
        /hash/,
      )
      await refused(
        about('getTransactions', (answer) => ({ ...answer, ids: answer.ids.slice(1) })),
        read,
        /block ids/,
      )
      const basechain = (answer: LiteAnswer<'getTransactions'>) => ({ ...answer, ids: answer.ids.map(() => shardBlock()) })
      await refused(about('getTransactions', basechain), read, /another workchain/)
    })

    it('a source may send fewer transactions than asked for, and is asked for the rest', async () => {
      const short = lying(
        honest,
        change((rows) => rows.slice(0, 3)),
      )
      expect(meaning(await readOnce(short, read))).toBe(meaning(await readOnce(honest, read)))
    })
  })

  describe('about the transactions of a block', () => {
    const ids = (chain: Chain) => chain.blockTransactionIds(masterId(1), { count: 40, after: undefined }, signal)
    const whole = (chain: Chain) => chain.blockTransactions(masterId(1), { count: 40, after: undefined }, signal)

    it('a source cannot leave out transactions of a block, cut the list, or mark its end at the wrong place', async () => {
      const dropped = about('listBlockTransactions', (answer) => ({ ...answer, ids: answer.ids.filter((_, i) => i !== 4) }))
      await refused(dropped, ids, /8 rows, but the block has 9/)
      const cut = about('listBlockTransactions', (answer) => ({ ...answer, ids: answer.ids.slice(0, 5) }))
      await refused(cut, ids, /5 rows/)
      await refused(
        about('listBlockTransactions', (answer) => ({ ...answer, incomplete: true })),
        ids,
        /incomplete/,
      )
      const page = (chain: Chain) => chain.blockTransactionIds(masterId(1), { count: 3, after: undefined }, signal)
      await refused(
        about('listBlockTransactions', (answer) => ({ ...answer, incomplete: false })),
        page,
        /complete/,
      )
    })

    it('a source cannot add transactions to a block, change a hash, or send the list of another block', async () => {
      const { ids: others } = await honest.query('listBlockTransactions', { id: masterId(2), count: 40, wantProof: true }, signal)
      await refused(
        about('listBlockTransactions', (answer) => ({ ...answer, ids: others.slice(0, answer.ids.length) })),
        ids,
        /INVALID_PROOF/,
      )
      const wrong = about('listBlockTransactions', (answer) => ({
        ...answer,
        ids: answer.ids.map((row, i) => (i === 2 ? { ...row, hash: answer.ids[0]!.hash } : row)),
      }))
      await refused(wrong, ids, /row 2/)
      const other = await honest.query('listBlockTransactions', { id: masterId(2), count: 40, wantProof: true }, signal)
      await refused(
        about('listBlockTransactions', () => other),
        ids,
        /an answer for/,
      )
      await refused(
        about('listBlockTransactions', () => ({ ...other, id: masterId(1) })),
        ids,
        /root hash/,
      )
      await refused(
        about('listBlockTransactions', (answer) => ({ ...answer, proof: new Uint8Array(0) })),
        ids,
        /INVALID_PROOF/,
      )
    })

    it('a source cannot change lists of whole transactions either', async () => {
      const edit = (change: (rows: ReturnType<typeof parseBoc>) => ReturnType<typeof parseBoc>) =>
        about('listBlockTransactionsExt', (answer) => ({ ...answer, transactions: serializeBoc(change(parseBoc(answer.transactions))) }))
      await refused(
        edit((rows) => rows.slice(1)),
        whole,
        /8 transactions, but the block has 9/,
      )
      await refused(
        edit(([first, second, ...rest]) => [second!, first!, ...rest]),
        whole,
        /row 0/,
      )
    })
  })

  describe('about blocks', () => {
    it('a source cannot answer a lookup with another block, a later one than the first, or one of no chain', async () => {
      const bySeqno = (chain: Chain) => chain.lookupBlock({ ...MASTER, seqno: 120 }, { seqno: true }, signal)
      const ask = (seqno: number) =>
        honest.query('lookupBlockWithProof', { id: { ...MASTER, seqno }, by: { seqno: true }, mcBlockId: masterId(199) }, signal)
      const other = await ask(121)
      await refused(
        about('lookupBlockWithProof', () => other),
        bySeqno,
        /seqno 121 instead of 120/,
      )
      await refused(
        about('lookupBlockWithProof', (answer) => ({ ...answer, id: other.id, header: other.header })),
        bySeqno,
        /INVALID_PROOF/,
      )
      await refused(
        about('lookupBlockWithProof', (answer) => ({ ...answer, id: { ...answer.id, fileHash: new Uint8Array(32) } })),
        bySeqno,
        /INVALID_PROOF/,
      )
      const byLt = (chain: Chain) => chain.lookupBlock(MASTER, { lt: 60_000_000n }, signal)
      const later = await honest.query('lookupBlockWithProof', { id: MASTER, by: { lt: 62_000_000n }, mcBlockId: masterId(199) }, signal)
      await refused(
        about('lookupBlockWithProof', () => later),
        byLt,
        /reaches it already/,
      )
      const earlier = await honest.query('lookupBlockWithProof', { id: MASTER, by: { lt: 50_000_000n }, mcBlockId: masterId(199) }, signal)
      await refused(
        about('lookupBlockWithProof', () => earlier),
        byLt,
        /before 60000000/,
      )
      const byTime = (chain: Chain) => chain.lookupBlock(MASTER, { utime: 1573822500 }, signal)
      const lateByTime = await honest.query(
        'lookupBlockWithProof',
        { id: MASTER, by: { utime: 1573822600 }, mcBlockId: masterId(199) },
        signal,
      )
      await refused(
        about('lookupBlockWithProof', () => lateByTime),
        byTime,
        /reaches it already/,
      )
    })

    it('a source cannot commit a shard block that the masterchain does not', async () => {
      const asked = shardBlock()
      const read = (chain: Chain) => chain.lookupBlock(asked, { seqno: true }, signal)
      await refused(
        about('lookupBlockWithProof', (answer) => ({ ...answer, shardLinks: [] })),
        read,
        /the links end in/,
      )
      await refused(
        about('lookupBlockWithProof', (answer) => ({ ...answer, mcBlockId: masterId(30) })),
        read,
        /INVALID_PROOF/,
      )
      const links = (chain: Chain) => chain.shardBlockProof(asked, undefined, signal)
      await refused(
        about('getShardBlockProof', (answer) => ({ ...answer, links: answer.links.slice(1) })),
        links,
        /INVALID_PROOF/,
      )
      await refused(
        about('getShardBlockProof', (answer) => ({ ...answer, masterchainId: masterId(2) })),
        links,
        /INVALID_PROOF/,
      )
    })

    it('a source cannot show another header, other shards or another configuration', async () => {
      const header = (chain: Chain) => chain.blockHeader(masterId(10), signal)
      const other = await honest.query('getBlockHeader', { id: masterId(11), mode: 0 }, signal)
      await refused(
        about('getBlockHeader', (answer) => ({ ...answer, headerProof: other.headerProof })),
        header,
        /root hash/,
      )
      const shards = (chain: Chain) => chain.shards(masterId(100), signal)
      const before = await honest.query('getAllShardsInfo', { id: masterId(99) }, signal)
      await refused(
        about('getAllShardsInfo', (answer) => ({ ...answer, data: before.data })),
        shards,
        /not those of the block/,
      )
      await refused(
        about('getAllShardsInfo', () => before),
        shards,
        /root hash/,
      )
      const config = (chain: Chain) => chain.config(undefined, signal)
      const old = await honest.query('getConfigAll', { mode: 0, id: masterId(150) }, signal)
      await refused(
        about('getConfigAll', () => old),
        config,
        /an answer for/,
      )
      await refused(
        about('getConfigAll', (answer) => ({ ...old, id: answer.id })),
        config,
        /root hash/,
      )
      await refused(
        about('getConfigAll', (answer) => ({ ...answer, configProof: old.configProof })),
        config,
        /state hash/,
      )
      // A proof that is right but leaves parameters out is no configuration.
      const pruned = await honest.query('getConfigParams', { mode: 0, id: masterId(199), params: [34] }, signal)
      await refused(
        about('getConfigAll', (answer) => ({ ...answer, configProof: pruned.configProof })),
        config,
        /parts of it are pruned/,
      )
    })

    it('a source cannot show signatures of another block, or links that lead elsewhere', async () => {
      const read = (chain: Chain) => chain.signatures(150, signal)
      const other = await honest.query('getBlockProof', { from: masterId(150), target: masterId(151), mode: 0x1000 }, signal)
      await refused(
        about('getBlockProof', () => other),
        read,
        /the chain starts at/,
      )
      const last = other.steps.at(-1)!
      const swap = about('getBlockProof', (answer) => ({
        ...answer,
        steps: answer.steps.map((step) =>
          step.type === 'forward' && last.type === 'forward' ? { ...step, signatures: last.signatures } : step,
        ),
      }))
      await refused(swap, read, /does not hold|instead of/)
      await refused(
        about('getBlockProof', (answer) => ({ ...answer, complete: false })),
        read,
        /complete/,
      )
      await refused(
        about('getBlockProof', (answer) => ({ ...answer, complete: false, to: answer.from, steps: [] })),
        read,
        /leads nowhere/,
      )
    })
  })

  it('no bit of any answer can be changed without a refusal, unless it means the same', async () => {
    const reads: ((chain: Chain) => Promise<unknown>)[] = [
      (chain) => chain.account(ELECTOR, undefined, signal),
      (chain) => chain.account(NOBODY, undefined, signal),
      (chain) => chain.account(CONFIG, 77, signal),
      // Without the block ids beside them, which are the server's word: nothing in a transaction names its block.
      async (chain) => {
        const { transactions, next } = await chain.transactions(CONFIG, { from: undefined, limit: 4, toLt: 0n }, signal)
        return { next, transactions: transactions.map(({ transaction, hash }) => ({ transaction, hash })) }
      },
      (chain) => chain.blockTransactionIds(masterId(3), { count: 5, after: undefined }, signal),
      (chain) => chain.blockTransactions(masterId(3), { count: 5, after: undefined }, signal),
      (chain) => chain.blockHeader(masterId(50), signal),
      (chain) => chain.shards(masterId(160), signal),
      (chain) => chain.lookupBlock(shardBlock(), { seqno: true }, signal),
      (chain) => chain.lookupBlock(MASTER, { lt: 33_000_000n }, signal),
      (chain) => chain.lookupBlock(MASTER, { utime: 1573822600 }, signal),
      (chain) => chain.shardBlockProof(shardBlock(), undefined, signal),
      (chain) => chain.signatures(60, signal),
      (chain) => chain.config(undefined, signal),
      (chain) => chain.masterchainInfo(signal).then(({ last, stateRootHash }) => ({ last, stateRootHash })),
    ]
    const random = createRandom(20191115)
    let refusals = 0
    for (const read of reads) {
      let queries = 0
      const count: Lie = (_, answer) => {
        queries += 1
        return answer
      }
      const truth = meaning(await readOnce(lying(honest, count), read))
      for (let i = 0; i < MUTANTS_PER_READ; i += 1) {
        const target = random.below(queries)
        let at = 0
        const flip: Lie = (_, answer) => {
          if (at++ !== target) return answer
          const copy = copyOf(answer)
          const parts = bytesIn(copy)
          const part = random.pick(parts)
          const bit = random.below(part.length * 8)
          part[bit >> 3]! ^= 128 >> (bit & 7)
          return copy
        }
        const told = await readOnce(lying(honest, flip), read).then(meaning, (error: { kind?: string }) => {
          expect(error.kind).toBe('CHAIN')
          return undefined
        })
        if (told === undefined) refusals += 1
        else expect(told).toBe(truth)
      }
    }
    // The others hit what nobody reads: signatures beyond two thirds, bytes of an id that stands twice, fields that are only echoes.
    expect(refusals).toBeGreaterThan(reads.length * MUTANTS_PER_READ * 0.75)
  })
  describe('with bags of millions of cells', () => {
    /** Smallest cells: those of the longest answer unless told. Each refers to the first one of the next hundredth, so that few are deep. */
    const many = (cells = 3_000_000): Uint8Array => {
      const head = Buffer.from('b5ee9c72030400000000000100000000000000000000', 'hex')
      head.writeUIntBE(cells, 6, 3)
      const width = Math.ceil(cells / 100)
      const last = cells - width
      head.writeUInt32BE(5 * last + 2 * width, 15)
      const rows = Buffer.alloc(5 * last + 2 * width)
      for (let row = 0; row < last; row++) {
        rows[5 * row] = 1
        rows.writeUIntBE(row + width, 5 * row + 2, 3)
      }
      return Buffer.concat([head, rows])
    }
    /** Made once: a dozen tests send it, and none changes it. */
    const bag = many()
    const withBag = (bag: Uint8Array, value: unknown): unknown => {
      if (value instanceof Uint8Array) return value.length > 64 ? bag : value
      if (Array.isArray(value)) return value.map((each) => withBag(bag, each))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withBag(bag, each)]))
    }
    const page = { count: 5, after: undefined }

    it.each<[string, LiteFunction, (chain: Chain) => Promise<unknown>]>([
      ['an account', 'getAccountState', (chain) => chain.account(ELECTOR, undefined, signal)],
      ['transactions', 'getTransactions', (chain) => chain.transactions(CONFIG, { from: undefined, limit: 3, toLt: 0n }, signal)],
      ['transactions of a block', 'listBlockTransactions', (chain) => chain.blockTransactionIds(masterId(3), page, signal)],
      ['whole transactions of a block', 'listBlockTransactionsExt', (chain) => chain.blockTransactions(masterId(3), page, signal)],
      ['a header', 'getBlockHeader', (chain) => chain.blockHeader(masterId(50), signal)],
      ['shards', 'getAllShardsInfo', (chain) => chain.shards(masterId(160), signal)],
      ['a parameter', 'getConfigParams', (chain) => chain.config(undefined, signal)],
      ['a lookup', 'lookupBlockWithProof', (chain) => chain.lookupBlock(MASTER, { lt: 33_000_000n }, signal)],
      ['links to a shard block', 'getShardBlockProof', (chain) => chain.shardBlockProof(shardBlock(), undefined, signal)],
    ])('%s is refused before they are hashed', async (_what, fn, read) => {
      await refused(
        about(fn, (answer) => withBag(bag, answer) as typeof answer),
        read,
        /cells are over the limit of/,
      )
    })

    it('proofs of more cells than any valid one has are refused, as an answer has many', async () => {
      // Of a configuration one proof may be large, which is of the state.
      const bag = many(1 << 15)
      await refused(
        about('getShardBlockProof', (answer) => ({ ...answer, links: answer.links.map((link) => ({ ...link, proof: bag })) })),
        (chain) => chain.shardBlockProof(shardBlock(), undefined, signal),
        /shard block links: .*cells are over the limit of/,
      )
      await refused(
        about('getAccountState', (answer) => ({ ...answer, proof: bag })),
        (chain) => chain.account(ELECTOR, undefined, signal),
        /account state: .*cells are over the limit of/,
      )
      await refused(
        about('getConfigParams', (answer) => ({ ...answer, stateProof: bag })),
        (chain) => chain.config(undefined, signal),
        /block header: .*cells are over the limit of/,
      )
    })

    it('a whole state is refused before they are hashed', async () => {
      const lie = about('getState', (answer) => ({ ...answer, data: bag }))
      const { state } = createBlocks(createRawQuery(lying(honest, lie)))
      const id = masterId(50)
      const asked = state(id, id.rootHash, signal)
      await expect(asked).rejects.toMatchObject({
        name: 'ProofError',
        message: expect.stringMatching(/state: .*cells are over the limit of/),
      })
    })

    it('libraries are refused before they are hashed, however many are sent at once', async () => {
      const bag = many(80_000)
      const hashes = [1, 2].map((byte) => new Uint8Array(32).fill(byte))
      await refused(
        about('getLibrariesWithProof', (answer) => ({ ...answer, result: hashes.map((hash) => ({ hash, data: bag })) })),
        (chain) => chain.libraries(hashes, signal),
        /cells are over the limit of/,
      )
    })

    it('a block at which a chain is forked is refused before they are hashed', async () => {
      const reads = createForkReads(
        lying(
          honest,
          about('getBlock', (answer) => ({ ...answer, data: bag })),
        ),
        masterId(50),
      )
      await expect(reads.total(shardBlock(), signal)).rejects.toMatchObject({
        name: 'ProofError',
        message: expect.stringMatching(/file hash/),
      })
    })

    it.each<[string, LiteFunction, (chain: Chain) => Promise<unknown>]>([
      ['transactions', 'getTransactions', (chain: Chain) => chain.transactions(CONFIG, { from: undefined, limit: 3, toLt: 0n }, signal)],
      ['whole transactions of a block', 'listBlockTransactionsExt', (chain: Chain) => chain.blockTransactions(masterId(3), page, signal)],
    ])(
      'others go on while the most %s that a block could have are hashed',
      async (_what, fn, read) => {
        const bag = many(2 ** 19)
        let turns = 0
        let isOver = false
        const count = (): void => {
          turns += 1
          if (!isOver) setImmediate(count)
        }
        let first = 0
        const lie = about(fn, (answer) => {
          first = turns
          setImmediate(count)
          return { ...answer, transactions: bag } as typeof answer
        })
        await expect(readOnce(lying(honest, lie), read)).rejects.toMatchObject({ message: expect.stringMatching(/transactions/) })
        isOver = true
        expect(turns - first).toBeGreaterThan(10)
      },
      120_000,
    )
  })
})

// A few through the whole of the chain; mutants.test.ts makes many, at the checks alone.
const MUTANTS_PER_READ = 20
