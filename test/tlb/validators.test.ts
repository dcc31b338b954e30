import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../../server/cell/cell.ts'
import { openProof } from '../../server/cell/merkle.ts'
import { loadBlock, loadBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { loadMcBlockExtra } from '../../server/tlb/block/mc-block-extra.ts'
import { validatorGroup } from '../../server/tlb/block/validator-group.ts'
import { configParam, loadParam } from '../../server/tlb/config/config-dictionary.ts'
import { catchainConfig } from '../../server/tlb/config/consensus.ts'
import { nodeIdShort, validatorListHashShort } from '../../server/tlb/config/validator-hash.ts'
import { loadValidatorSet, storeValidatorSet, type ValidatorSet } from '../../server/tlb/config/validator-set.ts'
import { loadMcStateExtra } from '../../server/tlb/state/mc-state-extra.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import { loadBlockProof, loadBlockSignatures, storeBlockProof, storeBlockSignatures } from '../kit/tlb/block-proof.ts'
import { cellOf, chainRows, file, hex, plain, singleBlocks, wholeStates } from './data.ts'

const configOfState = (name: string): Cell => loadMcStateExtra(loadShardState(cellOf(file(`chain/${name}`))).custom!).config.config
const groupFor = (config: Cell, shard: { workchain: number; shard: bigint }, seqno: number) =>
  validatorGroup(
    loadValidatorSet(configParam(config, 35) ?? configParam(config, 34)!),
    loadParam(config, 28, catchainConfig)!,
    shard,
    seqno,
  )

const edKey = (raw: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]), format: 'der', type: 'spki' })

describe('validator groups of real data', () => {
  it('validator groups give the short hash of every genesis block, masterchain and shards', () => {
    const config = configOfState('mainnet-zerostate-mc.boc')
    const seen = { master: 0, shard: 0 }
    for (const row of chainRows('mainnet-genesis')) {
      const info = loadBlockInfo(loadBlock(cellOf(Buffer.from(row.boc, 'base64'))).info)
      const members = groupFor(config, info, info.genCatchainSeqno)
      expect(validatorListHashShort(info.genCatchainSeqno, members), row.id).toBe(info.genValidatorListHashShort)
      seen[info.workchain === -1 ? 'master' : 'shard']++
    }
    expect(seen).toEqual({ master: 199, shard: 606 })
  })

  it('validator groups give the short hash of blocks after a key block, shuffled masterchain groups included', () => {
    const keyBlocks = singleBlocks().filter(({ root }) => loadBlockInfo(loadBlock(root).info).keyBlock)
    const configs = new Map(
      keyBlocks.map(({ root }) => {
        const { custom } = loadBlockExtra(loadBlock(root).extra)
        return [loadBlockInfo(loadBlock(root).info).seqno, loadMcBlockExtra(custom!).config!.config] as const
      }),
    )
    let matched = 0
    for (const chain of ['mainnet-mc-3082181-3082201', 'mainnet-mc-2660-2690']) {
      for (const row of chainRows(chain)) {
        const info = loadBlockInfo(loadBlock(cellOf(Buffer.from(row.boc, 'base64'))).info)
        const config =
          info.prevKeyBlockSeqno === 0 ? configOfState('mainnet-mc-2660-2690.state-2659.boc.gz') : configs.get(info.prevKeyBlockSeqno)
        if (config === undefined) continue
        const members = groupFor(config, info, info.genCatchainSeqno)
        expect(validatorListHashShort(info.genCatchainSeqno, members), row.id).toBe(info.genValidatorListHashShort)
        matched++
      }
    }
    expect(matched).toBeGreaterThanOrEqual(50)
  })

  it('validator groups give validator_list_hash_short of masterchain states, which counts no catchain seqno', () => {
    for (const { name, root } of wholeStates()) {
      const { custom, workchain, shard } = loadShardState(root)
      if (custom === undefined) continue
      const { config, validatorInfo } = loadMcStateExtra(custom)
      const members = groupFor(config.config, { workchain, shard }, validatorInfo.catchainSeqno)
      expect(validatorListHashShort(0, members), name).toBe(validatorInfo.validatorListHashShort)
    }
  })

  it('sign: block proofs come back to their hashes, their signatures are of the group and hold', () => {
    const config = configOfState('mainnet-zerostate-mc.boc')
    let [signed, verified] = [0, 0]
    for (const row of [...chainRows('mainnet-genesis'), ...chainRows('mainnet-mc-3082181-3082201')]) {
      if (!row.proof) continue
      const cell = cellOf(Buffer.from(row.proof, 'base64'))
      const proof = loadBlockProof(cell)
      expect(storeBlockProof(proof).hashHex(), row.id).toBe(cell.hashHex())
      expect([hex(proof.proofFor.rootHash), hex(proof.proofFor.fileHash), proof.proofFor.seqno]).toEqual([
        row.root_hash,
        row.file_hash,
        row.seqno,
      ])
      const header = openProof(proof.root)
      expect(hex(header.hash(0))).toBe(row.root_hash)
      const info = loadBlockInfo(loadBlock(header).info)
      expect(info.seqno).toBe(row.seqno)
      if (proof.signatures === undefined) continue
      const signatures = loadBlockSignatures(proof.signatures)
      expect(storeBlockSignatures(signatures).hashHex(), row.id).toBe(proof.signatures.hashHex())
      expect([signatures.validatorListHashShort, signatures.catchainSeqno]).toEqual([info.genValidatorListHashShort, info.genCatchainSeqno])
      expect(signatures.signatures).toHaveLength(signatures.sigCount)
      signed++
      if (info.prevKeyBlockSeqno !== 0 || row.seqno % 10 !== 1) continue
      const members = new Map(groupFor(config, info, info.genCatchainSeqno).map((member) => [hex(nodeIdShort(member.publicKey)), member]))
      const text = Buffer.concat([Buffer.from('706e0bc5', 'hex'), proof.proofFor.rootHash, proof.proofFor.fileHash])
      let weight = 0n
      for (const { nodeIdShort: id, signature } of signatures.signatures) {
        const member = members.get(hex(id))!
        expect(verify(null, text, edKey(member.publicKey), signature), row.id).toBe(true)
        weight += member.weight
        verified++
      }
      expect(weight).toBe(signatures.sigWeight)
    }
    expect(signed).toBeGreaterThanOrEqual(199)
    expect(verified).toBeGreaterThanOrEqual(80)
  })
})

