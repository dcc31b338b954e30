import { setTimeout as sleep } from 'node:timers/promises'
import { type Case, readCases } from './case-file.ts'
import { canCarry, runCase } from './run-case.ts'
import { createTonCenterTransports, type Transport } from './transports.ts'

/* Replays what has to hold on every server against one. */

export interface ReplayOptions {
  readonly url: string
  readonly folder: string
  /** API key of TON Center. */
  readonly key?: string | undefined
  /** Milliseconds between two requests: TON Center answers one a second without a key. */
  readonly pace?: number
}

/** How a case went over one transport. */
export interface Outcome {
  readonly given: Case
  readonly transport: string
  readonly differences: readonly string[]
}

const ran = async (given: Case, transport: Transport): Promise<readonly string[]> => {
  try {
    return await runCase(given, transport, { isForeign: true })
  } catch (error) {
    return [(error as Error).message]
  }
}

/** TON Center's dialect of JSON-RPC has the methods of v2 alone. */
const isTheirs = ({ section }: Case, { name }: Transport): boolean => name !== 'dialect' || section === 'v2'

/** Runs them one after another. */
export const replay = async ({ url, folder, key, pace = 0 }: ReplayOptions): Promise<readonly Outcome[]> => {
  const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key }
  const transports = createTonCenterTransports({ url: url.replace(/\/$/, ''), headers })
  const outcomes: Outcome[] = []
  for (const given of readCases(folder).filter(({ elsewhere }) => elsewhere !== undefined))
    for (const transport of transports.filter((each) => isTheirs(given, each) && canCarry(given, each))) {
      outcomes.push({ given, transport: transport.name, differences: await ran(given, transport) })
      if (pace > 0) await sleep(pace)
    }
  return outcomes
}

/** A table for people: each method with how many of its cases passed, and below it how the others differ. */
export const tableOf = (outcomes: readonly Outcome[]): string => {
  const methods = new Map<string, Outcome[]>()
  for (const outcome of outcomes) methods.set(outcome.given.method, [...(methods.get(outcome.given.method) ?? []), outcome])
  const width = Math.max(6, ...[...methods.keys()].map(({ length }) => length))
  const row = (name: string, ...cells: readonly string[]): string =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(6))].join('  ')
  const lines = [row('method', 'runs', 'passed')]
  for (const [method, own] of methods) {
    const failed = own.filter(({ differences }) => differences.length > 0)
    lines.push(row(method, String(own.length), String(own.length - failed.length)))
    for (const { given, transport, differences } of failed)
      for (const difference of differences) lines.push(`  ${given.path} over ${transport}: ${difference}`)
  }
  const passed = outcomes.filter(({ differences }) => differences.length === 0).length
  return [...lines, '', `${passed} passed, ${outcomes.length - passed} differ`].join('\n')
}
