import type { Facts } from '../../server/actions/facts.ts'
import type { Trace, TraceMessage } from '../../server/actions/trace.ts'
import { endSteps } from '../../server/base/yield.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { classify, inspectBody, requiredFacts, rows, showBody } from '../../server/protocols/index.ts'
import { COMPOSED } from '../actions/composed.ts'
import { factsOf, recordedTraces, traceOf } from '../actions/recorded.ts'
import { bodyMaker } from '../decode/arbitrary.ts'
import { bombify, type Sites, sitesOf } from '../kit/bombify.ts'
import { hostileCell, hostileDict, hostileLeaf, KEY_WIDTHS, plainDicts, throughBoc } from '../kit/hostile-cells.ts'
import type { Random } from '../kit/random.ts'
import type { Target } from './attack.ts'
import { type CellReader, cellReaders } from './readers.ts'
import { realCells } from './real-cells.ts'

/* Readers of foreign cells with the bombs that reach far into them. */

/** Real cells that one reader takes at most. */
const MAX_SEEDS = 8

/** Something that no real cell shows: a bare dictionary, or one behind a few bits, as HashmapE is. */
const plainBomb = (random: Random): Cell => {
  const dict = hostileDict(random, random.pick(KEY_WIDTHS), {
    value: hostileLeaf(random),
    extra: random.chance(0.2) ? beginCell().storeUint(0, 5).end() : EMPTY_CELL,
  })
  switch (random.below(3)) {
    case 0:
      return dict
    case 1: {
      const b = beginCell()
        .storeUint(random.pick([0, 1, 3, 7, 15]), 4)
        .storeBytes(random.bytes(random.below(40)))
      for (let i = random.below(4); i >= 0; i--) b.storeRef(dict)
      return b.end()
    }
    default:
      return hostileCell(random)
  }
}

const acceptedBy = ({ read }: CellReader, cells: readonly Cell[]): Sites[] => {
  const found: Sites[] = []
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  for (const cell of cells) {
    try {
      read(cell)
      found.push(sitesOf(cell))
    } catch {
      // Of another kind.
    }
    if (found.length === MAX_SEEDS) break
  }
  Error.stackTraceLimit = limit
  return found
}

/** Every reader of one cell, with bombs in real cells that it takes: up to `perForm` of each form. */
export const readerTargets = async (perForm: number): Promise<readonly Target[]> => {
  const cells = perForm === 0 ? [] : realCells(perForm)
  const plain = plainDicts().map(throughBoc)
  return (await cellReaders()).map((reader) => {
    let seeds: Sites[] | undefined
    return {
      name: reader.name,
      arm: (random, number) => {
        seeds ??= acceptedBy(reader, cells)
        const ready = plain[number]
        if (ready !== undefined) return () => reader.read(ready)
        const bomb = seeds.length > 0 && random.chance(0.8) ? bombify(random.pick(seeds), random) : plainBomb(random)
        if (bomb === undefined) return undefined
        const read = random.chance(0.7) ? throughBoc(bomb) : bomb
        return () => reader.read(read)
      },
    }
  })
}

/** Bodies of each line of the catalogue, whose payloads and dictionaries are bombs, by all ways of decoding. */
export const bodyTargets = (): readonly Target[] =>
  rows
    .filter(({ kind }) => typeof kind === 'string')
    .map((row) => ({
      name: `body ${row.tag.toString(16).padStart(8, '0')} ${row.name}`,
      arm: (random) => {
        const parts = {
          payload: () => hostileCell(random),
          dictionary: (width: number, value: Cell) => hostileDict(random, width, { value }),
        }
        const body = bodyMaker(rows, random.below, parts)(row)
        if (body === undefined) return undefined
        const read = throughBoc(body)
        return random.pick([() => showBody(read), () => inspectBody(read)])
      },
    }))

/** A body with a bomb in the place of a dictionary or of another reference. */
const bombInBody = (sites: Sites, random: Random): Cell => {
  const { root } = sites
  if (root.refCount > 0) return bombify(sites, random) ?? root
  // No reference: the last bit becomes that of a Maybe, whose bomb stands behind it.
  return root.bits === 0
    ? plainBomb(random)
    : beginCell()
        .storeBits(root.data(), root.bits - 1)
        .storeBit(1)
        .storeRef(plainBomb(random))
        .end()
}

/** A trace of which most bodies have a bomb. A body is the same where it is sent and where it arrives. */
const traceTarget = (name: string, facts: Facts, makeTrace: () => Trace): Target => {
  const sites = new Map<string, Sites>()
  const bombIn = (hash: string, body: Cell, random: Random): Cell => {
    const known = sites.get(hash) ?? sitesOf(body)
    sites.set(hash, known)
    return throughBoc(bombInBody(known, random))
  }
  return {
    name: `actions of ${name}`,
    arm: (random) => {
      const bodies = new Map<string, Cell>()
      const bombed = (message: TraceMessage): TraceMessage => {
        const { hash, body, init } = message
        if (!bodies.has(hash)) bodies.set(hash, body.exotic || random.chance(0.5) ? body : bombIn(hash, body, random))
        return { ...message, body: bodies.get(hash)!, init: init && random.chance(0.3) ? plainBomb(random) : init }
      }
      const { id, transactions } = makeTrace()
      const trace = {
        id,
        transactions: transactions.map((tx) => ({
          ...tx,
          inMessage: tx.inMessage && bombed(tx.inMessage),
          outMessages: tx.outMessages.map(bombed),
        })),
      }
      return () => {
        endSteps(requiredFacts(trace))
        const { error } = classify(trace, facts)
        if (error !== undefined) throw error
      }
    },
  }
}

/** The traces that the tests of actions know: between them they lead to every kind of action. */
export const actionTargets = (): readonly Target[] => [
  ...COMPOSED.map(({ type, trace, facts }, i) => traceTarget(`${type} ${i}`, facts, () => trace)),
  ...Object.entries(recordedTraces()).map(([name, recorded]) => traceTarget(name, factsOf(recorded), () => traceOf(name, recorded))),
]

/** The walks of all cells of a tree: they go by cells, not by paths. */
export const cellTargets = (): readonly Target[] => {
  const walks: Readonly<Record<string, (cell: Cell) => unknown>> = {
    serializeBoc: (cell) => serializeBoc(cell),
    hash: (cell) => cell.hashHex(),
    depth: (cell) => cell.depth(),
  }
  return Object.entries(walks).map(([name, walk]) => ({
    name: `cells ${name}`,
    arm: (random) => {
      const cell = hostileCell(random)
      return () => walk(cell)
    },
  }))
}
