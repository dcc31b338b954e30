import { Account } from '../parts/address.tsx'
import { Hash, MasterBlockLink } from '../parts/values.tsx'

/* What a form says after its call. */

export const withTransaction = (what: string, hash: string) => (
  <>
    {what} <Hash of={hash} to="tx" />
  </>
)

export const withAccount = (what: string, address: string) => (
  <>
    {what} <Account of={address} />
  </>
)

export const withBlock = (what: string, { seqno }: { readonly seqno: number }) => (
  <>
    {what} <MasterBlockLink seqno={seqno} />
  </>
)
