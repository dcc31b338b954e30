import { optional, type Pattern, type PatternContext, where } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { type Opcode, type Step, TRANSFER } from '../../actions/step.ts'
import { attempt } from '../../cell/error.ts'
import type { Slice } from '../../cell/slice.ts'

/* EVAA: a master contract holds the lent assets, and each user has a contract. https://github.com/evaafi/contracts */

/** The id of TON among EVAA's assets: SHA-256 of its name. */
export const TON_ID = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an

/** Comments of the transfers that EVAA sends with its operations. */
const NOTES: readonly (string | null | undefined)[] = ['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']
export const note: Pattern = optional(where((step) => step.kind === TRANSFER && NOTES.includes(commentOf(step))))

/** user_version:Coins upgrade_info:(Maybe ^Cell) upgrade_exec:uint2: the fields before the opcode in messages to a user's contract. */
const skipHeader = (s: Slice): Slice => {
  s.skip(8 * s.loadUint(4))
  s.loadMaybeRef()
  return s.skip(2)
}

export const userBody = (step: Step): Slice => skipHeader(step.message.body.slice()).skip(32)

const userOpcode = (step: Step): Opcode | undefined =>
  attempt(() => {
    const s = skipHeader(step.message.body.slice())
    return s.remainingBits < 32 ? undefined : s.loadUint(32)
  })

export const userCall = (op: Opcode, around?: PatternContext): Pattern =>
  where((step) => step.op !== undefined && userOpcode(step) === op, around)
