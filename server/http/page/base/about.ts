import { useEffect } from 'preact/hooks'
import { ton } from './service.ts'
import { createStore, useStore } from './store.ts'
import type { Answer } from './types.ts'

/** What the service says of itself and of what this page may do. */
export type About = Answer<'rpc.about'>

const about = createStore<About | undefined>(undefined)
let asked = false

/** Milliseconds before it is asked again. */
const PAUSE = 2_000

const load = (): void => {
  ton.rpc.about().then(about.set, () => setTimeout(load, PAUSE))
}

/** Loads it once; undefined until it is there. */
export const useAbout = (): About | undefined => {
  const value = useStore(about)
  useEffect(() => {
    if (asked) return
    asked = true
    load()
  }, [])
  return value
}
