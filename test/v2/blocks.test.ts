import { describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import type { BlockLink } from '../../server/chain/liteserver.ts'
import type { BlockInfo } from '../../server/tlb/block/block-info.ts'
import type { BlockId } from '../../server/tlb/ids.ts'
import { blockHandlers } from '../../server/v2/blocks.ts'
import { configHandlers } from '../../server/v2/config.ts'
import { transactionHandlers } from '../../server/v2/transactions.ts'
import { registry } from '../../shared/registry.ts'
import { BLOCK } from './contracts-chain.ts'
import { fakeChain, fakeConfig } from './fake-chain.ts'

const call = { signal: new AbortController().signal } as Call
const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const fill = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte)
const blockOf = (seqno: number, workchain = 0, shard = 0x6000000000000000n): BlockId => ({
  workchain,
  shard,
  seqno,
  rootHash: fill(seqno),
  fileHash: fill(seqno + 1),
})
const wire = (id: BlockId, shard = BigInt.asIntN(64, id.shard).toString()) => ({
  '@type': 'ton.blockIdExt',
  workchain: id.workchain,
  shard,
  seqno: id.seqno,
  root_hash: b64(id.rootHash),
  file_hash: b64(id.fileHash),
})
const blocks = (members: Partial<Chain>) => blockHandlers({ chain: fakeChain(members), now: () => 1_763_620_500 })
const transactions = (members: Partial<Chain>) => transactionHandlers({ chain: fakeChain(members) })
const valid = <M extends keyof typeof registry>(method: M, result: unknown): void => {
  expect(registry[method].result.safeParse(result).error).toBeUndefined()
}

