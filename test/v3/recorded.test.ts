import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../kit/data.ts'
import { playScene } from './scene.ts'
import { startV3, type V3Service } from './service.ts'

/* Answers of TON Center itself, recorded, against ours: the same members of the same types in every object of a trace. */

const files = ['testnet-trace-2tx.json', 'testnet-trace-5tx.json'].map((name) => `recorded/toncenter-v3/${name}`)

const isMessage = (name: string): boolean => name === 'in_msg'
/** What is null of a message goes by its kind. */
const kindOf = (message: unknown): string => {
  if (message === null) return 'none'
  const { source, destination } = message as { source: string | null; destination: string | null }
  return source === null ? 'external-in' : destination === null ? 'external-out' : 'internal'
}

/** Types of every member, null among them, by its path; keys that are hashes or addresses and places in lists are one. Below `decoded` is the body's business. */
const collect = (value: unknown, path: string, into: Map<string, Set<string>>): void => {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  into.set(path, (into.get(path) ?? new Set()).add(type))
  if (path.endsWith('.decoded')) return
  if (Array.isArray(value)) for (const item of value) collect(item, path.endsWith('.out_msgs') ? `${path}[](${kindOf(item)})` : `${path}[]`, into)
  else if (type === 'object')
    for (const [name, member] of Object.entries(value as object)) {
      const key = /^[A-Za-z0-9+/]{43}=$|^-?\d+:[0-9A-F]{64}$/.test(name) ? '*' : isMessage(name) ? `${name}(${kindOf(member)})` : name
      // A tree's children are trees.
      collect(member, `${path}.${key}`.replace(/(\.children\[\])+/, '.children[]'), into)
    }
}

/** Members that the recorded answers of April 2026 do not have, with the reason. */
const OURS: Readonly<Record<string, string>> = {
  '.transactions.*.in_msg.hash_norm': 'newer than the records (v3.md 4)',
  '.transactions.*.description.bounce': 'nothing bounces in the records',
  '.transactions.*.description.bounce.type': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_size': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_size.bits': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_size.cells': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_fees': 'nothing bounces in the records',
  '.transactions.*.description.bounce.fwd_fees': 'nothing bounces in the records',
}
/** Members of the records that nothing in our history has. */
const THEIRS: ReadonlySet<string> = new Set()

describe('recorded answers', () => {
  let service: V3Service
  beforeAll(async () => {
    service = await startV3()
    await playScene(service)
  })
  afterAll(() => service?.close())

  it('have the members that ours have, of the same types', async () => {
    const theirs = new Map<string, Set<string>>()
    for (const file of files) for (const trace of readJson<{ traces: unknown[] }>(file).traces) collect(trace, '', theirs)
    const ours = new Map<string, Set<string>>()
    for (const trace of (await service.call('v3.traces', { limit: 100 })).traces) collect(trace, '', ours)

    expect([...ours.keys()].filter((path) => !theirs.has(path)).sort()).toEqual(Object.keys(OURS).sort())
    expect([...theirs.keys()].filter((path) => !ours.has(path) && !THEIRS.has(path)).sort()).toEqual([])
    const found = [...ours].flatMap(([path, told]) => {
      const recorded = theirs.get(path)
      const [a, b] = [[...told].sort().join(' or '), [...(recorded ?? [])].sort().join(' or ')]
      return recorded === undefined || a === b ? [] : [`${path}: ${a} here, ${b} recorded`]
    })
    expect(found.sort()).toEqual([])
  })
})
