import { SYSTEM } from './address.ts'
import type { BriefTransaction } from './types.ts'

/** The source of the first message of a trace. Null for an external message and for a message of the system. `tx`: the first transaction of the trace. */
export const unsentSource = ({ in_msg: message }: Pick<BriefTransaction, 'in_msg'>): string | null =>
  message === null || !message.source || message.source === SYSTEM ? null : message.source
