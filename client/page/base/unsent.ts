import { SYSTEM } from './address.ts'
import type { BriefTransaction } from './types.ts'

/** The source of the message that a trace began with; null for an external message and for one of the system. `tx`: the first transaction of a trace. */
export const unsentSource = ({ in_msg: message }: Pick<BriefTransaction, 'in_msg'>): string | null =>
  message === null || !message.source || message.source === SYSTEM ? null : message.source
