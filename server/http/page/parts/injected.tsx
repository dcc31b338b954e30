import { useIsFork } from '../base/about.ts'
import { Badge } from './values.tsx'

/** What it means that a message is injected. */
export const useInjectedText = (): string => {
  const isFork = useIsFork()
  return `No transaction of the sender sent this message: it was put on the chain by local.sendInternal${isFork ? ', or was under way when the fork began' : ''}.`
}

/** Stands after the account that a message names as its source, although no transaction of the account sent it. */
export const Injected = () => <Badge title={useInjectedText()}>injected</Badge>
