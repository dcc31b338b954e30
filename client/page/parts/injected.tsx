import { useIsFork } from '../base/about.ts'
import { Badge } from './values.tsx'

/** How an injected message came to the chain. */
const useOrigin = (): string => {
  const isFork = useIsFork()
  return `it was put on the chain by local.sendInternal${isFork ? ', or was under way when the fork began' : ''}.`
}

/** What it means that a message is injected. */
export const useInjectedText = (): string => `No transaction of the sender sent this message: ${useOrigin()}`

/** Stands after the account that a message names as its source, although no transaction of the account sent it. */
export const Injected = () => (
  <span class="injected">
    <Badge title={useInjectedText()}>injected</Badge>
  </span>
)

/** What the badge means, for those who cannot point at it. It is seen in a card with such a badge alone. */
export const InjectedMeaning = () => (
  <p class="injected-meaning dim">“injected”: no transaction of the sender sent the message; {useOrigin()}</p>
)