describe('validator sets', () => {
  const member = (weight: bigint, adnl = false) => ({
    publicKey: new Uint8Array(32).fill(Number(weight & 255n)),
    weight,
    ...(adnl ? { adnlAddr: new Uint8Array(32).fill(9) } : {}),
  })
  const set = (list: ValidatorSet['list'], change: Partial<ValidatorSet> = {}): ValidatorSet => ({
    ext: true,
    utimeSince: 1,
    utimeUntil: 2,
    total: list.length,
    main: 1,
    totalWeight: list.reduce((sum, { weight }) => sum + weight, 0n),
    list,
    ...change,
  })

  it('validator sets of both forms and both kinds of descriptors survive a round trip', () => {
    for (const ext of [true, false]) {
      const given = set([member(5n), member(7n, true), member(1n << 62n)], { ext })
      expect(plain(loadValidatorSet(storeValidatorSet(given)))).toEqual(plain(given))
    }
  })

  it.each<[string, ValidatorSet, RegExp]>([
    ['a wrong sum', set([member(5n)], { totalWeight: 6n }), /weights add to 5, not 6/],
    ['no weight', set([member(5n), member(0n)]), /validator 1 has no weight/],
    ['too few validators', set([member(5n)], { total: 2 }), /1 validators, total 2/],
    ['more masterchain validators than there are', set([member(5n)], { main: 2 }), /main 2/],
    ['weights beyond 64 bits', set([member((1n << 64n) - 1n), member(5n)], { ext: false }), /exceed/],
  ])('validator sets with %s are refused', (_, given, message) => {
    expect(() => loadValidatorSet(storeValidatorSet(given))).toThrow(message)
  })
})
