import { SYSTEM } from '../base/address.ts'
import type { BriefTransaction } from '../base/types.ts'
import { useIsFork } from '../base/value-lookups.ts'
import { Badge } from './values.tsx'

/**
 * The source of the first message of a trace; null for an external message and for a message of the system. The argument is the first transaction of the
 * trace.
 */
export const unsentSource = ({ in_msg: message }: Pick<BriefTransaction, 'in_msg'>): string | null =>
  message === null || !message.source || message.source === SYSTEM ? null : message.source

const useOrigin = (): string => {
  const isFork = useIsFork()
  return `it was put on the chain by local.sendInternal${isFork ? ', or was under way when the fork began' : ''}.`
}

export const useInjectedText = (): string => `No transaction of the sender sent this message: ${useOrigin()}`

/** A badge for the source of a message that no transaction of this account sent. */
export const Injected = () => (
  <span class="injected">
    <Badge title={useInjectedText()}>injected</Badge>
  </span>
)

/** Explains the badge in text, for users without a pointer. CSS shows it only in cards that contain the badge. */
export const InjectedMeaning = () => (
  <p class="injected-meaning dim">“injected”: no transaction of the sender sent the message; {useOrigin()}</p>
)
