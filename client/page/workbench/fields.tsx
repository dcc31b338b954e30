import { parseAddress } from '../base/address.ts'
import { unitsOfText } from '../base/format.ts'
import { createStore, useStore } from '../base/store.ts'
import type { Field } from '../parts/form.tsx'

/* Fields of the workbench's forms. */

const offered = createStore<ReadonlyMap<string, string>>(new Map())

/** Adds an address to the suggestions of all fields for addresses. `what`: a short description. */
export const offer = (address: string, what: string): void => {
  if (offered.get().get(address) !== what) offered.set(new Map([...offered.get(), [address, what]]))
}

const LIST = 'known-addresses'

/** A view with fields for addresses must contain this list of suggestions once. */
export const OfferedAddresses = () => (
  <datalist id={LIST}>
    {[...useStore(offered)].map(([address, what]) => (
      <option key={address} value={address}>
        {what}
      </option>
    ))}
  </datalist>
)

type More = Partial<Omit<Field, 'label' | 'read'>>

/** A field whose text has a pattern. */
const matching =
  (pattern: RegExp, fault: string) =>
  (text: string): string => {
    if (!pattern.test(text.trim())) throw new Error(fault)
    return text.trim()
  }

export const text = (label: string, more?: More): Field<string> => ({ label, read: (typed) => typed, ...more })

export const boc = (label: string, more?: More): Field<string> => ({
  label,
  read: (typed) => typed.trim(),
  placeholder: 'te6cck…',
  ...more,
})

export const address = (label: string, more?: More): Field<string> => ({
  label,
  placeholder: 'EQ…, or choose from the list',
  list: LIST,
  read(typed) {
    if (!parseAddress(typed.trim())) throw new Error('This is not an address. Is a letter missing or mistyped?')
    return typed.trim()
  },
  ...more,
})

/** An amount in GRAM, read as nanograms. */
export const coins = (label: string, more?: More): Field<string> => ({
  label,
  mode: 'decimal',
  read(typed) {
    const amount = unitsOfText(typed, 9)
    if (amount === undefined) throw new Error('The amount has to be a number of GRAM, such as 1.5.')
    return amount
  },
  ...more,
})

export const whole = (label: string, what: string, more?: More): Field<number> => ({
  label,
  mode: 'numeric',
  read: (typed) => Number(matching(/^\d{1,9}$/, `${what} has to be a whole number.`)(typed)),
  ...more,
})

export const decimals = (label: string, more?: More): Field<number> => ({
  label,
  mode: 'numeric',
  read: (typed) => Number(matching(/^\d{1,2}$/, 'Decimals are a number from 0 to 99.')(typed)),
  ...more,
})

/** The number of a configuration parameter. */
export const param = (label: string, more?: More): Field<string> => ({
  label,
  placeholder: '17',
  read: matching(/^-?\d{1,10}$/, 'The parameter has to be a whole number.'),
  ...more,
})
