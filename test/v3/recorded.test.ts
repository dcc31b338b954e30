import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../kit/data.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { playScene } from './scene.ts'

/* Answers of TON Center itself, recorded, against ours: the same members of the same types, null where theirs are, in every object of a trace. */

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
  if (Array.isArray(value))
    for (const item of value) collect(item, path.endsWith('.out_msgs') ? `${path}[](${kindOf(item)})` : `${path}[]`, into)
  else if (type === 'object')
    for (const [name, member] of Object.entries(value as object)) {
      const key = /^[A-Za-z0-9+/]{43}=$|^-?\d+:[0-9A-F]{64}$/.test(name) ? '*' : isMessage(name) ? `${name}(${kindOf(member)})` : name
      // A tree's children are trees.
      collect(member, `${path}.${key}`.replace(/(\.children\[\])+/, '.children[]'), into)
    }
}

/** Members that the recorded answers of April 2026 do not have, with the reason. */
const OURS: Readonly<Record<string, string>> = {
  '.transactions.*.in_msg(external-in).hash_norm': 'of the messages in the records it is the hash itself, and left out',
  '.transactions.*.trace_external_hash':
    'TON Center tells it of pending transactions alone; walletkit cannot read a transaction without it',
  '.transactions.*.description.bounce': 'nothing bounces in the records',
  '.transactions.*.description.bounce.type': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_size': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_size.bits': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_size.cells': 'nothing bounces in the records',
  '.transactions.*.description.bounce.msg_fees': 'nothing bounces in the records',
  '.transactions.*.description.bounce.fwd_fees': 'nothing bounces in the records',
}
/** Members that are null somewhere in our history and nowhere in the records, with the reason. */
const NULL_HERE: readonly (readonly [RegExp, string])[] = [
  [
    /\.account_state_(before|after)\.(account_status|balance|code_hash|data_hash|extra_currencies)$/,
    'of accounts that are not there, or not active',
  ],
  [/\.(opcode|decoded_opcode)$/, 'of bodies of less than 32 bits, and of unknown ones'],
  [/\.message_content\.decoded$/, 'of bodies that nothing here knows'],
]
/** Members of the records that nothing in our history has. */
const THEIRS: ReadonlySet<string> = new Set()

describe('recorded answers', () => {
  let service: V3Service
  beforeAll(async () => {
    service = await startV3()
    await playScene(service)
  })
  afterAll(() => service?.close())

  it('recorded answers have the members that ours have, of the same types', async () => {
    const theirs = new Map<string, Set<string>>()
    for (const file of files) for (const trace of readJson<{ traces: unknown[] }>(file).traces) collect(trace, '', theirs)
    const ours = new Map<string, Set<string>>()
    for (const trace of (await service.call('v3.traces', { limit: 100 })).traces) collect(trace, '', ours)

    expect([...ours.keys()].filter((path) => !theirs.has(path)).sort()).toEqual(Object.keys(OURS).sort())
    expect([...theirs.keys()].filter((path) => !ours.has(path) && !THEIRS.has(path)).sort()).toEqual([])
    // Also whether it is null: a member that is null in TON Center's answers is so here, and the other way round.
    const found = [...ours].flatMap(([path, told]) => {
      const recorded = theirs.get(path)
      if (recorded === undefined) return []
      const excused = NULL_HERE.some(([pattern]) => pattern.test(path)) && told.has('null') && !recorded.has('null')
      const types = (set: ReadonlySet<string>) => [...set].filter((type) => !excused || type !== 'null').sort()
      const [a, b] = [types(told).join(' or '), types(recorded).join(' or ')]
      return a === b || (excused && a === '') ? [] : [`${path}: ${a} here, ${b} recorded`]
    })
    expect(found.sort()).toEqual([])
  })
})
