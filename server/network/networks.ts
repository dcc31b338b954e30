import { TonError } from '../../shared/errors.ts'
import type { Dispatch } from '../dispatch/types.ts'
import { notServed, type Supervisor } from './supervisor.ts'

export interface Networks {
  readonly supervisors: readonly Supervisor[]
  supervisor(name: string): Supervisor | undefined
  readonly dispatch: Dispatch
  /**
   * Resolves when calls can be served: each embedded chain was tried once, and one network is ready or all networks were tried. Rejects if no network can
   * be served and another attempt would not help.
   */
  started(): Promise<void>
  close(): Promise<void>
}

/** Returns whether another attempt may help. Lite-servers may become reachable, but a wrong setting or a locked directory does not change by itself. */
const isTransient = (error: unknown): boolean => error instanceof TonError

const oneReady = (supervisors: readonly Supervisor[]): Promise<void> =>
  new Promise((resolve) => {
    let left = supervisors.length
    for (const { opened } of supervisors)
      void opened.then((error) => {
        left -= 1
        if (error === undefined || left === 0) resolve()
      })
  })

export const createNetworks = (supervisors: readonly Supervisor[]): Networks => {
  const byName = new Map(supervisors.map((supervisor) => [supervisor.config.name, supervisor]))
  const [first] = supervisors
  if (first === undefined) throw new Error('no network is served')
  return {
    supervisors,
    supervisor: (name) => byName.get(name),
    dispatch:
      supervisors.length === 1
        ? first.dispatch
        : (name, raw, call, source) => byName.get(call.network)?.dispatch(name, raw, call, source) ?? notServed(call.network),
    async started() {
      await Promise.all(supervisors.filter(({ config }) => config.local).map(({ opened }) => opened))
      await oneReady(supervisors)
      if (supervisors.some((supervisor) => supervisor.phase() !== 'failed')) return
      const errors = await Promise.all(supervisors.map(({ opened }) => opened))
      if (!errors.some(isTransient)) throw errors[0]
    },
    async close() {
      await Promise.all(supervisors.map((supervisor) => supervisor.close()))
    },
  }
}
