import { type Field, FieldError, field, integerOrText } from '../field.ts'
import { readInteger } from '../ints.ts'
import { unconvertible } from './convert-errors.ts'
import { supportedActionTypes, v3Bool } from './words.ts'

/** Milliseconds. A value above the call's deadline has no effect. */
const milliseconds = (what: string): Field<number, number | string> =>
  field({
    what,
    example: 5000,
    expected: 'milliseconds, at least 1',
    wire: integerOrText({ minimum: 1 }),
    read: (value) => {
      const n = readInteger(value)
      if (n === undefined || n < 1n || n > 2n ** 31n - 1n) throw new FieldError(unconvertible)
      return Number(n)
    },
  })

export const patience = { x_timeout: milliseconds('How long the database may take.').optional() }

/** `x_timeout`, and switches that omit the address book and the metadata. */
export const overrides = {
  ...patience,
  x_no_address_book: v3Bool('Leaves `address_book` empty.').optional(),
  x_no_metadata: v3Bool('Leaves `metadata` empty.').optional(),
}

/** Parameter of all methods that return actions. */
export const actionsVersion = {
  x_actions_version: supportedActionTypes('Used instead of `supported_action_types`: one version or one name.').optional(),
}

/** Parameters by the HTTP header that sets them. */
export const OVERRIDE_HEADERS: Readonly<Record<string, string>> = {
  'x-timeout': 'x_timeout',
  'x-no-address-book': 'x_no_address_book',
  'x-no-metadata': 'x_no_metadata',
  'x-actions-version': 'x_actions_version',
}
