import * as z from 'zod'
import { field, readText } from './fields/field.ts'
import { accountsRule, EVENT_WORDS, filterFields, namesAccounts, since } from './live/subscriptions.ts'
import { method } from './method.ts'
import { flag, int, many, model, rawUpper, text, utime, words } from './models/value-formats.ts'
import { FRIENDLY } from './samples.ts'

const MAX_URL = 2_048
const EXAMPLE_ID = 'hook_VGhpcyBpcyBhIGhvb2s'

const url = field<string, string>({
  what: 'Where events are sent, by POST. https; http only to hosts of `TONWAY_HOOKS_ALLOW` and, on an embedded chain that checks no keys, to this machine.',
  example: 'https://example.com/hooks/ton',
  expected: `an https URL of at most ${MAX_URL} characters, without user name and password`,
  wire: { type: 'string', format: 'uri', maxLength: MAX_URL },
  read: readText((given) => given.length <= MAX_URL && /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(given)),
})

const id = field<string, string>({
  what: 'The id of the hook, as `hooks.create` returned it.',
  example: EXAMPLE_ID,
  expected: 'the id of a hook',
  wire: { type: 'string' },
  read: readText((given) => /^hook_[\w-]{1,40}$/.test(given)),
})

const members = {
  id: text('The id of the hook.', EXAMPLE_ID),
  url: text('Where events are sent.', 'https://example.com/hooks/ton'),
  types: many('Which events are sent.', words('The type of an event.', EVENT_WORDS)),
  addresses: many('Accounts that the events are about.', rawUpper('An account.')).optional(),
  trace_external_hash_norms: many('Traces that the events are about.', text('A hash, base64.')).optional(),
  action_types: many('Types of actions that are sent.', text('A type.', 'ton_transfer')).optional(),
  state: words(
    'Whether the last delivery succeeded (active), or failed and is tried again (failing), or nothing is sent until `hooks.test` succeeds (paused).',
    ['active', 'failing', 'paused'],
  ),
  reason: text('Why the last delivery failed; null if it did not.', 'answered with 500').nullable(),
  failures: int('How often delivery failed since the last success.', 0),
  next_try: utime('When delivery is tried again; null unless the hook is failing.').nullable(),
  cursor: text('The last event that was delivered, or the place where the hook begins; stored with a delay.'),
  created_at: utime('When the hook was made.'),
}
const hook = model('Hook', members)

const common = { heading: 'Webhooks', api: 'v3', needs: 'index', cache: 'never' } as const
const write = { ...common, effect: 'write', rest: 'POST', errors: ['NOT_FOUND'] } as const

export const hooks = {
  'hooks.create': method({
    ...write,
    weight: 5,
    errors: [],
    summary:
      'Makes a webhook: finalized events are sent to a URL by POST, in order, each at least once, signed as Standard Webhooks has it. Only this answer has the secret. A hook belongs to the owner of the API key, who may have 100.',
    examples: [
      { title: 'to a private address', params: { url: 'https://10.0.0.1/', types: ['blocks'] }, fails: 'INVALID_PARAMS' },
      {
        title: 'transactions of an account, to a private address',
        params: { url: 'https://192.168.0.1/ton', types: ['transactions'], addresses: [FRIENDLY] },
        fails: 'INVALID_PARAMS',
      },
    ],
    params: z.object({ url, ...filterFields, since: since.optional() }).refine(namesAccounts, accountsRule),
    result: model('NewHook', {
      ...members,
      secret: text('Signs the deliveries; it is not shown again.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    }),
  }),
  'hooks.list': method({
    ...common,
    effect: 'read',
    rest: 'GET',
    weight: 1,
    summary: "The webhooks of the key's owner, and how their deliveries go.",
    examples: [{ title: 'all', params: {} }],
    params: z.object({}),
    result: model('Hooks', { hooks: many('The hooks, the newest first.', hook) }),
  }),
  'hooks.delete': method({
    ...write,
    weight: 1,
    errors: [],
    summary: 'Deletes a webhook: nothing is sent any more.',
    examples: [{ title: 'one that is not there', params: { id: EXAMPLE_ID } }],
    params: z.object({ id }),
    result: model('DeletedHook', { deleted: flag('Whether there was such a hook.') }),
  }),
  'hooks.test': method({
    ...write,
    weight: 5,
    deadline: 15_000,
    summary: 'Sends an event of type `test` to a webhook now. If the receiver takes it, a failing or paused one goes on from where it was.',
    examples: [{ title: 'one that is not there', params: { id: EXAMPLE_ID }, fails: 'NOT_FOUND' }],
    params: z.object({ id }),
    result: model('HookTest', {
      success: flag('Whether the receiver answered with a status from 200 to 299.'),
      reason: text('Why the delivery failed; null if it did not.', 'answered with 500').nullable(),
      milliseconds: int('How long it took.', 12),
    }),
  }),
}
