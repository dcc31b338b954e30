import { useState } from 'preact/hooks'
import { ton } from '../base/service.ts'
import { Act, Field } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { Account } from '../parts/values.tsx'
import { typedAddress } from './wallets.tsx'

/* Jettons and NFTs for tests. */

/** A whole number of units with its decimals, in smallest units. Throws an Error whose message is for the user. */
const unitsOf = (text: string, decimals: number): string => {
  const [, whole, fraction = ''] = /^\s*(\d{1,60})(?:[.,](\d+))?\s*$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals)
    throw new Error(`The amount has to be a number with at most ${decimals} digits after the point.`)
  return (BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')).toString()
}

const decimalsOf = (text: string): number => {
  if (!/^\d{1,2}$/.test(text.trim())) throw new Error('Decimals are a number from 0 to 99.')
  return Number(text.trim())
}

export const DeployJetton = () => {
  const [name, setName] = useState('Acorn')
  const [symbol, setSymbol] = useState('ACRN')
  const [decimals, setDecimals] = useState('9')
  const [master, setMaster] = useState('')
  const [owner, setOwner] = useState('')
  const [amount, setAmount] = useState('1000')
  return (
    <Card title="Jetton">
      <Act
        button="Deploy"
        act={async () => {
          const { address } = await ton.local.deployJetton({ name, symbol, decimals: decimalsOf(decimals) })
          setMaster(address)
          return (
            <>
              Deployed: <Account of={address} />
            </>
          )
        }}
      >
        <Field label="Name" value={name} change={setName} />
        <Field label="Symbol" value={symbol} change={setSymbol} />
        <Field label="Decimals" value={decimals} change={setDecimals} mode="numeric" />
      </Act>
      <hr />
      <Act
        button="Mint"
        act={async () => {
          const { address } = await ton.local.mintJetton({
            jetton: typedAddress(master),
            owner: typedAddress(owner),
            amount: unitsOf(amount, decimalsOf(decimals)),
          })
          return (
            <>
              Minted into <Account of={address} />
            </>
          )
        }}
      >
        <Field label="Jetton" value={master} change={setMaster} placeholder="EQ…" />
        <Field label="Owner" value={owner} change={setOwner} placeholder="EQ…" />
        <Field label="Amount" value={amount} change={setAmount} mode="decimal" hint="In whole jettons, by the decimals above." />
      </Act>
    </Card>
  )
}

export const DeployCollection = () => {
  const [name, setName] = useState('Leaves')
  const [collection, setCollection] = useState('')
  const [owner, setOwner] = useState('')
  const [item, setItem] = useState('Leaf 1')
  return (
    <Card title="NFTs">
      <Act
        button="Deploy a collection"
        act={async () => {
          const { address } = await ton.local.deployCollection({ name })
          setCollection(address)
          return (
            <>
              Deployed: <Account of={address} />
            </>
          )
        }}
      >
        <Field label="Name" value={name} change={setName} />
      </Act>
      <hr />
      <Act
        button="Mint an item"
        act={async () => {
          const { address } = await ton.local.mintNft({ collection: typedAddress(collection), owner: typedAddress(owner), name: item })
          return (
            <>
              Minted: <Account of={address} />
            </>
          )
        }}
      >
        <Field label="Collection" value={collection} change={setCollection} placeholder="EQ…" />
        <Field label="Owner" value={owner} change={setOwner} placeholder="EQ…" />
        <Field label="Name of the item" value={item} change={setItem} />
      </Act>
    </Card>
  )
}
