import { useState } from 'preact/hooks'
import { parseAddress, rawOf } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { tame, unitsOfText } from '../base/format.ts'
import { status } from '../base/live.ts'
import { ton } from '../base/service.ts'
import { decimalsOf } from '../base/token-metadata.ts'
import { Account } from '../parts/address.tsx'
import { Form } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { address, decimals, offer, text } from './fields.tsx'
import { made } from './results.tsx'

/** Name and decimals of a jetton, from its master's content. Throws an Error whose message is for the user. */
const loadMaster = async (address: string, signal?: AbortSignal) => {
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

/** What an amount of the typed jetton means. */
const AmountHint = ({ of }: { readonly of: string }) => {
  const { data, error } = useCall(parseAddress(of) ? (signal) => loadMaster(of, signal) : undefined, ['master', of])
  if (data !== undefined) return <>{`In whole ${data.name}, which have ${data.decimals} decimals.`}</>
  return <>{error?.message ?? '1000 means 1000 tokens, whatever the decimals of the jetton.'}</>
}

const Mint = ({ master }: { readonly master: string }) => (
  <Form
    title="Mint units of a jetton"
    button="Mint"
    fields={{
      jetton: address('Jetton', { value: master }),
      owner: address('Owner'),
      amount: text('Amount', { value: '1000', mode: 'decimal', hint: ({ jetton = '' }) => <AmountHint of={jetton.trim()} /> }),
    }}
    act={async ({ jetton, owner, amount }) => {
      const { decimals } = await loadMaster(jetton)
      const units = unitsOfText(amount, decimals)
      if (units === undefined) throw new Error(`The amount has to be a number with at most ${decimals} digits after the point.`)
      return made('Minted into', <Account of={(await ton.local.mintJetton({ jetton, owner, amount: units })).address} />)
    }}
  />
)

export const DeployJetton = () => {
  const [master, setMaster] = useState('')
  return (
    <Card title="Jetton">
      <Form
        title="Deploy a new jetton"
        button="Deploy"
        fields={{
          name: text('Name', { value: 'Acorn' }),
          symbol: text('Symbol', { value: 'ACRN' }),
          decimals: decimals('Decimals', { value: '9' }),
        }}
        act={async (values) => {
          const { address } = await ton.local.deployJetton(values)
          setMaster(address)
          offer(address, `jetton ${values.symbol}`)
          return made('Deployed:', <Account of={address} />)
        }}
      >
        <small class="dim">The first funded wallet becomes its admin. Nothing is taken from its balance.</small>
      </Form>
      <hr />
      <Mint master={master} />
    </Card>
  )
}

export const DeployCollection = () => {
  const [collection, setCollection] = useState('')
  return (
    <Card title="NFTs">
      <Form
        title="Deploy a new collection"
        button="Deploy a collection"
        fields={{ name: text('Name', { value: 'Leaves' }) }}
        act={async ({ name }) => {
          const { address } = await ton.local.deployCollection({ name })
          setCollection(address)
          offer(address, `NFT collection ${name}`)
          return made('Deployed:', <Account of={address} />)
        }}
      >
        <small class="dim">The first funded wallet becomes its owner. Nothing is taken from its balance.</small>
      </Form>
      <hr />
      <Form
        title="Mint an item of a collection"
        button="Mint an item"
        fields={{
          collection: address('Collection', { value: collection }),
          owner: address('Owner'),
          name: text('Name of the item', { value: 'Leaf 1' }),
        }}
        act={async (values) => made('Minted:', <Account of={(await ton.local.mintNft(values)).address} />)}
      />
    </Card>
  )
}
