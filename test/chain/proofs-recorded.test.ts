import { createHash } from 'node:crypto'
import { Cell as CoreCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { openProof } from '../../server/cell/merkle.ts'
import type { BlockLink } from '../../server/chain/liteserver.ts'
import { checkConfig, keyBlockConfig } from '../../server/chain/proofs/config.ts'
import { ProofError } from '../../server/chain/proofs/error.ts'
import { checkBlockRoot, checkHeader, prevBlocksOf, stateHashOf } from '../../server/chain/proofs/header.ts'
import { checkBlockProof, checkLink } from '../../server/chain/proofs/links.ts'
import { proofBudget, proofRoot } from '../../server/chain/proofs/roots.ts'
import { signingSetOf } from '../../server/chain/proofs/signing-set.ts'
import { checkStateRoot, checkTwoRootState } from '../../server/chain/proofs/state.ts'
import { loadBlock } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import type { BlockId } from '../../server/tlb/ids.ts'
import { hasData, readData } from '../kit/data.ts'
import { readSet, signaturesOf } from '../kit/index/replay-store.ts'
import { loadBlockProof } from '../kit/tlb/block-proof.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const base64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'))
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')
const json = (path: string) => JSON.parse(readData(path).toString())

interface NamedId {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
}
const idOf = (row: NamedId): BlockId => ({
  workchain: row.workchain,
  shard: BigInt(`0x${row.shard}`),
  seqno: row.seqno,
  rootHash: bytes(row.root_hash),
  fileHash: bytes(row.file_hash),
})

/** A Merkle proof of an empty cell, before as many cells that are in no tree, each of four hashes. All their hashes are checked, because one stores its own. */
const crowded = (cells: number): Buffer => {
  const empty = createHash('sha256').update(Buffer.alloc(2)).digest()
  const ref = (row: number): Buffer => Buffer.from([row >>> 16, row >>> 8, row])
  const pruned = Buffer.concat([Buffer.of(8 | (7 << 5), 208, 1, 7), Buffer.alloc(102)])
  const idle = Buffer.concat([Buffer.of(1 | (7 << 5), 0), ref(cells + 2)])
  const rows = [
    Buffer.of(9, 70, 3),
    empty,
    Buffer.alloc(2),
    ref(cells + 3),
    Buffer.of(16, 0),
    empty,
    Buffer.alloc(2),
    ...Array(cells).fill(idle),
    pruned,
    Buffer.alloc(2),
  ]
  const data = Buffer.concat(rows)
  return Buffer.concat([Buffer.from('b5ee9c720304', 'hex'), ref(cells + 4), ref(1), ref(0), Buffer.of(0), ref(data.length), ref(0), data])
}

