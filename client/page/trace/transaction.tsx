import { type ComponentChildren, Fragment } from 'preact'
import { bytesOf } from '../../bytes.ts'
import { isOfProtocol, opcodeNameOf } from '../../opcode-name.ts'
import { type CodeTexts, outcomeOf } from '../../outcome.ts'
import { hashToHex } from '../base/address.ts'
import { useCall } from '../base/call.ts'
import { counted, groups, humanised, tame } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { tokenOf } from '../base/token-metadata.ts'
import type { Fields, Message, Names, Transaction } from '../base/types.ts'
import { useAbout, useInspectedBody } from '../base/value-lookups.ts'
import { Account } from '../parts/address.tsx'
import { useNames } from '../parts/answer-names.tsx'
import { Body, isBlank } from '../parts/body.tsx'
import { allFees, forwardFees, gasText } from '../parts/fees-and-purpose.ts'
import { Injected } from '../parts/injected-message.tsx'
import { Listing, Source } from '../parts/json.tsx'
import { Details, Empty, type FactRows, Facts, Loading } from '../parts/layout.tsx'
import { Beginning } from '../parts/more-rows.tsx'
import { Amount, Badge, BlockLink, CommittedBy, currenciesOf, FullTime, Hash, Words } from '../parts/values.tsx'
import { partiesOf, withOwnPayloads } from './payloads.ts'

/** Number of messages that are shown at first. A contract can send 255. */
const FIRST = 8
const MORE = 32

/** The jetton that a message moves: its source or its destination is the master or a wallet of the jetton. */
const jettonOf = ({ source, destination }: Message, names: Names): string | undefined => {
  for (const account of [destination, source]) {
    const token = tokenOf(account, names)
    if (account && token?.type === 'jetton_masters') return account
    const master = token?.extra?.['jetton']
    if (token?.type === 'jetton_wallets' && typeof master === 'string') return master
  }
  return undefined
}

/** Maximum characters of a body whose undecoded rest is looked up. */
const LONGEST_BODY = 16_384

/** True if a BoC has more than one cell. The number of cells follows the magic, the flags and the offset size. */
const hasReferences = (boc: string): boolean => {
  const [, , , , flags = 0, , ...counts] = bytesOf(boc.slice(0, 24))
  return counts.slice(0, flags & 7).some((byte, i) => byte > (i === (flags & 7) - 1 ? 1 : 0))
}

/** The decoded data after the last decoded field of a body. In a mint, this is the message to the jetton wallet, which contains the amount. */
const useLeft = ({ message_content: content }: Message, isReadable: boolean): readonly Fields[] => {
  const body =
    isReadable && content?.decoded && content.body.length <= LONGEST_BODY && hasReferences(content.body) ? content.body : undefined
  const { left = [] } = useInspectedBody(body) ?? {}
  return left.flatMap(({ decoded }) => (decoded && !isBlank(decoded) ? [decoded] : []))
}

/** The members of a body; undefined if they contain no information. */
const bodyOf = (of: Message, rest: readonly Fields[], names: Names): ComponentChildren => {
  const fields = of.message_content?.decoded as Fields | null | undefined
  if (!fields || (isBlank(fields) && rest.length === 0)) return undefined
  const { book } = names
  const jetton = jettonOf(of, names)
  const ends = [of.source, of.destination]
  // A jetton wallet passes the payload of a transfer on to its owner.
  const owners = ends.map((end) => tokenOf(end, names)?.extra?.['owner']).filter((owner) => typeof owner === 'string')
  const parties = partiesOf(fields, [...ends, ...owners])
  const decoded = withOwnPayloads(fields, parties, book)
  const left = rest.filter((each) => isOfProtocol(String(each['@type'] ?? ''), parties, book))
  return (
    <>
      <Body of={decoded} type={String(decoded['@type'] ?? of.decoded_opcode ?? '')} jetton={jetton} />
      {left.map((each, i) => {
        const type = String(each['@type'] ?? '')
        return (
          <Fragment key={i}>
            <p class="within">
              <span class="dim">with</span> <Words of={type} />
            </p>
            <Body of={each} type={type} jetton={jetton} />
          </Fragment>
        )
      })}
    </>
  )
}

/** The title of a body: `Jetton transfer`. */
const bodyTitle = ({ message_content: content, decoded_opcode: name }: Message): string =>
  tame(humanised(String((content?.decoded as Fields | null | undefined)?.['@type'] ?? name ?? 'unknown')), 60)

