import { useLayoutEffect, useState } from 'preact/hooks'
import { createStore } from './store.ts'
import { plainOf } from './token-metadata.ts'

/* Names in view that tokens gave themselves. Two tokens can have the same name. */

/** Normalized name -> raw addresses of the accounts with this name -> number of times that each account is in view. */
const inView = new Map<string, Map<string, number>>()
/** Increases when an account is added to a name or removed from it. */
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

/** True if an account in view has the same name as `raw`, or a name that looks the same. `name`: undefined for a name that only one account can have. */
export const useIsShared = (name: string | undefined, raw: string): boolean => {
  const key = name === undefined ? '' : plainOf(name).replace(/[“”]/g, '').toLowerCase()
  const [isShared, set] = useState(false)
  // A layout effect runs before the browser draws, so that no row grows afterwards.
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
