import { useLayoutEffect, useState } from 'preact/hooks'
import { createStore } from './store.ts'
import { plainOf } from './token.ts'

/* The names in view that tokens give themselves. Any token can take the name of another one. */

/** Name in its plain form -> raw addresses of the accounts that are called so -> how often each is in view. */
const inView = new Map<string, Map<string, number>>()
/** Changes when a name gets or loses an account. */
const version = createStore(0)

const show = (key: string, raw: string): void => {
  const accounts = inView.get(key) ?? new Map<string, number>()
  inView.set(key, accounts.set(raw, (accounts.get(raw) ?? 0) + 1))
  if (accounts.get(raw) === 1) version.set(version.get() + 1)
}

const hide = (key: string, raw: string): void => {
  const accounts = inView.get(key)!
  const left = accounts.get(raw)! - 1
  if (left > 0) return void accounts.set(raw, left)
  accounts.delete(raw)
  if (accounts.size === 0) inView.delete(key)
  version.set(version.get() + 1)
}

/** Whether another account in view is called the same or looks the same. `name`: undefined for a name that only one account can have. */
export const useIsShared = (name: string | undefined, raw: string): boolean => {
  const key = name === undefined ? '' : plainOf(name).replace(/[“”]/g, '').toLowerCase()
  const [isShared, set] = useState(false)
  // Before the browser draws, so that no row grows afterwards.
  useLayoutEffect(() => {
    if (key === '') return set(false)
    const look = (): void => set(inView.get(key)!.size > 1)
    show(key, raw)
    look()
    const end = version.subscribe(look)
    return () => {
      end()
      hide(key, raw)
    }
  }, [key, raw])
  return isShared
}