describe('block reads', () => {
  it('getMasterchainInfo gives the zerostate shard 0', async () => {
    const result = await blocks({
      masterchainInfo: async () => ({ last: BLOCK, stateRootHash: fill(3), init: { workchain: -1, rootHash: fill(4), fileHash: fill(5) } }),
    }).getMasterchainInfo({}, call)
    expect(result).toEqual({
      '@type': 'blocks.masterchainInfo',
      last: wire(BLOCK, '-9223372036854775808'),
      state_root_hash: b64(fill(3)),
      init: { '@type': 'ton.blockIdExt', workchain: -1, shard: '0', seqno: 0, root_hash: b64(fill(4)), file_hash: b64(fill(5)) },
    })
    valid('getMasterchainInfo', result)
  })

  it('getConsensusBlock gives the head and the present second', async () => {
    const result = await blocks({ head: () => ({ id: BLOCK, utime: 5, epoch: 0 }) }).getConsensusBlock({}, call)
    expect(result).toEqual({ '@type': 'ext.blocks.consensusBlock', consensus_block: 101, timestamp: 1_763_620_500 })
  })

  it('getMasterchainBlockSignatures gives both kinds of signature sets', async () => {
    const signatures = [{ nodeIdShort: fill(6), signature: fill(7, 64) }]
    const shown = [{ '@type': 'blocks.signature', node_id_short: b64(fill(6)), signature: b64(fill(7, 64)) }]
    const ordinary = await blocks({
      signatures: async () => ({ id: BLOCK, signatures: { type: 'ordinary', validatorSetHash: 1, catchainSeqno: 2, signatures } }),
    }).getMasterchainBlockSignatures({ seqno: 101 }, call)
    expect(ordinary).toEqual({ '@type': 'blocks.blockSignatures', id: wire(BLOCK), signatures: shown })
    const simplex = await blocks({
      signatures: async () => ({
        id: BLOCK,
        signatures: {
          type: 'simplex',
          validatorSetHash: 1,
          catchainSeqno: 2,
          signatures,
          sessionId: fill(8),
          slot: 9,
          candidate: new Uint8Array([1]),
        },
      }),
    }).getMasterchainBlockSignatures({ seqno: 101 }, call)
    expect(simplex).toEqual({
      '@type': 'blocks.blockSignatures.simplex',
      id: wire(BLOCK),
      signatures: shown,
      session_id: b64(fill(8)),
      slot: 9,
      candidate: 'AQ==',
    })
    for (const result of [ordinary, simplex]) valid('getMasterchainBlockSignatures', result)
  })

  it('lookupBlock finds by seqno, lt or time, with an unsigned shard', async () => {
    const asked: unknown[] = []
    const handlers = blocks({
      lookupBlock: async (id, by) => {
        asked.push([id, by])
        return blockOf(7)
      },
    })
    const place = { workchain: 0, shard: -0x4000000000000000n }
    expect(await handlers.lookupBlock({ ...place, seqno: 7 }, call)).toEqual(wire(blockOf(7), '6917529027641081856'))
    await handlers.lookupBlock({ ...place, lt: 0n }, call)
    await handlers.lookupBlock({ ...place, unixtime: 0 }, call)
    const id = { workchain: 0, shard: 0xc000000000000000n }
    expect(asked).toEqual([
      [{ ...id, seqno: 7 }, { seqno: true }],
      [{ ...id, seqno: 0 }, { lt: 0n }],
      [{ ...id, seqno: 0 }, { utime: 0 }],
    ])
  })

  it('getShards lists the shards that the masterchain block commits, in its order', async () => {
    const handlers = blocks({
      pin: async (at) => ({ ...BLOCK, seqno: at! }),
      shards: async (id) => {
        expect(id.seqno).toBe(55)
        return [9, 3].map((seqno) => ({ id: blockOf(seqno), descr: {} as never }))
      },
    })
    expect(await handlers.getShards({ seqno: 55 }, call)).toEqual({
      '@type': 'blocks.shards',
      shards: [wire(blockOf(9)), wire(blockOf(3))],
    })
  })

  const info = {
    version: 0,
    notMaster: true,
    afterMerge: true,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: true,
    wantMerge: false,
    keyBlock: false,
    genUtime: 1_763_620_000,
    startLt: 2n ** 62n,
    endLt: 2n ** 62n + 5n,
    genValidatorListHashShort: 0xfffffff0,
    genCatchainSeqno: 11,
    minRefMcSeqno: 12,
    prevKeyBlockSeqno: 13,
  } as BlockInfo
  const header = (more: Partial<BlockInfo> = {}): Partial<Chain> => ({
    lookupBlock: async () => blockOf(7),
    blockHeader: async (id) => ({ id, globalId: -239, info: { ...info, ...more }, prevBlocks: [blockOf(5), blockOf(6)] }),
  })
  const named = { workchain: 0, shard: 0x6000000000000000n, seqno: 7 }

  it('getBlockHeader gives the short hash of the validators as a signed number', async () => {
    const result = await blocks(header()).getBlockHeader(named, call)
    expect(result).toEqual({
      '@type': 'blocks.header',
      id: wire(blockOf(7)),
      global_id: -239,
      version: 0,
      after_merge: true,
      after_split: false,
      before_split: false,
      want_merge: false,
      want_split: true,
      validator_list_hash_short: -16,
      catchain_seqno: 11,
      min_ref_mc_seqno: 12,
      is_key_block: false,
      prev_key_block_seqno: 0,
      start_lt: (2n ** 62n).toString(),
      end_lt: (2n ** 62n + 5n).toString(),
      gen_utime: 1_763_620_000,
      prev_blocks: [wire(blockOf(5)), wire(blockOf(6))],
    })
    valid('getBlockHeader', result)
    expect((await blocks(header({ notMaster: false, keyBlock: true })).getBlockHeader(named, call)).prev_key_block_seqno).toBe(13)
  })

  it('getBlockHeader checks the hashes if both are given', async () => {
    const { getBlockHeader } = blocks(header())
    const { rootHash: root_hash, fileHash: file_hash } = blockOf(7)
    await getBlockHeader({ ...named, root_hash, file_hash }, call)
    await getBlockHeader({ ...named, root_hash: fill(0) }, call)
    await getBlockHeader({ ...named, file_hash: fill(0) }, call)
    await expect(getBlockHeader({ ...named, root_hash, file_hash: fill(0) }, call)).rejects.toMatchObject({ kind: 'CHAIN' })
    await expect(getBlockHeader({ ...named, root_hash: fill(0), file_hash }, call)).rejects.toMatchObject({ kind: 'CHAIN' })
  })

  it('getShardBlockProof has links of the shard and of the masterchain', async () => {
    const back: BlockLink = {
      type: 'back',
      toKeyBlock: true,
      from: BLOCK,
      to: blockOf(90, -1, 1n << 63n),
      destProof: new Uint8Array([1]),
      proof: new Uint8Array([2]),
      stateProof: new Uint8Array([3]),
    }
    const asked: unknown[] = []
    const { getShardBlockProof } = blocks({
      lookupBlock: async () => blockOf(7),
      pin: async (at) => ({ ...BLOCK, seqno: at! }),
      shardBlockProof: async (id, from) => {
        asked.push([id.seqno, from?.seqno])
        return { from: from ?? BLOCK, mcId: back.to, links: [{ id, proof: new Uint8Array([4]) }], mcProof: [back] }
      },
    })
    const result = await getShardBlockProof({ ...named, from_seqno: 99 }, call)
    expect(result).toEqual({
      '@type': 'blocks.shardBlockProof',
      from: wire({ ...BLOCK, seqno: 99 }),
      mc_id: wire(back.to),
      links: [{ '@type': 'blocks.shardBlockLink', id: wire(blockOf(7)), proof: 'BA==' }],
      mc_proof: [
        {
          '@type': 'blocks.blockLinkBack',
          to_key_block: true,
          from: wire(back.from),
          to: wire(back.to),
          dest_proof: 'AQ==',
          proof: 'Ag==',
          state_proof: 'Aw==',
        },
      ],
    })
    valid('getShardBlockProof', result)
    await getShardBlockProof(named, call)
    expect(asked).toEqual([
      [7, 99],
      [7, undefined],
    ])
  })

  it('getOutMsgQueueSize gives each shard and the limit', async () => {
    const { getOutMsgQueueSize } = blocks({
      outMsgQueueSizes: async () => ({
        shards: [
          { id: BLOCK, size: 0 },
          { id: blockOf(7), size: 12 },
        ],
        limit: 8000,
      }),
    })
    expect(await getOutMsgQueueSize({}, call)).toEqual({
      '@type': 'blocks.outMsgQueueSizes',
      shards: [
        { '@type': 'blocks.outMsgQueueSize', id: wire(BLOCK), size: 0 },
        { '@type': 'blocks.outMsgQueueSize', id: wire(blockOf(7)), size: 12 },
      ],
      ext_msg_queue_size_limit: 8000,
    })
  })
})

