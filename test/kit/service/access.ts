import type { KeyStore, NewKey } from '../../../server/access/key-queries.ts'
import { startTonway, type Tonway, type TonwayOptions } from './tonway.ts'

/** A service that checks keys, with a database and a clock of the test. Time passes only through `clock.pass`. */
export interface Guarded extends Tonway {
  readonly clock: { now(): number; ticks(): number; pass(milliseconds: number): void }
  readonly store: KeyStore
  /** Creates a key. Default: local network, plan `advanced`. */
  key(options?: Partial<NewKey>): Promise<{ readonly key: string; readonly id: string }>
}

/** A clock that stands still except for `pass`. */
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

/** Every key has its own owner, so that tests do not use each other's limits. */
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
