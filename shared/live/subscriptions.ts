import * as z from 'zod'
import { FieldError, field, readText, rule } from '../fields/field.ts'
import { addresses, hashes } from '../fields/v3/addresses-and-hashes.ts'
import { actionTypes, supportedActionTypes, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { flag, text } from '../models/value-formats.ts'
import { FRIENDLY } from '../samples.ts'

/** Types of events, with their names in `subscribe` and streaming v2. */
export const EVENT_WORDS = [
  'transactions',
  'actions',
  'trace',
  'account_state_change',
  'jettons_change',
  'blocks',
  'trace_invalidated',
] as const
export type EventWord = (typeof EVENT_WORDS)[number]

export const FINALITY_WORDS = ['pending', 'confirmed', 'finalized'] as const

const quote = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 100)

const isWord = (value: unknown): value is EventWord => EVENT_WORDS.some((word) => word === value)

const types = field<readonly EventWord[], EventWord | readonly EventWord[]>({
  what: 'Which events are sent.',
  example: ['transactions'],
  expected: `one or more of: ${EVENT_WORDS.join(', ')}`,
  wire: { type: 'array', items: { type: 'string', enum: [...EVENT_WORDS] } },
  missing: 'types are required',
  absence: { stage: 'validate' },
  read: (value) => {
    const words = Array.isArray(value) ? value : [value]
    if (words.length === 0) throw new FieldError('types are required', { stage: 'validate' })
    for (const word of words) if (!isWord(word)) throw new FieldError(`invalid event type: ${quote(word)}`, { stage: 'validate' })
    return words as EventWord[]
  },
})

const finality = field<(typeof FINALITY_WORDS)[number], (typeof FINALITY_WORDS)[number]>({
  what: 'The lowest finality that is sent; finalized unless given.',
  example: 'finalized',
  expected: 'pending, confirmed or finalized',
  wire: { type: 'string', enum: [...FINALITY_WORDS] },
  read: (value) => {
    const found = FINALITY_WORDS.find((word) => word === value)
    if (found === undefined) throw new FieldError(`unknown finality state: ${quote(value)}`, { stage: 'validate' })
    return found
  },
})

/** Syntax of a cursor. The module that publishes events checks its content. */
const CURSOR = /^[\w.~-]{1,200}$/

export const since = field<string, string>({
  what: 'The cursor of the last event that the caller got, or of a `subscribed` event. What happened since is sent first.',
  example: '5120.q6urq6urq6urq6urq6urqw.AAECAAECAAECAAECAAECAAECAAECAAEC.~',
  expected: 'a cursor as an event had it',
  wire: { type: 'string' },
  read: readText((given) => CURSOR.test(given), 'invalid cursor: it has to be the cursor of an event', 'validate'),
})

/** Parameters that select the events of a subscription or a hook, and the content of the events. */
export const filterFields = {
  types,
  addresses: addresses('Only what touches these accounts.').optional(),
  trace_external_hash_norms: hashes(
    'Of `trace` events, only those of these external messages; normalized hashes and trace ids.',
  ).optional(),
  action_types: actionTypes('Of `actions` events, only actions of these types.').optional(),
  supported_action_types: supportedActionTypes().optional(),
  include_address_book: v3Bool('Whether events have the address book of the accounts that they name.').optional(),
  include_metadata: v3Bool('Whether events have the metadata of the tokens that they name.').optional(),
}

/** True if a filter names accounts or traces, or selects only blocks. */
export const namesAccounts = (p: {
  readonly types: readonly EventWord[]
  readonly addresses?: unknown
  readonly trace_external_hash_norms?: unknown
}): boolean => p.types.every((word) => word === 'blocks') || p.addresses !== undefined || p.trace_external_hash_norms !== undefined
export const accountsRule = rule('addresses are required: every type but blocks needs them', ['addresses'])

const common = {
  heading: 'Subscriptions',
  api: 'v3',
  effect: 'write',
  needs: 'index',
  rest: 'none',
  weight: 1,
  cache: 'never',
  errors: ['INVALID_REQUEST'],
} as const

export const subscriptions = {
  subscribe: method({
    ...common,
    summary: 'Sends events on this WebSocket, as notifications with the id that is answered here.',
    examples: [
      { title: 'transactions of an account', params: { types: ['transactions'], addresses: [FRIENDLY] }, fails: 'INVALID_REQUEST' },
      { title: 'all blocks', params: { types: ['blocks'] }, fails: 'INVALID_REQUEST' },
    ],
    params: z
      .object({
        ...filterFields,
        min_finality: finality.optional(),
        since: since.optional(),
      })
      .refine(namesAccounts, accountsRule),
    result: text('Id of the subscription on this socket.', '1'),
  }),
  unsubscribe: method({
    ...common,
    summary: 'Ends a subscription of this WebSocket.',
    examples: [{ title: 'the first one', params: { subscription: '1' }, fails: 'INVALID_REQUEST' }],
    params: z.object({
      subscription: field<string, string>({
        what: 'The id that subscribe returned.',
        example: '1',
        expected: 'the id of a subscription',
        wire: { type: 'string' },
        missing: 'subscription is required',
        read: readText((given) => /^\d{1,15}$/.test(given), 'subscription must be the id that subscribe returned'),
      }),
    }),
    result: flag('Whether there was such a subscription.'),
  }),
}
