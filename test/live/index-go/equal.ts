import { openLine } from './line.ts'
import { pathOf } from './measure.ts'

/* Answers of both servers compared value by value. A difference needs a reason. */

/** Where a difference may be, why it is there, and which values it may have. */
interface Reason {
  readonly at: RegExp
  readonly why: string
  readonly accepts?: (theirs: unknown, ours: unknown) => boolean
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const ZEROS = Buffer.alloc(32).toString('base64')
const isZeros = (theirs: unknown, ours: unknown): boolean => isAbsent(theirs) && ours === ZEROS
const isOurs = (theirs: unknown, ours: unknown): boolean => isAbsent(theirs) && !isAbsent(ours)

/** Each is a difference of contract or of the rows that were copied, not of what was found. */
const REASONS: readonly Reason[] = [
  { at: /\.vm_(init|final)_state_hash$/, why: 'our rows have no hash of zeros, and the copied rows have none at all', accepts: isZeros },
  { at: /\.decoded(_opcode)?(\..*)?$/, why: 'its decoder is left out of the build', accepts: isOurs },
  { at: /\.trace_external_hash$/, why: 'it tells the message of a trace only of emulated transactions', accepts: isOurs },
  { at: /^(wallet|account)States.*\.suspended$/, why: 'it does not tell which accounts are suspended', accepts: isOurs },
  { at: /^walletStates.*\.extra_currencies$/, why: 'it has no extra currencies of wallets', accepts: isOurs },
  {
    at: /\.token_info\.#\.is_(nsfw|scam)$/,
    why: 'its flags of tokens come from a list of its operator',
    accepts: (theirs) => theirs === false,
  },
  { at: /\.token_info\.#\./, why: 'metadata is merged with what is on the chain here, and is only what was fetched there' },
  { at: /^nft\/items.*\.real_owner$/, why: 'it tells the real owner only of items on sale', accepts: isOurs },
  {
    at: /\.address_book\..*\.interfaces$/,
    why: 'it has null, not an empty list, for an account whose get-methods are those of no known interface',
    accepts: (theirs, ours) => isAbsent(theirs) && Array.isArray(ours) && ours.length === 0,
  },
  { at: /^topAccountsByBalance\.#\.account$/, why: 'it does not order equal balances' },
]

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

/** Asks both every question and prints what differs. Resolves with how many answers are equal but for differences with a reason. */
export const compareAnswers = async (ours: string, theirs: string, paths: readonly string[]): Promise<number> => {
  const lines = [openLine(theirs), openLine(ours)] as const
  const known = new Map<string, number>()
  const unknown = new Map<string, string[]>()
  let values = 0
  let equal = 0
  for (const path of paths) {
    const list = path.split('?')[0]!
    const [left, right] = await Promise.all(
      lines.map(async ({ ask }) => {
        try {
          return JSON.parse(String(await ask(pathOf(path)))) as unknown
        } catch (error) {
          return { failed: /: (\d+) /.exec(String(error))?.[1] ?? String(error) }
        }
      }),
    )
    values += count(right)
    let same = true
    for (const { path: whole, theirs: a, ours: b } of differences(left, right, list)) {
      // Maps have hashes or addresses as names.
      const at = whole.replace(/\.[A-Za-z0-9+/]{43}=/g, '.*').replace(/\.-?\d+:[0-9A-F]{64}/g, '.*')
      const reason = REASONS.find((each) => each.at.test(at) && (each.accepts?.(a, b) ?? true))
      if (reason) known.set(reason.why, (known.get(reason.why) ?? 0) + 1)
      else {
        same = false
        unknown.set(at, [...(unknown.get(at) ?? []), `${short(a)} there, ${short(b)} here: ${path}`])
      }
    }
    if (same) equal++
  }
  for (const line of lines) line.close()
  console.log(`${equal} of ${paths.length} answers are equal but for what is listed; ${values} values`)
  for (const [why, times] of known) console.log(`  ${times} times: ${why}`)
  for (const [at, told] of unknown) console.log(`  NO REASON, ${told.length} times: ${at}: ${told[0]}`)
  return equal
}