describe('proofs of real lite-servers and nodes', () => {
  describe('a recorded getConfigAll of mainnet block 26309435', () => {
    const id = (): BlockId => idOf(json('recorded/liteserver-tl/index.json')['tongo-get-last-config-all-2.bin'].id)
    const answer = () => ({
      mode: 0,
      id: id(),
      stateProof: new Uint8Array(readData('recorded/liteserver-tl/tongo-state_proof.boc')),
      configProof: new Uint8Array(readData('recorded/liteserver-tl/tongo-config_proof.boc')),
    })

    it('a recorded getConfigAll of mainnet block 26309435 proves the configuration that @ton/core finds in the same file', () => {
      const { root, state } = endSteps(checkConfig(answer(), id()))
      const [proof] = CoreCell.fromBoc(Buffer.from(answer().configProof))
      expect(hex(state.root.hash(0))).toBe(proof!.refs[0]!.hash(0).toString('hex'))
      // ShardStateUnsplit -> custom (the last ref) -> config (after the shard hashes).
      const custom = proof!.refs[0]!.refs.at(-1)!
      expect(hex(root.hash(0))).toBe(custom.refs[1]!.hash(0).toString('hex'))
    })

    it('a proof that fills a packet with hashes is refused, also in parts, and a configuration is parsed in steps', () => {
      const budget = proofBudget()
      proofRoot(crowded(1 << 11), 'proof', budget)
      expect(() => proofRoot(crowded(1 << 12), 'proof', budget)).toThrow(/too many hashes/)
      expect(() => proofRoot(crowded(15_000), 'proof')).toThrow(/too many hashes/)
      const steps = checkConfig({ ...answer(), configProof: crowded(30_000) }, id())
      for (let step = 0; step < 10; step++) expect(steps.next()).toEqual({ done: false, value: undefined })
      expect(() => endSteps(steps)).toThrow(/state hash/)
    })

    it('the recorded configuration gives the shuffled validator group whose short hash the block has', () => {
      const { root, state } = endSteps(checkConfig(answer(), id()))
      const { genCatchainSeqno, genValidatorListHashShort } = state.header.info
      const set = signingSetOf(root, genCatchainSeqno)
      expect([set.hash, set.members.length]).toEqual([genValidatorListHashShort, 100])
    })

    it('a recorded getConfigAll of mainnet block 26309435 is refused for another block, another state, another file hash or a cut proof', () => {
      const good = answer()
      const other = { ...id(), rootHash: id().fileHash }
      const refused = [
        () => endSteps(checkConfig({ ...good, id: other }, other)),
        () => endSteps(checkConfig(good, { ...id(), seqno: 26309436 })),
        () => endSteps(checkConfig(good, { ...id(), fileHash: new Uint8Array(32) })),
        () => endSteps(checkConfig({ ...good, configProof: good.stateProof }, id())),
        () => endSteps(checkConfig({ ...good, configProof: good.configProof.subarray(0, 40_000) }, id())),
        () => endSteps(checkConfig({ ...good, stateProof: new Uint8Array(0) }, id())),
        () => endSteps(checkConfig({ ...good, configProof: new Uint8Array(readData('config/tongo-config_proof_33651872.boc')) }, id())),
      ]
      for (const check of refused) expect(check).toThrow(ProofError)
    })
  })

  it('a two-root shard proof and a two-root account proof of mainnet are accepted (pytoniq-core, @ton/core)', () => {
    const proofs = (json('inline/merkle_proof.json') as { roots: number; boc: string }[]).filter(({ roots }) => roots === 2)
    for (const { boc } of proofs) {
      // Written anew by @ton/core, whatever order the two roots had, and without what stands behind the BoC in one of the files.
      const cells = CoreCell.fromBoc(Buffer.from(boc, 'base64'))
      const isBlock = (cell: CoreCell): boolean => cell.refs[0]!.bits.substring(0, 32).toString() === '11EF55AA'
      const [block, state] = [cells.find(isBlock)!, cells.find((cell) => !isBlock(cell))!].map((cell) => parseBocRoot(cell.toBoc()))
      const { workchain, shard, seqno } = loadBlockInfo(loadBlock(block!.ref(0)).info)
      const id = { workchain, shard, seqno, rootHash: block!.ref(0).hash(0), fileHash: new Uint8Array(32) }
      expect(checkTwoRootState(serializeBoc([block!, state!]), id, 'state').state.seqno).toBe(seqno)
      expect(() => checkTwoRootState(serializeBoc([state!, block!]), id, 'state')).toThrow(ProofError)
    }
    expect(proofs.length).toBe(2)
  })

  it('states of collation bundles, which are proofs, are accepted after the blocks that made them', () => {
    for (const name of ['mainnet-bundle-56703839', 'testnet-bundle-36649624'].filter((each) => hasData(`chain/${each}.json`))) {
      const bundle = json(`chain/${name}.json.gz`) as {
        blocks: { root_hash: string; file_hash: string; boc: string; info: NamedId }[]
        states: { named_root_hash: string; state_root_hash: string; boc: string }[]
      }
      let matched = 0
      for (const { root_hash, file_hash, boc, info } of bundle.blocks) {
        const state = bundle.states.find((candidate) => candidate.named_root_hash === root_hash)
        if (state === undefined) continue
        const root = parseBocRoot(base64(boc))
        const id = idOf({ ...info, root_hash, file_hash })
        const header = checkBlockRoot(root, id)
        expect(hex(stateHashOf(header))).toBe(state.state_root_hash)
        expect(prevBlocksOf(header.info)[0]!.seqno).toBe(info.seqno - 1)
        expect(checkStateRoot(openProof(parseBocRoot(base64(state.boc))), header, 'state').state.seqno).toBe(info.seqno)
        matched += 1
      }
      expect(matched).toBeGreaterThanOrEqual(2)
    }
  })

  it('the proof or proof link of each of the first 805 mainnet blocks is accepted, for that block only', () => {
    const { index, rows } = readSet('mainnet-genesis')
    let before: BlockId | undefined
    rows.forEach((row, i) => {
      const id = idOf(index[i]!)
      const proof = serializeBoc(loadBlockProof(parseBocRoot(base64(row.proof!))).root)
      const header = checkHeader(proof, id)
      expect(hex(stateHashOf(header))).toBe(index[i]!.state_update.new_hash)
      expect(prevBlocksOf(header.info).map(({ rootHash }) => hex(rootHash))).toEqual(index[i]!.prev.map(({ root_hash }) => root_hash))
      if (before !== undefined) expect(() => checkHeader(proof, before!)).toThrow(ProofError)
      before = id
    })
    expect(rows.length).toBe(805)
  })

  describe('the proofs of mainnet key block 3082181 and the 20 blocks after it', () => {
    const { index, rows } = readSet('mainnet-mc-3082181-3082201')
    const proofs = rows.map((row) => parseBocRoot(base64(row.proof!)))
    const ids = index.map((row) => idOf(row))
    const linkTo = (i: number): BlockLink & { type: 'forward' } => ({
      type: 'forward',
      toKeyBlock: index[i]!.key_block,
      from: ids[0]!,
      to: ids[i]!,
      destProof: serializeBoc(loadBlockProof(proofs[i]!).root),
      configProof: serializeBoc(loadBlockProof(proofs[0]!).root),
      signatures: signaturesOf(proofs[i]!)!,
    })

    it('the recorded proofs prove each header', () => {
      proofs.forEach((proof, i) => {
        const { info } = checkHeader(serializeBoc(loadBlockProof(proof).root), ids[i]!)
        expect([info.seqno, info.genUtime, info.endLt.toString()]).toEqual([index[i]!.seqno, index[i]!.gen_utime, index[i]!.end_lt])
      })
    })

    it('the recorded proofs give signed forward links from the key block to every later block', () => {
      for (let i = 1; i < ids.length; i += 1) expect(checkLink(linkTo(i))?.id.seqno).toBe(3082181 + i)
      const key = checkHeader(serializeBoc(loadBlockProof(proofs[0]!).root), ids[0]!)
      const set = signingSetOf(keyBlockConfig(key), linkTo(1).signatures.catchainSeqno)
      expect(set.members.length).toBeGreaterThan(10)
    })

    it('signed forward links are checked against the answer as a whole', () => {
      const answer = { complete: true, from: ids[0]!, to: ids[3]!, steps: [linkTo(3)] }
      const check = (...args: Parameters<typeof checkBlockProof>) => endSteps(checkBlockProof(...args))
      expect(check(answer, ids[0]!, ids[3]!).length).toBe(1)
      expect(() => check(answer, ids[1]!, ids[3]!)).toThrow(/the chain starts at/)
      expect(() => check({ ...answer, to: ids[4]! }, ids[0]!, ids[4]!)).toThrow(/does not end/)
      expect(() => check({ ...answer, complete: false }, ids[0]!, ids[3]!)).toThrow(/complete/)
    })

    it('forward links are refused with too few, doubled, foreign or broken signatures, or with another set', () => {
      const link = linkTo(5)
      const { signatures } = link.signatures
      const withSignatures = (changed: typeof signatures): BlockLink => ({
        ...link,
        signatures: { ...link.signatures, signatures: changed },
      })
      const third = Math.floor(signatures.length / 3)
      expect(() => checkLink(withSignatures(signatures.slice(0, third)))).toThrow(/more than two thirds/)
      expect(() => checkLink(withSignatures([]))).toThrow(/more than two thirds/)
      expect(() => checkLink(withSignatures([...signatures.slice(0, third), ...signatures.slice(0, third * 2)]))).toThrow(/signed twice/)
      const foreign = { nodeIdShort: new Uint8Array(32).fill(1), signature: signatures[0]!.signature }
      expect(() => checkLink(withSignatures([foreign, ...signatures]))).toThrow(/not a validator/)
      const swapped = signatures.map((pair, i) => ({ ...pair, signature: signatures[(i + 1) % signatures.length]!.signature }))
      expect(() => checkLink(withSignatures(swapped))).toThrow(/does not hold/)
      expect(() => checkLink({ ...link, signatures: linkTo(6).signatures })).toThrow(/does not hold/)
      expect(() => checkLink({ ...link, to: { ...link.to, fileHash: new Uint8Array(32) } })).toThrow(/does not hold/)
      const otherSeqno = { ...link.signatures, catchainSeqno: link.signatures.catchainSeqno + 1 }
      expect(() => checkLink({ ...link, signatures: otherSeqno })).toThrow(/catchain seqno/)
      expect(() => checkLink({ ...link, signatures: { ...link.signatures, validatorSetHash: 1 } })).toThrow(/validator set/)
      expect(() => checkLink({ ...link, toKeyBlock: true })).toThrow(/to_key_block/)
      expect(() => checkLink({ ...link, from: ids[7]!, configProof: linkTo(7).destProof })).toThrow(ProofError)
    })
  })
})
