import { mapWithPauses } from '../base/yield.ts'
import type { BookAndTokens, LiveEvent } from './events.ts'

/*
 * Writes events as JSON. An event can have thousands of transactions, and each distinct filter gets others of them. So each transaction, each action and the
 * metadata of each account are written once, with pauses, and the texts of events are joined from their texts.
 */

/** Texts of members of lists and maps by their JSON objects. */
export type MemberTexts = WeakMap<object, string>

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
  await mapWithPauses(wiresOf(event), write, signal)
  if (texts.has(tokens)) return
  await mapWithPauses(Object.values(tokens), write, signal)
  texts.set(tokens, '')
}

const membersText = (members: object, texts: MemberTexts): string =>
  Array.isArray(members)
    ? `[${members.map((member) => textOf(member, texts)).join(',')}]`
    : `{${Object.entries(members)
        .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member, texts)}`)
        .join(',')}}`

const WITH_MEMBERS: ReadonlySet<string> = new Set(['transactions', 'actions', 'metadata'])

/** JSON of what a listener gets of an event, as JSON.stringify writes it. */
export const eventText = (shown: object, texts: MemberTexts): string => {
  const parts = Object.entries(shown)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const hasMembers = WITH_MEMBERS.has(name) && typeof member === 'object' && member !== null
      return `${JSON.stringify(name)}:${hasMembers ? membersText(member, texts) : JSON.stringify(member)}`
    })
  return `{${parts.join(',')}}`
}
