import type { Pause } from '../base/yield.ts'
import type { LiveEvent } from './events.ts'

/*
 * Writes events as JSON. An event can have thousands of transactions, and each distinct filter gets others of them. So each transaction and each action is
 * written once, with pauses, and the texts of events are joined from their texts.
 */

/** Texts of transactions and actions by their JSON objects. */
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

/** Writes the transactions and actions of an event into `texts`, with pauses. */
export const writeMembers = async (event: LiveEvent, texts: MemberTexts, pause: Pause): Promise<void> => {
  for (const wire of wiresOf(event)) {
    textOf(wire, texts)
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

const membersText = (members: object, texts: MemberTexts): string =>
  Array.isArray(members)
    ? `[${members.map((member) => textOf(member, texts)).join(',')}]`
    : `{${Object.entries(members)
        .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member, texts)}`)
        .join(',')}}`

/** JSON of what a listener gets of an event, as JSON.stringify writes it. */
export const eventText = (shown: object, texts: MemberTexts): string => {
  const parts = Object.entries(shown)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const isList = (name === 'transactions' || name === 'actions') && typeof member === 'object' && member !== null
      return `${JSON.stringify(name)}:${isList ? membersText(member, texts) : JSON.stringify(member)}`
    })
  return `{${parts.join(',')}}`
}
