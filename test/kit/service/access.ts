import type { KeyStore, NewKey } from '../../../server/access/key-store.ts'
import { startTonway, type Tonway, type TonwayOptions } from './tonway.ts'

/** A service that looks at keys, on a database of the test, with a clock of the test: a second passes when it is told to. */
export interface Guarded extends Tonway {
  readonly clock: { now(): number; ticks(): number; pass(milliseconds: number): void }
  readonly store: KeyStore
  /** A new key of the local network and plan `advanced`, unless told otherwise. */
  key(options?: Partial<NewKey>): Promise<{ readonly key: string; readonly id: string }>
}

/** Stands still but for what passes by hand. */
export const createHandClock = () => {
  let passed = 0
  const start = Date.now()
  return {
    now: () => Math.floor((start + passed) / 1000),
    ticks: () => passed,
    pass(milliseconds: number) {
      passed += milliseconds
    },
  }
}

let owners = 0

/** Every key is of an owner of its own, so that tests do not spend each other's seconds. */
export const startGuarded = async (databaseUrl: string, options: TonwayOptions = {}): Promise<Guarded> => {
  const clock = createHandClock()
  const tonway = await startTonway({ clock, databaseUrl, keys: 'on', anonymousRps: 1, blockTime: 0, ...options })
  const store = await tonway.app.access.store!()
  return {
    ...tonway,
    clock,
    store,
    async key(more = {}) {
      const { key, record } = await store.create({ network: 'local', plan: 'advanced', owner: `owner ${++owners}`, ...more })
      return { key, id: record.id }
    },
  }
}
