import type { ComponentChildren } from 'preact'
import { counted, groups, humanised } from '../base/format.ts'
import type { Message, Names, Transaction } from '../base/types.ts'
import { Beginning } from '../parts/beginning.tsx'
import { Tree } from '../parts/json.tsx'
import { Empty, Facts } from '../parts/layout.tsx'
import { Account, Amount, Badge, BlockLink, FullTime, Hash, Words } from '../parts/values.tsx'
import { type CodeTexts, outcomeOf } from './outcome.ts'

/* One transaction in full: messages, phases, fees. */

/** Messages that are shown at first. A contract can send 255. */
const FIRST = 8
const MORE = 32

const currencies = (of: Readonly<Record<string, string>> | null | undefined): ComponentChildren =>
  of && Object.keys(of).length > 0
    ? Object.entries(of)
        .map(([id, amount]) => `${amount} of #${id}`)
        .join(', ')
    : undefined

const MessageView = ({ of, names, title }: { readonly of: Message; readonly names: Names; readonly title: string }) => (
  <div class="message">
    <h4>
      {title} {of.bounced && <Badge tone="warn">bounced</Badge>}
    </h4>
    <Facts
      rows={[
        ['From', of.source ? <Account of={of.source} names={names} /> : 'outside'],
        ['To', of.destination ? <Account of={of.destination} names={names} /> : 'outside'],
        ['Value', of.value === null ? undefined : <Amount of={of.value} />],
        ['Other currencies', currencies(of.value_extra_currencies)],
        [
          'Opcode',
          of.opcode === null ? undefined : (
            <>
              {of.decoded_opcode && <Words of={of.decoded_opcode} />} <span class="mono dim">{of.opcode}</span>
            </>
          ),
        ],
        ['Body', of.message_content?.decoded ? <Tree of={of.message_content.decoded} names={names} /> : undefined],
        ['StateInit', of.init_state ? <Hash of={of.init_state.hash} /> : undefined],
        ['Forward fee', of.fwd_fee === null ? undefined : <Amount of={of.fwd_fee} />],
        ['Hash', <Hash of={of.hash} />],
        ['Normalized hash', of.hash_norm === undefined ? undefined : <Hash of={of.hash_norm} />],
      ]}
    />
  </div>
)

const phases = ({ description: d }: Transaction, texts: CodeTexts | undefined): readonly (readonly [string, ComponentChildren])[] => {
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = d
  return [
    [
      'Storage',
      storage && (
        <>
          <Amount of={storage.storage_fees_collected} /> paid{storage.status_change !== 'unchanged' && `, account ${storage.status_change}`}
        </>
      ),
    ],
    [
      'Credit',
      credit && (
        <>
          <Amount of={credit.credit} /> received
        </>
      ),
    ],
    [
      'Compute',
      compute &&
        (compute.skipped ? (
          `not run: ${compute.reason.replaceAll('_', ' ')}`
        ) : (
          <>
            <Badge tone={compute.success ? 'ok' : 'bad'}>exit code {compute.exit_code}</Badge>{' '}
            {texts?.compute[compute.exit_code] ?? (compute.success ? '' : 'a code of the contract itself')}
            <br />
            <span class="dim">
              {groups(compute.gas_used)} gas of {groups(compute.gas_limit)}, {groups(String(compute.vm_steps))} steps,{' '}
              <Amount of={compute.gas_fees} />
            </span>
          </>
        )),
    ],
    [
      'Action',
      action && (
        <>
          <Badge tone={action.success ? 'ok' : 'bad'}>result {action.result_code}</Badge>{' '}
          {action.success ? '' : (texts?.action[action.result_code] ?? '')}
          <br />
          <span class="dim">
            {counted(action.tot_actions, 'action')}, {counted(action.msgs_created, 'message')} sent
            {action.skipped_actions > 0 && `, ${action.skipped_actions} skipped`}
          </span>
        </>
      ),
    ],
    [
      'Bounce',
      bounce &&
        (bounce.type === 'ok'
          ? 'sent back'
          : `not sent back: ${bounce.type === 'nofunds' ? 'the money did not suffice' : 'no money was left'}`),
    ],
  ]
}

interface Props {
  readonly of: Transaction
  readonly names: Names
  readonly texts: CodeTexts | undefined
}

export const TransactionView = ({ of: tx, names, texts }: Props) => {
  const outcome = outcomeOf(tx, texts)
  const { in_msg: received, out_msgs: sent } = tx
  return (
    <div class="transaction">
      {outcome.failed && (
        <p class="outcome">
          <Badge tone="bad">{outcome.short}</Badge> {outcome.text}
        </p>
      )}
      <Facts
        rows={[
          ['Account', <Account of={tx.account} names={names} />],
          ['Time', <FullTime of={tx.now} />],
          ['Kind', humanised(tx.description.type === 'ord' ? 'ordinary' : tx.description.type)],
          ['Fees', <Amount of={tx.total_fees} />],
          ['Block', <BlockLink {...tx.block_ref} />],
          ['Logical time', <span class="mono">{groups(tx.lt)}</span>],
          ['Status', tx.orig_status === tx.end_status ? tx.end_status : `${tx.orig_status} → ${tx.end_status}`],
          ['Balance after', tx.account_state_after.balance ? <Amount of={tx.account_state_after.balance} /> : undefined],
          ['Hash', <Hash of={tx.hash} to="tx" />],
          ...phases(tx, texts),
        ]}
      />
      {received && <MessageView of={received} names={names} title="Message received" />}
      <Beginning of={sent} first={FIRST} more={MORE}>
        {(messages) =>
          messages.map((message, i) => (
            <MessageView
              key={message.hash}
              of={message}
              names={names}
              title={`Message sent${sent.length > 1 ? ` (${i + 1} of ${sent.length})` : ''}`}
            />
          ))
        }
      </Beginning>
      {sent.length === 0 && <Empty>It sent no messages.</Empty>}
    </div>
  )
}
