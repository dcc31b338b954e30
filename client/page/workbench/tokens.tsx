import { useState } from 'preact/hooks'
import { parseAddress, rawOf } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { tame } from '../base/format.ts'
import { status } from '../base/live.ts'
import { ton } from '../base/service.ts'
import { decimalsOf } from '../base/token-metadata.ts'
import { Account } from '../parts/address.tsx'
import { Act, Field } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { AddressField, offer, typedAddress } from './address-field.tsx'

/** Converts a typed amount to smallest units. Throws an Error whose message is for the user. */
const unitsOf = (text: string, decimals: number): string => {
  const [, whole, fraction = ''] = /^\s*(\d{1,60})(?:[.,](\d+))?\s*$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals)
    throw new Error(`The amount has to be a number with at most ${decimals} digits after the point.`)
  return (BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')).toString()
}

const typedDecimals = (text: string): number => {
  if (!/^\d{1,2}$/.test(text.trim())) throw new Error('Decimals are a number from 0 to 99.')
  return Number(text.trim())
}

interface Master {
  readonly name: string
  readonly decimals: number
}

/** Name and decimals of a jetton, from its master's content. Throws an Error whose message is for the user. */
const loadMaster = async (address: string, signal?: AbortSignal): Promise<Master> => {
  const data = await ton.getTokenData({ address }, { signal })
  if (data['@type'] !== 'ext.tokens.jettonMasterData') throw new Error('This account is no jetton.')
  const content = data.jetton_content.data
  const said: Readonly<Record<string, string>> = typeof content === 'object' ? content : {}
  const raw = rawOf(parseAddress(address)!)
  // If a part of the content is off-chain, only the index has it.
  const isWhole = typeof content === 'object' && (said['decimals'] !== undefined || said['uri'] === undefined)
  const metadata = isWhole
    ? { [raw]: { is_indexed: true, token_info: [] } }
    : status.get()?.index
      ? await ton.v3.metadata({ address: [raw] }, { signal })
      : {}
  const decimals = decimalsOf(raw, { book: {}, metadata }, said)
  if (decimals === undefined) throw new Error('This jetton does not say how many decimals it has, so that an amount has no meaning.')
  return { name: tame(String(said['symbol'] ?? said['name'] ?? 'jettons'), 20), decimals }
}

const Mint = ({ master, setMaster }: { readonly master: string; readonly setMaster: (address: string) => void }) => {
  const [owner, setOwner] = useState('')
  const [amount, setAmount] = useState('1000')
  const typed = master.trim()
  const found = useCall(parseAddress(typed) ? (signal) => loadMaster(typed, signal) : undefined, ['master', typed])
  const hint =
    found.data === undefined
      ? (found.error?.message ?? '1000 means 1000 tokens, whatever the decimals of the jetton.')
      : `In whole ${found.data.name}, which have ${found.data.decimals} decimals.`
  return (
    <Act
      title="Mint units of a jetton"
      button="Mint"
      act={async () => {
        const jetton = typedAddress(master)
        const { decimals } = await loadMaster(jetton)
        const { address } = await ton.local.mintJetton({ jetton, owner: typedAddress(owner), amount: unitsOf(amount, decimals) })
        return (
          <>
            Minted into <Account of={address} />
          </>
        )
      }}
    >
      <AddressField label="Jetton" value={master} change={setMaster} />
      <AddressField label="Owner" value={owner} change={setOwner} />
      <Field label="Amount" value={amount} change={setAmount} mode="decimal" hint={hint} />
    </Act>
  )
}

export const DeployJetton = () => {
  const [name, setName] = useState('Acorn')
  const [symbol, setSymbol] = useState('ACRN')
  const [decimals, setDecimals] = useState('9')
  const [master, setMaster] = useState('')
  return (
    <Card title="Jetton">
      <Act
        title="Deploy a new jetton"
        button="Deploy"
        act={async () => {
          const { address } = await ton.local.deployJetton({ name, symbol, decimals: typedDecimals(decimals) })
          setMaster(address)
          offer(address, `jetton ${symbol}`)
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
        <small class="dim">The first funded wallet becomes its admin. Nothing is taken from its balance.</small>
      </Act>
      <hr />
      <Mint master={master} setMaster={setMaster} />
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
        title="Deploy a new collection"
        button="Deploy a collection"
        act={async () => {
          const { address } = await ton.local.deployCollection({ name })
          setCollection(address)
          offer(address, `NFT collection ${name}`)
          return (
            <>
              Deployed: <Account of={address} />
            </>
          )
        }}
      >
        <Field label="Name" value={name} change={setName} />
        <small class="dim">The first funded wallet becomes its owner. Nothing is taken from its balance.</small>
      </Act>
      <hr />
      <Act
        title="Mint an item of a collection"
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
        <AddressField label="Collection" value={collection} change={setCollection} />
        <AddressField label="Owner" value={owner} change={setOwner} />
        <Field label="Name of the item" value={item} change={setItem} />
      </Act>
    </Card>
  )
}
