import { type Places, patientPlaces, type SharedPlaces } from '../base/limits/places.ts'
import type { Link } from '../base/threads/link.ts'

/* Connections with events, counted in the primary for all workers together. The places of a worker that dies are free again. */

/** A request of a worker for a place. `place`: the worker's number for it, by which it gives the place back. */
export interface EnterPlace {
  readonly place: number
  readonly client: string
  readonly most: number
}

/** The primary's answer for a place that was taken. Any other number is that of the client's places: there is no more room. */
const TAKEN = -1

/** The places that one worker holds. */
export interface HeldPlaces {
  readonly enter: (asked: EnterPlace) => Promise<number>
  readonly leave: (place: number) => void
  /** Gives all of them back. */
  close(): void
}

export const createHeldPlaces = (places: Places): HeldPlaces => {
  const patient = patientPlaces(places)
  const held = new Map<number, () => void>()
  let isOver = false
  return {
    async enter({ place, client, most }) {
      const entered = await patient.enter(client, most)
      if (typeof entered === 'number') return entered
      // The worker has died meanwhile: nobody would give this place back.
      if (isOver) {
        entered()
        return 0
      }
      held.set(place, entered)
      return TAKEN
    },
    leave(place) {
      held.get(place)?.()
      held.delete(place)
    },
    close() {
      isOver = true
      for (const leave of held.values()) leave()
      held.clear()
    },
  }
}

/** The primary's places, in a worker. `enter` rejects with UNAVAILABLE when the primary is gone. */
export const placesOf = (link: Link): SharedPlaces => {
  let count = 0
  return {
    async enter(client, most) {
      const place = count++
      const answer = await link.ask<number>('enter', { place, client, most } satisfies EnterPlace)
      return answer === TAKEN ? () => link.tell('leave', place) : answer
    },
  }
}
