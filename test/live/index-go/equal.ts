import { createAsker } from './measure.ts'

/* Answers of both servers compared value by value. A difference needs a reason. */

/** Where a difference may be, why it is there, and which values it may have. */
interface Reason {
  readonly at: RegExp
  readonly why: string
  readonly accepts?: (theirs: unknown, ours: unknown) => boolean
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const REASONS: readonly Reason[] = []

interface Difference {
  readonly path: string
  readonly theirs: unknown
  readonly ours: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The values that differ, with their paths; places in lists are `#`. */
function* differences(theirs: unknown, ours: unknown, path = ''): Generator<Difference> {
  if (isObject(theirs) && isObject(ours) && Array.isArray(theirs) === Array.isArray(ours)) {
    const isList = Array.isArray(theirs)
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)]))
      yield* differences(theirs[name], ours[name], `${path}.${isList ? '#' : name}`)
  } else if (theirs !== ours && !(isAbsent(theirs) && isAbsent(ours))) yield { path, theirs, ours }
}

const count = (value: unknown): number => (isObject(value) ? Object.values(value).reduce<number>((sum, each) => sum + count(each), 0) : 1)

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 120) ?? 'nothing'

/** Asks both every question and prints what differs. False if a difference has no reason. */
export const compareAnswers = async (ours: string, theirs: string, paths: readonly string[]): Promise<boolean> => {
  const askers = [createAsker(theirs, 1), createAsker(ours, 1)] as const
  const known = new Map<string, number>()
  const unknown = new Map<string, string[]>()
  let values = 0
  let equal = 0
  for (const path of paths) {
    const list = path.split('?')[0]!
    const [left, right] = await Promise.all(
      askers.map(async ({ ask }) => {
        try {
          return JSON.parse(await ask(path)) as unknown
        } catch (error) {
          return { failed: /: (\d+) /.exec(String(error))?.[1] ?? String(error) }
        }
      }),
    )
    values += count(right)
    let same = true
    for (const { path: at, theirs: a, ours: b } of differences(left, right, list)) {
      const reason = REASONS.find((each) => each.at.test(at) && (each.accepts?.(a, b) ?? true))
      if (reason) known.set(reason.why, (known.get(reason.why) ?? 0) + 1)
      else {
        same = false
        unknown.set(at, [...(unknown.get(at) ?? []), `${short(a)} there, ${short(b)} here: ${path}`])
      }
    }
    if (same) equal++
  }
  for (const { close } of askers) close()
  console.log(`${equal} of ${paths.length} answers are equal but for what is listed; ${values} values`)
  for (const [why, times] of known) console.log(`  ${times} times: ${why}`)
  for (const [at, lines] of unknown) console.log(`  NO REASON, ${lines.length} times: ${at}: ${lines[0]}`)
  return unknown.size === 0
}
