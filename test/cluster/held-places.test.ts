import { describe, expect, it } from 'vitest'
import { createPlaces, type Places } from '../../server/base/limits/places.ts'
import { createLink, type Link } from '../../server/base/threads/link.ts'
import { createHeldPlaces, placesOf } from '../../server/cluster/held-places.ts'

/** The two ends of a worker's channel, and how many questions went over it. */
const connectWorker = (places: Places) => {
  const held = createHeldPlaces(places)
  const worker = { link: undefined as unknown as Link, primary: undefined as unknown as Link, held, questions: 0 }
  const answer = (message: unknown): boolean => {
    queueMicrotask(() => worker.link.receive(message))
    return true
  }
  worker.primary = createLink({ send: answer }, { enter: held.enter }, { leave: held.leave })
  const send = (message: { readonly type: string }): boolean => {
    if (message.type === 'ask') worker.questions++
    queueMicrotask(() => worker.primary.receive(message))
    return true
  }
  worker.link = createLink({ send }, {}, {})
  return worker
}

describe('places of workers', () => {
  it('places of workers are waited for in the primary, with one question each', async () => {
    const worker = connectWorker(createPlaces())
    const places = placesOf(worker.link)
    const leave = (await places.enter('a', 1)) as () => void
    expect(await places.enter('a', 1)).toBe(1)
    const waiting = places.enter('a', 1)
    leave()
    expect(await waiting).toBeTypeOf('function')
    expect(worker.questions).toBe(3)
  })

  it('places of workers that have died are free, also those that they waited for', async () => {
    const places = createPlaces()
    const worker = connectWorker(places)
    const leave = places.enter('a', 1) as () => void
    const waiting = worker.held.enter({ place: 0, client: 'a', most: 1 })
    worker.primary.close()
    worker.held.close()
    // This question comes after the end of the worker.
    worker.primary.receive({ type: 'ask', id: 0, kind: 'enter', value: { place: 1, client: 'a', most: 1 } })
    leave()
    expect(await waiting).toBe(0)
    expect(places.enter('a', 1)).toBeTypeOf('function')
  })
})
