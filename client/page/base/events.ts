import { useEffect, useRef } from 'preact/hooks'
import { watch } from '../../index.ts'
import { status } from './live.ts'
import { eventClient } from './service.ts'
import { useStore } from './store.ts'

/**
 * Calls `onEvent` when an event of the account arrives (a message was sent, a part of its trace is in a block, or a pending trace was invalidated) and when
 * the subscription starts. If the service has no events, `onEvent` is never called, and views reload with new blocks.
 */
export const useAccountEvents = (raw: string, onEvent: () => void): void => {
  const indexed = useStore(status, (value) => value?.index !== undefined)
  const newest = useRef(onEvent)
  useEffect(() => {
    newest.current = onEvent
  })
  useEffect(() => {
    if (!indexed) return
    const leaving = new AbortController()
    const follow = async (): Promise<void> => {
      const filter = { types: ['actions', 'trace_invalidated'], addresses: [raw], min_finality: 'pending' } as const
      // Events before the subscription are lost, so the view reloads.
      const onSubscribed = (): void => newest.current()
      for await (const _ of watch(eventClient(), filter, { signal: leaving.signal, onSubscribed })) newest.current()
    }
    follow().catch(() => {})
    return () => leaving.abort()
  }, [raw, indexed])
}
