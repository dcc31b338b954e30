import { mapWithPauses } from '../base/yield.ts'
import type { BookAndTokens, LiveEvent } from './events.ts'

/*
 * Writes events as JSON. An event can have thousands of transactions, and each distinct filter gets others of them. So each transaction, each action and the
 * metadata of each account are written once, with pauses, and the texts of events are joined from their texts.
 */

/** Texts of members of lists and maps by their JSON objects. */
export type MemberTexts = WeakMap<object, string>

/** Maximum characters of the transactions and actions of one event, which is sent as one text; and of those that are written before listeners are found. */
const MAX = { event: 1 << 24, written: 1 << 26 } as const

const textOf = (member: unknown, texts: MemberTexts): string => {
  if (typeof member !== 'object' || member === null) return JSON.stringify(member)
  const text = texts.get(member) ?? JSON.stringify(member)
  texts.set(member, text)
  return text
}

function* wiresOf({ body }: LiveEvent): Generator<unknown> {
  if (body.type === 'transactions') for (const { wire } of body.transactions) yield wire
  if (body.type === 'actions' || body.type === 'trace') for (const { wire } of body.actions) yield wire
  if (body.type === 'trace') yield* Object.values((body.wire as { readonly transactions?: object }).transactions ?? {})
}

/** Stops after MAX.written characters. The caller writes each member before it takes the next one. */
function* untilWritten(members: Iterable<unknown>, texts: MemberTexts): Generator<unknown> {
  let left: number = MAX.written
  for (const member of members) {
    yield member
    left -= textOf(member, texts).length
    if (left < 0) return
  }
}

/**
 * Writes the transactions and actions of an event, and the metadata that is sent with it, into `texts`, with pauses. Contracts choose metadata, and that of
 * one account may have half a megabyte. Events of a block share it, so it is written with the first of them.
 */
export const writeMembers = async (
  event: LiveEvent,
  { tokens }: BookAndTokens,
  texts: MemberTexts,
  signal?: AbortSignal,
): Promise<void> => {
  const write = (member: unknown): string => textOf(member, texts)
  await mapWithPauses(untilWritten(wiresOf(event), texts), write, signal)
  if (texts.has(tokens)) return
  await mapWithPauses(Object.values(tokens), write, signal)
  texts.set(tokens, '')
}

/** What one text may still get. */
interface Room {
  left: number
}

/** Texts of the first members for which there is room. */
const fitting = (members: readonly unknown[], texts: MemberTexts, room: Room): string[] => {
  const found: string[] = []
  for (const member of members) {
    const text = textOf(member, texts)
    room.left -= text.length
    if (room.left < 0) break
    found.push(text)
  }
  return found
}

const membersText = (members: object, texts: MemberTexts, room: Room): string => {
  if (Array.isArray(members)) return `[${fitting(members, texts, room).join(',')}]`
  const names = Object.keys(members)
  return `{${fitting(Object.values(members), texts, room)
    .map((text, i) => `${JSON.stringify(names[i])}:${text}`)
    .join(',')}}`
}

const WITH_MEMBERS: ReadonlySet<string> = new Set(['transactions', 'actions', 'metadata'])

/** JSON of what a listener gets of an event, as JSON.stringify writes it. Transactions and actions that do not fit are left out, and it says so. */
export const eventText = (shown: object, texts: MemberTexts): string => {
  const room: Room = { left: MAX.event }
  const parts = Object.entries(shown)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const hasMembers = WITH_MEMBERS.has(name) && typeof member === 'object' && member !== null
      const own = name === 'metadata' ? { left: Number.POSITIVE_INFINITY } : room
      return `${JSON.stringify(name)}:${hasMembers ? membersText(member, texts, own) : JSON.stringify(member)}`
    })
  if (room.left < 0 && !('is_incomplete' in shown)) parts.push('"is_incomplete":true')
  return `{${parts.join(',')}}`
}
