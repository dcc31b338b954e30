import type { KeyObject } from 'node:crypto'
import type { Cell } from '../../cell/cell.ts'
import { validatorGroup } from '../../tlb/block/validator-group.ts'
import { configParam, loadParam } from '../../tlb/config/config-dictionary.ts'
import { catchainConfig } from '../../tlb/config/consensus.ts'
import { type GroupMember, validatorListHashShort } from '../../tlb/config/validator-hash.ts'
import { loadValidatorSet } from '../../tlb/config/validator-set.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { ProofError, proving } from './error.ts'

export interface SigningSet {
  readonly catchainSeqno: number
  /** validator_list_hash_short, unsigned. */
  readonly hash: number
  readonly members: readonly GroupMember[]
  /** OpenSSL key objects by node id in hex. They are made on first use and cached, because a set signs many blocks. */
  readonly keys?: Map<string, KeyObject>
}

/** The masterchain's validators from a configuration (root of Hashmap 32 ^Cell): parameter 35 if present, otherwise 34, shuffled if parameter 28 says so. */
export const signingSetOf = (config: Cell, catchainSeqno: number): SigningSet =>
  proving('validators', () => {
    const cell = configParam(config, 35) ?? configParam(config, 34)
    if (cell === undefined) throw new ProofError('validators', 'the configuration has none')
    // The defaults of an absent parameter 28 affect only shards.
    const catchain = loadParam(config, 28, catchainConfig) ?? { shuffleMcValidators: false, shardValidatorsNum: 0 }
    const members = validatorGroup(loadValidatorSet(cell), catchain, { workchain: MASTERCHAIN, shard: WHOLE_SHARD }, catchainSeqno)
    return { catchainSeqno, hash: validatorListHashShort(catchainSeqno, members), members, keys: new Map() }
  })
