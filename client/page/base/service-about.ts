import { useLayoutEffect } from 'preact/hooks'
import { ton } from './service.ts'
import { useHold } from './show-when-loaded.ts'
import { createStore, useStore } from './store.ts'
import type { Answer } from './types.ts'

export type About = Answer<'rpc.about'>

const about = createStore<About | undefined>(undefined)
let isRequested = false

/** Milliseconds before a failed load is repeated. */
const PAUSE = 2_000

const load = (): void => {
  ton.rpc.about().then(about.set, () => setTimeout(load, PAUSE))
}

/** Loaded once. Undefined until then. */
export const useAbout = (): About | undefined => {
  const value = useStore(about)
  useHold(value === undefined)
  useLayoutEffect(() => {
    if (isRequested) return
    isRequested = true
    load()
  }, [])
  return value
}

/** True if the embedded chain is a fork of a network. */
export const useIsFork = (): boolean => useAbout()?.fork !== undefined
