import { useEffect } from 'preact/hooks'
import { ton } from './service.ts'
import { createStore, useStore } from './store.ts'
import type { Answer } from './types.ts'

/** What the service says of itself and of what this page may do. */
export type About = Answer<'rpc.about'>

const about = createStore<About | undefined>(undefined)
let asked = false

/** Loads it once; undefined until it is there. */
export const useAbout = (): About | undefined => {
  const value = useStore(about)
  useEffect(() => {
    if (asked) return
    asked = true
    ton.rpc.about().then(about.set, () => {
      asked = false
    })
  }, [])
  return value
}
