import { parseAddress } from '../base/address.ts'
import { createStore, useStore } from '../base/store.ts'
import { Field } from '../parts/form.tsx'

/* Fields for addresses. They offer the funded wallets and what was deployed in this tab. */

/** Addresses that are offered, with what they are. */
const offered = createStore<ReadonlyMap<string, string>>(new Map())

/** Offers an address in all fields. `what`: what it is, in a few words. */
export const offer = (address: string, what: string): void => {
  if (offered.get().get(address) !== what) offered.set(new Map([...offered.get(), [address, what]]))
}

const LIST = 'known-addresses'

/** The list that the fields offer. It has to be once in a view with such fields. */
export const OfferedAddresses = () => (
  <datalist id={LIST}>
    {[...useStore(offered)].map(([address, what]) => (
      <option key={address} value={address}>
        {what}
      </option>
    ))}
  </datalist>
)

/** An address that somebody typed. Throws an Error whose message is for the user. */
export const typedAddress = (text: string): string => {
  const address = text.trim()
  if (!parseAddress(address)) throw new Error('This is not an address. Is a letter missing or mistyped?')
  return address
}

export const AddressField = (props: Omit<Parameters<typeof Field>[0], 'list' | 'placeholder' | 'mode'>) => (
  <Field {...props} placeholder="EQ…, or choose from the list" list={LIST} />
)
