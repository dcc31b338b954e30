import type { ComponentChildren } from 'preact'
import type { Methods } from '../../index.ts'
import { isNonBounceable } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { shortened } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Transaction } from '../base/types.ts'
import { useAbout } from '../base/value-lookups.ts'
import { ActionList } from '../parts/action-list.tsx'
import { BehindContext } from '../parts/action-transactions.tsx'
import { AnswerNames } from '../parts/answer-names.tsx'
import { BalanceChanges } from '../parts/balance-change-list.tsx'
import { Form, optional } from '../parts/form.tsx'
import { Card, Facts } from '../parts/layout.tsx'
import { totalFees } from '../parts/outcome.ts'
import { byCause } from '../parts/sort-actions.ts'
import { Amount, Badge } from '../parts/values.tsx'
import { address, boc, coins, text } from './fields.tsx'
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

const preview = async (boc: string, hasIndex: boolean): Promise<ComponentChildren> => {
  const answer = await ton.emulate.bundle({ messages: [{ boc }], include_address_book: hasIndex, include_metadata: hasIndex })
  const [result] = answer.results
  const { actions, failure, is_incomplete } = result!
  const transactions: Readonly<Record<string, Transaction>> = result!.transactions
  const all = Object.values(transactions)
  return (
    <AnswerNames of={answer}>
      <section class="preview" aria-label="Preview">
        <p class="dim">Nothing is sent. This would follow now:</p>
        {failure ? <Badge tone="bad">{failure.message}</Badge> : <Badge tone="ok">success</Badge>}
        <BehindContext.Provider value={{ transactions, unsent: undefined }}>
          <ActionList actions={byCause(actions)} exact linksTo="nothing" pending />
        </BehindContext.Provider>
        {all.length > 0 && (
          <Facts
            rows={{
              'Total fees': <Amount of={totalFees(all)} exact />,
              'Balance changes': <BalanceChanges transactions={all} actions={actions} />,
            }}
          />
        )}
        {is_incomplete && <p class="notice">More would follow than is shown.</p>}
      </section>
    </AnswerNames>
  )
}

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
