import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { dictFromEntries, walkDict } from '../../server/cell/dict.ts'
import { chainError, createCheckedQuery } from '../../server/chain/checked-query.ts'
import { createHeadHub } from '../../server/chain/head-hub.ts'
import { type Head, LiteServerError, type SignatureSet } from '../../server/chain/liteserver.ts'
import { prevSeqnos } from '../../server/chain/prev-blocks.ts'
import { ProofError } from '../../server/chain/proofs/error.ts'
import { checkSignatures } from '../../server/chain/proofs/signatures.ts'
import type { SigningSet } from '../../server/chain/proofs/signing-set.ts'
import { leafShard, shardsIntersect } from '../../server/tlb/block/shard-ident.ts'
import { nodeIdShort, validatorListHashShort } from '../../server/tlb/config/validator-hash.ts'
import { type BlockId, shardToWire } from '../../server/tlb/ids.ts'
import { TvmError } from '../../server/tvm/tvm.ts'
import { TonError } from '../../shared/errors.ts'
import { fc } from '../kit/property.ts'

describe('walkDict', () => {
  it('walkDict visits the entries after any key in order, both ways', () => {
    const key = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 40 }), key, fc.boolean(), fc.boolean(), (keys, start, inclusive, reverse) => {
        const root = dictFromEntries(
          64,
          [...keys].sort(byValue).map((value) => [value, beginCell().storeUint(value, 64)] as const),
        )
        const from = { key: start, inclusive }
        const expected = keys.filter((value) => (reverse ? value < start : value > start) || (inclusive && value === start)).sort(byValue)
        const walked = [...walkDict(root, 64, { cells: 1e9 }, from, reverse)]
        expect(walked.map(([value]) => value)).toEqual(reverse ? expected.reverse() : expected)
        for (const [value, leaf] of walked) expect(leaf.loadUintBig(64)).toBe(value)
        expect([...walkDict(root, 64, { cells: 1e9 })].length).toBe(keys.length)
      }),
    )
  })

  it('walkDict refuses labels longer than the key', () => {
    const bad = beginCell().storeUint(0b10, 2).storeUint(9, 4).storeUint(0, 9).end()
    expect(() => [...walkDict(bad, 8, { cells: 1e9 })]).toThrow(/longer than the key|label/)
  })
})

describe('shards', () => {
  it('shards intersect if one contains the other, and a leaf is in every shard of its prefix', () => {
    expect(shardsIntersect(0x8000000000000000n, 0x2000000000000000n)).toBe(true)
    expect(shardsIntersect(0x4000000000000000n, 0x2000000000000000n)).toBe(true)
    expect(shardsIntersect(0x4000000000000000n, 0xc000000000000000n)).toBe(false)
    expect(leafShard(0x8000000000000000n)).toBe(0x8000000000000008n)
    expect(shardsIntersect(leafShard(0x8000000000000000n), 0xa000000000000000n)).toBe(true)
  })
})

describe('errors of a source', () => {
  const { signal } = new AbortController()
  it('errors of a source are of the family that tonlib gives their code', () => {
    for (const [code, family] of [
      [601, 'FAILURE'],
      [602, 'ERROR'],
      [603, 'WARNING'],
      [621, 'PROTOVIOLATION'],
      [651, 'NOTREADY'],
      [652, 'TIMEOUT'],
      [653, 'CANCELLED'],
      [0, 'UNKNOWN'],
      [-400, 'UNKNOWN'],
    ] as const) {
      expect(chainError(new LiteServerError(code, 'text'), signal)).toMatchObject({ kind: 'CHAIN', message: `LITE_SERVER_${family}: text` })
    }
    expect(chainError(new ProofError('account state', 'pruned'), signal)).toMatchObject({
      kind: 'CHAIN',
      message: 'INVALID_PROOF: account state: pruned',
    })
    expect(chainError(new TvmError('timeout', 'late'), signal)).toMatchObject({ kind: 'SOURCE_TIMEOUT' })
    expect(chainError(new TvmError('overloaded', 'full'), signal)).toMatchObject({ kind: 'UNAVAILABLE' })
    const own = new TonError('NO_WORKERS', 'nobody')
    expect(chainError(own, signal)).toBe(own)
    const bug = new RangeError('a bug')
    expect(chainError(bug, signal)).toBe(bug)
  })

  it('an aborted call fails before the source is asked', async () => {
    const ask = createCheckedQuery({ query: () => Promise.reject(new Error('it was asked')) })
    const reason = new Error('gone')
    await expect(ask('getTime', {}, AbortSignal.abort(reason), () => 1)).rejects.toBe(reason)
  })
})

