import * as z from 'zod'
import { address, formatRaw } from './address.ts'
import { jsonBool } from './bool.ts'
import { bytes } from './bytes.ts'
import { quote } from './field.ts'
import { coins, extraUnits } from './ints.ts'

const MAX_MESSAGES = 16
const MAX_OVERRIDES = 64
const MAX_CURRENCIES = 16

/** Error texts of an object with these members, in place of zod's. */
const objectOf = (members: string) => ({
  error: (issue: z.core.$ZodRawIssue): string =>
    issue.code === 'unrecognized_keys'
      ? `unknown member ${quote(issue.keys[0])} (expected ${members})`
      : `must be an object with ${members}`,
})

const MESSAGES = `must be a list of 1 to ${MAX_MESSAGES} objects with boc and ignore_chksig`
export const bundleMessages = z
  .array(
    z.strictObject(
      {
        boc: bytes('The message, external or internal, as a BoC.'),
        ignore_chksig: jsonBool('Lets every signature check of its first transaction pass.').default(false),
      },
      objectOf('boc, ignore_chksig'),
    ),
    MESSAGES,
  )
  .min(1, MESSAGES)
  .max(MAX_MESSAGES, MESSAGES)

const CURRENCIES = 'must be an object from numbers of currencies (0 to 4294967295) to amounts'
const currency = z.string().refine((id) => /^(0|[1-9]\d{0,9})$/.test(id) && Number(id) <= 0xffff_ffff)
const currencies = z.record(currency, extraUnits('Amount in its smallest units.'), {
  error: (issue) => (issue.code === 'invalid_key' ? 'is not the number of a currency' : CURRENCIES),
})
/** Refuses too many members before each of them gets an issue of its own. */
const fewCurrencies = (given: z.input<typeof currencies>, ctx: z.RefinementCtx): unknown => {
  if (typeof given !== 'object' || given === null || Object.keys(given).length <= MAX_CURRENCIES) return given
  ctx.addIssue({ code: 'custom', message: `may have at most ${MAX_CURRENCIES} currencies` })
  return z.NEVER
}
const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

const override = z
  .strictObject(
    {
      address: address('The account.', { missing: (name) => `${name} is required`, refused: (name) => `${name} is not an address` }),
      balance: coins('Its balance.').optional(),
      extra_currencies: z
        .preprocess(fewCurrencies, currencies)
        .meta({ description: 'All its other currencies, by the numbers of these.', examples: [{ 7: '1000' }] })
        .optional(),
      code: bytes('Its code, as a BoC.').optional(),
      data: bytes('Its data, as a BoC.').optional(),
      status: z
        .enum(STATUSES, `must be one of ${STATUSES.join(', ')}`)
        .meta({ description: 'The state that it is put into after its code and data are replaced.', examples: ['frozen'] })
        .optional(),
    },
    objectOf('address, balance, extra_currencies, code, data, status'),
  )
  .superRefine(({ status, ...given }, ctx) => {
    const { balance, extra_currencies: extra, code, data } = given
    const say = (message: string, ...path: string[]) => ctx.addIssue({ code: 'custom', message, path })
    if ([status, balance, extra, code, data].every((member) => member === undefined))
      say('changes nothing: at least one of balance, extra_currencies, code, data, status should be specified')
    if (status === 'nonexist' && [balance, extra, code, data].some((member) => member !== undefined))
      say('is nonexist, so there is no balance, extra_currencies, code or data', 'status')
    if (status === 'uninit' && (code ?? data)) say('is uninit, so there is no code or data', 'status')
  })

const OVERRIDES = `must be a list of at most ${MAX_OVERRIDES} objects with address and what is replaced`
export const accountOverrides = z
  .array(override, OVERRIDES)
  .max(MAX_OVERRIDES, OVERRIDES)
  .superRefine((all, ctx) => {
    const first = new Map<string, number>()
    for (const [i, each] of all.entries()) {
      const raw = formatRaw(each.address, 'upper')
      const before = first.get(raw)
      if (before === undefined) first.set(raw, i)
      else ctx.addIssue({ code: 'custom', message: `is that of overrides[${before}]: each account has one override`, path: [i, 'address'] })
    }
  })
