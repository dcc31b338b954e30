import { expect, it } from 'vitest'
import { createGroups } from '../../server/base/memory/multi-map.ts'
import { fc } from '../kit/property.ts'

it('groups give what a Map of Sets gives', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'add', 'delete'),
    key: fc.constantFrom('a', 'b', ''),
    value: fc.integer({ min: 0, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const groups = createGroups<number>()
      const sets = new Map(['a', 'b', ''].map((key) => [key, new Set<number>()]))
      for (const { what, key, value } of steps) {
        if (what === 'add') {
          groups.add(key, value)
          sets.get(key)!.add(value)
        } else {
          groups.delete(key, value)
          sets.get(key)!.delete(value)
        }
        for (const [each, set] of sets) expect(groups.of(each)).toEqual([...set])
      }
      groups.clear()
      for (const each of sets.keys()) expect(groups.of(each)).toEqual([])
    }),
  )
})