describe('createHeadHub', () => {
  const head = (seqno: number): Head => ({
    id: { workchain: -1, shard: 1n << 63n, seqno, rootHash: new Uint8Array(32).fill(seqno), fileHash: new Uint8Array(32) },
    utime: seqno,
    epoch: 0,
  })

  it('a new reader of heads gets the present head first, and a slow one only the newest', async () => {
    const hub = createHeadHub(undefined)
    expect(hub.head()).toBeUndefined()
    const stop = new AbortController()
    const reader = hub.heads(stop.signal)
    const first = reader.next()
    hub.set(head(1))
    expect((await first).value?.utime).toBe(1)
    for (const seqno of [2, 3, 4]) hub.set(head(seqno))
    expect(hub.head()?.utime).toBe(4)
    expect((await reader.next()).value?.utime).toBe(4)
    const waiting = reader.next()
    stop.abort()
    expect((await waiting).done).toBe(true)
  })

  it('readers of heads end when the hub is closed', async () => {
    const hub = createHeadHub(head(1))
    const reader = hub.heads(new AbortController().signal)
    await reader.next()
    const waiting = reader.next()
    hub.close()
    expect((await waiting).done).toBe(true)
  })
})

describe('PREVBLOCKSINFO', () => {
  it('PREVBLOCKSINFO names the last fifteen blocks and up to sixteen at multiples of 100', () => {
    expect(prevSeqnos(3)).toEqual({ last: [2, 1, 0], steps: [0] })
    expect(prevSeqnos(250).last.length).toBe(15)
    expect(prevSeqnos(250).steps).toEqual([200, 100, 0])
    expect(prevSeqnos(300).steps).toEqual([300, 200, 100, 0])
    expect(prevSeqnos(100_000).steps.length).toBe(16)
  })
})

describe('signatures of the simplex consensus, by the schema', () => {
  const SCHEMA = {
    dataToSign: 'consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign',
    candidateId: 'consensus.candidateId slot:int hash:int256 = consensus.CandidateId',
    finalizeVote: 'consensus.simplex.finalizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote',
    ordinary:
      'consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData',
    noParent: 'consensus.candidateWithoutParents = consensus.CandidateParent',
  } as const
  const tag = (name: keyof typeof SCHEMA): Buffer => uint32(crc32(SCHEMA[name]))
  const block: BlockId = {
    workchain: -1,
    shard: 1n << 63n,
    seqno: 77,
    rootHash: new Uint8Array(32).fill(3),
    fileHash: new Uint8Array(32).fill(4),
  }
  const candidateOf = (id: BlockId): Buffer =>
    Buffer.concat([
      tag('ordinary'),
      int32(id.workchain),
      int64(BigInt(shardToWire(id.shard))),
      int32(id.seqno),
      id.rootHash,
      id.fileHash,
      Buffer.alloc(32, 9),
      tag('noParent'),
    ])

  const keys = [1, 2, 3].map((seed) => {
    const key = createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]),
      format: 'der',
      type: 'pkcs8',
    })
    const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12))
    return { key, publicKey }
  })
  const members = keys.map(({ publicKey }, i) => ({ publicKey, weight: [40n, 35n, 25n][i]!, adnlAddr: new Uint8Array(32).fill(i) }))
  const set: SigningSet = { catchainSeqno: 5, hash: validatorListHashShort(5, members), members }

  const signedBy = (signers: readonly number[], id: BlockId, slot = 12): SignatureSet => {
    const candidate = candidateOf(id)
    const hash = createHash('sha256').update(candidate).digest()
    const vote = Buffer.concat([tag('finalizeVote'), tag('candidateId'), int32(slot), hash])
    const sessionId = new Uint8Array(32).fill(8)
    const message = Buffer.concat([tag('dataToSign'), sessionId, Buffer.of(vote.length), vote, Buffer.alloc(3)])
    const signatures = signers.map((i) => ({
      nodeIdShort: nodeIdShort(keys[i]!.publicKey),
      signature: new Uint8Array(sign(null, message, keys[i]!.key)),
    }))
    return {
      type: 'simplex',
      validatorSetHash: set.hash,
      catchainSeqno: 5,
      signatures,
      sessionId,
      slot: 12,
      candidate: new Uint8Array(candidate),
    }
  }

  it('simplex signatures are accepted from more than two thirds, and refused otherwise or for another block, slot or session', () => {
    expect(() => checkSignatures(signedBy([0, 1], block), block, set)).not.toThrow()
    expect(() => checkSignatures(signedBy([0, 2], block), block, set)).toThrow(/more than two thirds/)
    expect(() => checkSignatures(signedBy([0, 1], { ...block, seqno: 78 }), block, set)).toThrow(/the candidate is/)
    expect(() => checkSignatures(signedBy([0, 1], block, 13), block, set)).toThrow(/does not hold/)
    const other = signedBy([0, 1], block)
    expect(() => checkSignatures({ ...other, sessionId: new Uint8Array(32) } as SignatureSet, block, set)).toThrow(/does not hold/)
    expect(() => checkSignatures({ ...other, candidate: new Uint8Array(4) } as SignatureSet, block, set)).toThrow(/CandidateHashData/)
  })
})

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}
