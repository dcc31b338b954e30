import { SYSTEM } from './address.ts'
import type { BriefTransaction } from './types.ts'

/**
 * The source of the first message of a trace; null for an external message and for a message of the system. The argument is the first transaction of the
 * trace.
 */
export const unsentSource = ({ in_msg: message }: Pick<BriefTransaction, 'in_msg'>): string | null =>
  message === null || !message.source || message.source === SYSTEM ? null : message.source
