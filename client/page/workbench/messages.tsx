import type { Methods } from '../../index.ts'
import { isNonBounceable } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { shortened } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { useAbout } from '../base/value-lookups.ts'
import { Form, optional } from '../parts/form.tsx'
import { Card } from '../parts/layout.tsx'
import { address, boc, coins, text } from './fields.tsx'
import { preview } from './preview.tsx'
import { withTransaction } from './results.tsx'

/* Forms that send coins and messages. */

export const Faucet = () => (
  <Card title="Faucet">
    <Form
      button="Give"
      fields={{ address: address('To'), amount: coins('Amount in GRAM', { value: '100' }) }}
      act={async (values) => withTransaction('Given.', (await ton.local.fund(values)).transaction_id.hash)}
    />
  </Card>
)

export const Deliver = () => (
  <Card title="Deliver a message">
    <Form
      button="Deliver"
      fields={{
        from: address('From', { hint: 'Any account. Nothing is taken from its balance.' }),
        to: address('To'),
        amount: coins('Amount in GRAM', { value: '1' }),
        body: optional(boc('Body, as a BoC in base64', { placeholder: '' })),
      }}
      act={async (values) => withTransaction('Delivered.', (await ton.local.sendInternal(values)).transaction_id.hash)}
    />
  </Card>
)

const send = async (boc: string) => withTransaction('Sent.', (await ton.sendBocReturnHash({ boc })).hash_norm)

export const SendBoc = () => (
  <Card title="Send a BoC">
    <Form button="Send" fields={{ boc: boc('External message, as a BoC in base64') }} act={(values) => send(values.boc)} />
  </Card>
)

const sign = async (values: Methods['local.signTransfer']['params']): Promise<string> =>
  (await ton.local.signTransfer({ ...values, bounce: !isNonBounceable(values.to) })).boc

export const Transfer = () => {
  const { data } = useCall((signal) => ton.local.wallets({}, { signal }), ['wallets'])
  const wallets = data?.wallets ?? []
  const hasIndex = useAbout()?.index === true
  return (
    <Card title="Send from a wallet">
      <Form
        button="Sign and send"
        disabled={wallets.length === 0}
        fields={{
          from: text('Wallet', {
            value: wallets[0]?.address ?? '',
            choices: wallets.map(({ address, version }) => ({ value: address, text: `${version} ${shortened(address)}` })),
          }),
          to: address('To', { hint: 'Coins for a bounceable address (EQ…) come back if there is no contract.' }),
          amount: coins('Amount in GRAM', { value: '1' }),
          comment: optional(text('Comment')),
        }}
        preview={async (values) => preview(await sign(values), hasIndex)}
        act={async (values) => send(await sign(values))}
      />
    </Card>
  )
}
