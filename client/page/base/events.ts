import { useEffect, useRef } from 'preact/hooks'
import { watch } from '../../index.ts'
import { status } from './live.ts'
import { eventClient } from './service.ts'
import { useStore } from './store.ts'

/**
 * Calls `tell` when something happens to an account: a message was sent, a part of its trace is in a block, or it will not happen. If the service has no
 * events, nothing is called; views then follow the blocks. It is also called when the service begins to tell events.
 */
export const useAccountEvents = (raw: string, tell: () => void): void => {
  const indexed = useStore(status, (value) => value?.index !== undefined)
  const newest = useRef(tell)
  useEffect(() => {
    newest.current = tell
  })
  useEffect(() => {
    if (!indexed) return
    const leaving = new AbortController()
    const follow = async (): Promise<void> => {
      const filter = { types: ['actions', 'trace_invalidated'], addresses: [raw], min_finality: 'pending' } as const
      // Events from before the service had the subscription were not sent.
      const onSubscribed = (): void => newest.current()
      for await (const _ of watch(eventClient(), filter, { signal: leaving.signal, onSubscribed })) newest.current()
    }
    follow().catch(() => {})
    return () => leaving.abort()
  }, [raw, indexed])
}
