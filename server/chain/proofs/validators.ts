import type { KeyObject } from 'node:crypto'
import type { Cell } from '../../cell/cell.ts'
import { validatorGroup } from '../../tlb/block/validator-group.ts'
import { catchainConfig } from '../../tlb/config/consensus.ts'
import { configParam, loadParam } from '../../tlb/config/dict.ts'
import { type GroupMember, validatorListHashShort } from '../../tlb/config/validator-hash.ts'
import { loadValidatorSet } from '../../tlb/config/validator-set.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { ProofError, proving } from './error.ts'

/** The group that signs masterchain blocks at a catchain seqno. */
export interface SigningSet {
  readonly catchainSeqno: number
  /** validator_list_hash_short, unsigned. */
  readonly hash: number
  readonly members: readonly GroupMember[]
  /** Their keys as OpenSSL has them, by node id in hex: filled when they are first needed, since a set signs many blocks. */
  readonly keys?: Map<string, KeyObject>
}

/** The masterchain's group that a configuration (root of Hashmap 32 ^Cell) gives: from config 35 where there is one, else 34; shuffled as config 28 says. */
export const signingSetOf = (config: Cell, catchainSeqno: number): SigningSet =>
  proving('validators', () => {
    const cell = configParam(config, 35) ?? configParam(config, 34)
    if (cell === undefined) throw new ProofError('validators', 'the configuration has none')
    // Defaults of a configuration without parameter 28 matter for shards only.
    const catchain = loadParam(config, 28, catchainConfig) ?? { shuffleMcValidators: false, shardValidatorsNum: 0 }
    const members = validatorGroup(loadValidatorSet(cell), catchain, { workchain: MASTERCHAIN, shard: WHOLE_SHARD }, catchainSeqno)
    return { catchainSeqno, hash: validatorListHashShort(catchainSeqno, members), members, keys: new Map() }
  })