interface MessageProps {
  readonly of: Message
  readonly title: string
  /** An unusual fate of the message; '' for an ordinary message. */
  readonly mark: string
  /** True if no transaction of the source sent the message. */
  readonly isUnsent?: boolean
}

const MessageView = ({ of, title, mark, isUnsent = false }: MessageProps) => {
  const names = useNames()
  const name = opcodeNameOf(of, names.book)
  // Without its name, a body with a small opcode has none of the fields that v3 reads in it.
  const isReadable = name !== undefined || of.decoded_opcode === null
  const left = useLeft(of, isReadable)
  const body = isReadable ? bodyOf(of, left, names) : undefined
  return (
    <div class="message">
      <h4>
        {title} {mark !== '' && <Badge tone="warn">{mark}</Badge>}
      </h4>
      <Facts
        rows={{
          From: of.source ? (
            <>
              <Account of={of.source} /> {isUnsent && <Injected />}
            </>
          ) : (
            'outside'
          ),
          To: of.destination ? <Account of={of.destination} /> : 'outside',
          Value: of.value === null ? undefined : <Amount of={of.value} exact />,
          'Other currencies': currenciesOf(of.value_extra_currencies),
          Opcode:
            of.opcode === null ? undefined : (
              <>
                {name && <Words of={name} />} <span class="mono dim">{of.opcode}</span>
              </>
            ),
        }}
      />
      {body !== undefined && (
        <Details class="listing" summary={`Body: ${bodyTitle(of)}`}>
          {() => body}
        </Details>
      )}
      <Details class="listing" summary="Hash, fee and other fields">
        {() => (
          <Facts
            rows={{
              Hash: <Hash of={of.hash} to="tx" />,
              'Normalized hash': of.hash_norm === undefined ? undefined : <Hash of={of.hash_norm} to="tx" />,
              'Forward fee': of.fwd_fee === null ? undefined : <Amount of={of.fwd_fee} exact />,
              Bounce: of.bounce === null ? undefined : of.bounce ? 'comes back if it fails' : 'does not come back',
              StateInit: of.init_state ? <Hash of={of.init_state.hash} /> : undefined,
              'Logical time': of.created_lt ? <span class="mono">{groups(of.created_lt)}</span> : undefined,
            }}
          />
        )}
      </Details>
      {of.message_content?.body && <Listing summary="Body as a BoC" text={of.message_content.body} label="Body as a BoC" />}
      {of.init_state?.body && <Listing summary="StateInit as a BoC" text={of.init_state.body} label="StateInit as a BoC" />}
    </div>
  )
}

const phases = ({ description: d }: Transaction, texts: CodeTexts | undefined, failed: boolean): FactRows => {
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = d
  return {
    'Storage phase': storage && (
      <>
        <Amount of={storage.storage_fees_collected} exact /> paid
        {storage.status_change !== 'unchanged' && `, account ${storage.status_change}`}
      </>
    ),
    'Credit phase': credit && (
      <>
        <Amount of={credit.credit} exact /> received
      </>
    ),
    'Compute phase':
      compute &&
      (compute.skipped ? (
        `not run: ${compute.reason.replaceAll('_', ' ')}`
      ) : (
        <>
          <Badge tone={compute.success ? 'ok' : 'bad'}>exit code {compute.exit_code}</Badge> {/* The cause of a failure is shown above. */}
          {compute.success ? texts?.compute[compute.exit_code] : 'failed'}
          <br />
          <span class="dim">
            {gasText(compute)}, {groups(String(compute.vm_steps))} steps, <Amount of={compute.gas_fees} exact />
          </span>
        </>
      )),
    'Action phase': action ? (
      <>
        <Badge tone={action.success ? 'ok' : 'bad'}>result {action.result_code}</Badge>
        <br />
        <span class="dim">
          {counted(action.tot_actions, 'action')}, {counted(action.msgs_created, 'message')} sent
          {action.skipped_actions > 0 && `, ${action.skipped_actions} skipped`}
        </span>
      </>
    ) : failed && compute ? (
      'skipped'
    ) : undefined,
    'Bounce phase':
      bounce &&
      (bounce.type === 'ok'
        ? 'value sent back'
        : `not sent back: ${bounce.type === 'nofunds' ? 'the money did not suffice' : 'no money was left'}`),
  }
}

