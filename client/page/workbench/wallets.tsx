import { useEffect, useState } from 'preact/hooks'
import { friendlyOf, parseAddress } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { nanogramsOf } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Account } from '../parts/address.tsx'
import { Copy, Copyable } from '../parts/copy.tsx'
import { Act, Field } from '../parts/form.tsx'
import { Card, Loading, Table } from '../parts/layout.tsx'
import { Amount, Hash } from '../parts/values.tsx'
import { AddressField, offer, typedAddress } from './address-field.tsx'

/** Throws an Error whose message is for the user. */
export const typedCoins = (text: string): string => {
  const amount = nanogramsOf(text)
  if (amount === undefined) throw new Error('The amount has to be a number of GRAM, such as 1.5.')
  return amount
}

export const Faucet = () => {
  const [address, setAddress] = useState('')
  const [amount, setAmount] = useState('100')
  return (
    <Card title="Faucet">
      <Act
        button="Give"
        act={async () => {
          const { transaction_id } = await ton.local.fund({ address: typedAddress(address), amount: typedCoins(amount) })
          return (
            <>
              Given. <Hash of={transaction_id.hash} to="tx" />
            </>
          )
        }}
      >
        <AddressField label="To" value={address} change={setAddress} />
        <Field label="Amount in GRAM" value={amount} change={setAmount} mode="decimal" />
      </Act>
    </Card>
  )
}

/** The non-bounceable form of the address, as wallets show it. */
const walletForm = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed ? friendlyOf(parsed, false) : address
}

/** Number of funded wallets that every embedded chain has. Their mnemonics are public. */
const PUBLIC = 2

export const Wallets = () => {
  const answer = useCall((signal) => ton.local.wallets({}, { signal }), ['wallets'], true)
  const { data } = answer
  useEffect(() => {
    for (const { address, version } of data?.wallets ?? []) offer(walletForm(address), `funded wallet ${version}`)
  }, [data])
  return (
    <Card
      title="Funded wallets"
      side={
        <span class="dim">
          {`test wallets: the words of ${(data?.wallets.length ?? 0) > PUBLIC ? 'the first two' : 'both'} are public, never use them elsewhere`}
        </span>
      }
    >
      <Loading of={answer}>
        {({ wallets }) => (
          <Table
            label="Funded wallets"
            head={['Wallet', 'Version', 'Balance', 'Mnemonic']}
            right={['Balance']}
            empty="This chain has no funded wallets."
            rows={wallets.map(({ address, version, balance, mnemonic }) => ({
              key: address,
              cells: [
                <Copyable text={walletForm(address)} what="Copy the address">
                  <Account of={walletForm(address)} withAddress />
                </Copyable>,
                version,
                <Amount of={balance} />,
                <details class="mnemonic">
                  <summary>24 words</summary>
                  <span class="mono wrap">{mnemonic.join(' ')}</span> <Copy text={mnemonic.join(' ')} what="Copy the mnemonic" />
                </details>,
              ],
            }))}
          />
        )}
      </Loading>
    </Card>
  )
}

export const Deliver = () => {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('1')
  const [body, setBody] = useState('')
  return (
    <Card title="Deliver a message">
      <Act
        button="Deliver"
        act={async () => {
          const boc = body.trim()
          const { transaction_id } = await ton.local.sendInternal({
            from: typedAddress(from),
            to: typedAddress(to),
            amount: typedCoins(amount),
            ...(boc !== '' && { body: boc }),
          })
          return (
            <>
              Delivered. <Hash of={transaction_id.hash} to="tx" />
            </>
          )
        }}
      >
        <AddressField label="From" value={from} change={setFrom} hint="Any account. Nothing is taken from its balance." />
        <AddressField label="To" value={to} change={setTo} />
        <Field label="Amount in GRAM" value={amount} change={setAmount} mode="decimal" />
        <Field label="Body, as a BoC in base64" value={body} change={setBody} optional />
      </Act>
    </Card>
  )
}

export const SendBoc = () => {
  const [boc, setBoc] = useState('')
  return (
    <Card title="Send a BoC">
      <Act
        button="Send"
        act={async () => {
          const { hash_norm } = await ton.sendBocReturnHash({ boc: boc.trim() })
          return (
            <>
              Sent. <Hash of={hash_norm} to="tx" />
            </>
          )
        }}
      >
        <Field label="External message, as a BoC in base64" value={boc} change={setBoc} placeholder="te6cck…" />
      </Act>
    </Card>
  )
}
