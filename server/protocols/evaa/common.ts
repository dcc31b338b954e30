import { optional, type Pattern, type PatternContext, where } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { type Opcode, type Step, TRANSFER } from '../../actions/step.ts'
import { attempt } from '../../cell/error.ts'
import { load } from './messages.ts'

/* EVAA: a master contract holds the lent assets, and each user has a contract. https://github.com/evaafi/contracts */

/** Comments of the transfers that EVAA sends with its operations. */
const NOTES: readonly (string | null | undefined)[] = ['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']
export const note: Pattern = optional(where((step) => step.kind === TRANSFER && NOTES.includes(commentOf(step))))

export const loadUserMessage = ({ body }: Step) => load('type EvaaUserMessage', body)

export const userCall = (op: Opcode, around?: PatternContext): Pattern =>
  where((step) => step.op !== undefined && attempt(() => loadUserMessage(step).op) === op, around)