const Cost = ({ of: tx }: { readonly of: Transaction }) => {
  const forward = forwardFees(tx)
  if (forward === 0n) return <Amount of={tx.total_fees} exact />
  return (
    <>
      <Amount of={allFees(tx).toString()} exact />{' '}
      <span class="dim">
        = <Amount of={tx.total_fees} exact /> fees + <Amount of={forward.toString()} exact /> for the delivery of messages
      </span>
    </>
  )
}

/** The fate of the message that a transaction received. In TON's terms, `bounced` marks the returned message, not the one that caused it. */
const receivedMark = (received: Message, { bounce }: Transaction['description']): string =>
  bounce?.type === 'ok' ? 'went back' : received.bounced ? 'bounced' : ''

/** The BoC of a transaction, from v2, because v3 does not have it. Loaded when it is expanded. */
const TransactionBoc = ({ of: { account, lt, hash } }: { readonly of: Transaction }) => {
  const answer = useCall(
    async (signal) =>
      (await ton.getTransactions({ address: account, lt, hash: hashToHex(hash) ?? hash, limit: 1, archival: true }, { signal }))[0] ?? null,
    ['boc', hash],
  )
  return (
    <Loading of={answer} lines={2}>
      {(tx) =>
        tx === null ? <Empty>The network does not have it any more.</Empty> : <Source text={tx.data} label="Transaction as a BoC" />
      }
    </Loading>
  )
}

interface Props {
  readonly of: Transaction
  /** True if the view shows this transaction. Then the heading contains its hash. */
  readonly isOfView: boolean
  /** True if the transaction is not in a block yet. */
  readonly pending: boolean
  /** True if no transaction of the source sent the received message. */
  readonly isUnsent: boolean
}

export const TransactionView = ({ of: tx, isOfView, pending, isUnsent }: Props) => {
  const texts = useAbout()?.exit_codes
  const outcome = outcomeOf(tx, texts)
  const { in_msg: received, out_msgs: sent } = tx
  const isInShard = tx.block_ref.workchain !== -1
  return (
    <div class="transaction">
      {outcome.short !== '' && (
        <p class="outcome">
          <Badge tone={outcome.failed ? 'bad' : 'plain'}>{outcome.short}</Badge> {outcome.text}
        </p>
      )}
      <Facts
        rows={{
          Account: <Account of={tx.account} />,
          Time: <FullTime of={tx.now} />,
          Kind: humanised(tx.description.type === 'ord' ? 'ordinary' : tx.description.type),
          'Total fees': <Cost of={tx} />,
          Block: <BlockLink {...tx.block_ref} />,
          'Committed by': isInShard && tx.mc_block_seqno ? <CommittedBy seqno={tx.mc_block_seqno} /> : undefined,
          'Logical time': <span class="mono">{groups(tx.lt)}</span>,
          'Account status': tx.orig_status === tx.end_status ? tx.end_status : `${tx.orig_status} → ${tx.end_status}`,
          'Balance after': tx.account_state_after.balance ? <Amount of={tx.account_state_after.balance} exact /> : undefined,
          Hash: isOfView ? undefined : <Hash of={tx.hash} to="tx" />,
        }}
      />
      {/* Expanded if the transaction failed, because people want to see where it failed. */}
      <Details key={`phases ${tx.hash}`} class="listing" summary="Phases" open={outcome.failed}>
        {() => (
          <Facts
            rows={{ Aborted: outcome.failed ? (tx.description.aborted ? 'yes' : 'no') : undefined, ...phases(tx, texts, outcome.failed) }}
          />
        )}
      </Details>
      {!pending && (
        <Details key={tx.hash} class="listing" summary="Transaction as a BoC">
          {() => <TransactionBoc of={tx} />}
        </Details>
      )}
      {received && <MessageView of={received} title="Message received" mark={receivedMark(received, tx.description)} isUnsent={isUnsent} />}
      <Beginning of={sent} first={FIRST} more={MORE}>
        {(messages) =>
          messages.map((message, i) => (
            <MessageView
              key={message.hash}
              of={message}
              title={`Message sent${sent.length > 1 ? ` (${i + 1} of ${sent.length})` : ''}`}
              mark={message.bounced ? 'bounced' : ''}
            />
          ))
        }
      </Beginning>
      {sent.length === 0 && <Empty>It sent no messages.</Empty>}
    </div>
  )
}
