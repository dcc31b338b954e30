import { TonError } from '../../shared/errors.ts'
import type { Dispatch } from '../dispatch/types.ts'
import { noRoom, type Room } from './supervisor.ts'

/** The rooms of a process: every network that it serves, the default one first. */
export interface Networks {
  readonly rooms: readonly Room[]
  /** Of a network's name; undefined for one that is not served. */
  room(name: string): Room | undefined
  /** Gives a call to the network that it addresses. */
  readonly dispatch: Dispatch
  /**
   * Resolves when there is something to serve: every embedded chain has been tried, and one network is ready or all have been tried. Rejects when
   * none can be served and trying again would not help.
   */
  started(): Promise<void>
  close(): Promise<void>
}

/** What may be better the next time: lite-servers that cannot be reached. A wrong setting or a directory in use is not. */
const mayPass = (error: unknown): boolean => error instanceof TonError

const oneReady = (rooms: readonly Room[]): Promise<void> =>
  new Promise((resolve) => {
    let left = rooms.length
    for (const { opened } of rooms)
      void opened.then((error) => {
        left -= 1
        if (error === undefined || left === 0) resolve()
      })
  })

export const createNetworks = (rooms: readonly Room[]): Networks => {
  const byName = new Map(rooms.map((room) => [room.config.name, room]))
  const [first] = rooms
  if (first === undefined) throw new Error('no network is served')
  return {
    rooms,
    room: (name) => byName.get(name),
    dispatch:
      rooms.length === 1
        ? first.dispatch
        : (name, raw, call, source) => byName.get(call.network)?.dispatch(name, raw, call, source) ?? noRoom(call.network),
    async started() {
      await Promise.all(rooms.filter(({ config }) => config.local).map(({ opened }) => opened))
      await oneReady(rooms)
      if (rooms.some((room) => room.phase() !== 'failed')) return
      const errors = await Promise.all(rooms.map(({ opened }) => opened))
      if (!errors.some(mayPass)) throw errors[0]
    },
    async close() {
      await Promise.all(rooms.map((room) => room.close()))
    },
  }
}