describe('transaction reads', () => {
  const named = { workchain: 0, shard: 0x6000000000000000n, seqno: 7, count: 40 }

  it('getBlockTransactions gives short ids, accounts in lower case, and passes the cursor on', async () => {
    const asked: unknown[] = []
    const { getBlockTransactions } = transactions({
      lookupBlock: async () => blockOf(7),
      blockTransactionIds: async (_, page) => {
        asked.push(page)
        return { incomplete: true, ids: [{ account: fill(0xab), lt: 2n ** 63n, hash: fill(1) }] }
      },
    })
    const result = await getBlockTransactions({ ...named, after_lt: 0n, after_hash: fill(2) }, call)
    expect(result).toEqual({
      '@type': 'blocks.transactions',
      id: wire(blockOf(7)),
      req_count: 40,
      incomplete: true,
      transactions: [
        { '@type': 'blocks.shortTxId', mode: 7, account: `0:${'ab'.repeat(32)}`, lt: (2n ** 63n).toString(), hash: b64(fill(1)) },
      ],
    })
    valid('getBlockTransactions', result)
    await getBlockTransactions(named, call)
    expect(asked).toEqual([
      { count: 40, after: { account: fill(2), lt: 0n } },
      { count: 40, after: undefined },
    ])
  })

  it('getTransactions and getTransactionsStd take the start, the end and the cursor', async () => {
    const asked: unknown[] = []
    const members: Partial<Chain> = {
      transactions: async (_, query) => {
        asked.push(query)
        return { transactions: [], next: { lt: query.toLt === 0n ? 0n : 5n, hash: fill(9) } }
      },
    }
    const address = { workchain: 0, hash: fill(1), form: 'raw', bounceable: true, testOnly: false } as const
    const { getTransactions, getTransactionsStd } = transactions(members)
    expect(await getTransactions({ address, limit: 10, to_lt: 0n }, call)).toEqual([])
    await getTransactions({ address, limit: 3, lt: 77n, hash: fill(2), to_lt: 50n }, call)
    const std = await getTransactionsStd({ address, limit: 4, lt: 77n, hash: fill(2), to_lt: 50n }, call)
    const cursor = { '@type': 'internal.transactionId', lt: '5', hash: b64(fill(9)) }
    expect(std).toEqual({ '@type': 'raw.transactions', transactions: [], previous_transaction_id: cursor })
    expect(asked).toEqual([
      { from: undefined, limit: 10, toLt: 0n },
      { from: { lt: 77n, hash: fill(2) }, limit: 3, toLt: 50n },
      { from: { lt: 77n, hash: fill(2) }, limit: 4, toLt: 50n },
    ])
    // In the Std form lt 0 is a place: nothing lies before it.
    expect((await getTransactionsStd({ address, limit: 4, lt: 0n, hash: fill(2), to_lt: 0n }, call)).previous_transaction_id).toEqual({
      '@type': 'internal.transactionId',
      lt: '0',
      hash: b64(fill(0)),
    })
    expect(asked).toHaveLength(3)
  })
})

describe('configuration reads', () => {
  const cell = beginCell().storeUint(5, 8).end()

  it('getConfigParam takes either name, and answers an empty text for a missing parameter', async () => {
    const asked: unknown[] = []
    const handlers = configHandlers({
      chain: fakeChain({
        config: async (at) => {
          asked.push(at)
          return fakeConfig({ param: (param) => (param === 5 ? cell : undefined) })
        },
      }),
    })
    const found = await handlers.getConfigParam({ config_id: 5, seqno: 9 }, call)
    expect(found).toEqual({ '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: 'te6cckEBAQEAAwAAAgXPcy10' } })
    expect((await handlers.getConfigParam({ param: 0 }, call)).config.bytes).toBe('')
    expect(asked).toEqual([9, undefined])
  })

  it('getLibraries sorts, and drops repeated and unknown ones', async () => {
    const asked: string[][] = []
    const handlers = configHandlers({
      chain: fakeChain({
        libraries: async (hashes) => {
          asked.push(hashes.map(b64))
          return hashes.filter((hash) => hash[0] !== 2).map((hash) => ({ hash, code: cell }))
        },
      }),
    })
    const result = await handlers.getLibraries({ libraries: [fill(3), fill(1), fill(2), fill(3)] }, call)
    expect(result.result.map(({ hash }) => hash)).toEqual([b64(fill(1)), b64(fill(3))])
    expect(asked).toEqual([[b64(fill(1)), b64(fill(2)), b64(fill(3))]])
    valid('getLibraries', result)
    expect((await handlers.getLibraries({ libraries: [] }, call)).result).toEqual([])
    expect(asked).toHaveLength(1)
  })
})
