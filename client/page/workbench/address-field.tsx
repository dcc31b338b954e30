import { parseAddress } from '../base/address.ts'
import { createStore, useStore } from '../base/store.ts'
import { Field } from '../parts/form.tsx'

/* Fields for addresses. They suggest the funded wallets, and contracts that were deployed in this tab. */

const offered = createStore<ReadonlyMap<string, string>>(new Map())

/** Adds an address to the suggestions of all fields. `what`: a short description. */
export const offer = (address: string, what: string): void => {
  if (offered.get().get(address) !== what) offered.set(new Map([...offered.get(), [address, what]]))
}

const LIST = 'known-addresses'

/** A view with address fields must contain this list of suggestions once. */
export const OfferedAddresses = () => (
  <datalist id={LIST}>
    {[...useStore(offered)].map(([address, what]) => (
      <option key={address} value={address}>
        {what}
      </option>
    ))}
  </datalist>
)

/** Throws an Error whose message is for the user. */
export const typedAddress = (text: string): string => {
  const address = text.trim()
  if (!parseAddress(address)) throw new Error('This is not an address. Is a letter missing or mistyped?')
  return address
}

export const AddressField = (props: Omit<Parameters<typeof Field>[0], 'list' | 'placeholder' | 'mode'>) => (
  <Field {...props} placeholder="EQ…, or choose from the list" list={LIST} />
)
