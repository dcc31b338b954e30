import { useState } from 'preact/hooks'
import { isNonBounceable } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { shortened } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { useAbout } from '../base/service-about.ts'
import { Act, Choice, Field } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { Hash } from '../parts/values.tsx'
import { AddressField, typedAddress } from './address-field.tsx'
import { preview } from './preview.tsx'
import { typedCoins } from './wallets.tsx'

export const Transfer = () => {
  const { data } = useCall((signal) => ton.local.wallets({}, { signal }), ['wallets'])
  const wallets = data?.wallets ?? []
  const [chosen, choose] = useState('')
  const [to, setTo] = useState('')
  const [amount, setAmount] = useState('1')
  const [comment, setComment] = useState('')
  const from = chosen || wallets[0]?.address || ''
  const hasIndex = useAbout()?.index === true
  const sign = async (): Promise<string> => {
    const target = typedAddress(to)
    const { boc } = await ton.local.signTransfer({
      from,
      to: target,
      amount: typedCoins(amount),
      bounce: !isNonBounceable(target),
      ...(comment !== '' && { comment }),
    })
    return boc
  }
  return (
    <Card title="Send from a wallet">
      <Act
        button="Sign and send"
        disabled={from === ''}
        preview={async () => preview(await sign(), hasIndex)}
        act={async () => {
          const { hash_norm } = await ton.sendBocReturnHash({ boc: await sign() })
          return (
            <>
              Sent. <Hash of={hash_norm} to="tx" />
            </>
          )
        }}
      >
        <Choice
          label="Wallet"
          value={from}
          change={choose}
          choices={wallets.map(({ address, version }) => ({ value: address, text: `${version} ${shortened(address)}` }))}
        />
        <AddressField label="To" value={to} change={setTo} hint="Coins for a bounceable address (EQ…) come back if there is no contract." />
        <Field label="Amount in GRAM" value={amount} change={setAmount} mode="decimal" />
        <Field label="Comment" value={comment} change={setComment} optional />
      </Act>
    </Card>
  )
}
