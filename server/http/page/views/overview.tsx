import { useCall } from '../base/call.ts'
import { useLead } from '../base/clock.ts'
import { groups } from '../base/format.ts'
import { useHold } from '../base/gate.ts'
import { indexText, useAge } from '../base/index-text.ts'
import { live, status } from '../base/live.ts'
import { ton } from '../base/service.ts'
import { useStore } from '../base/store.ts'
import { ActionList } from '../parts/action.tsx'
import { Card, Empty, Heading, Loading, Table, Waiting } from '../parts/layout.tsx'
import { BlockLink, MasterBlockLink, Time, workchainText } from '../parts/values.tsx'

/* What happens now: head, lag of the index, newest blocks and actions. */

/** Rows that make both cards about as high. */
const ROWS = 16
const ACTIONS = 10

const Figure = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <div class="figure">
    <span class="name">{name}</span>
    <span class="value">{children}</span>
  </div>
)

const Figures = () => {
  const { seqno, utime, state } = useStore(live)
  useHold(utime === 0 && state === 'connecting')
  const known = useStore(status)
  const lead = useLead()
  const age = useAge(known?.index?.seqno ?? 0)
  return (
    <div class="figures">
      <Figure name="Masterchain block">{seqno === 0 ? '…' : <MasterBlockLink seqno={seqno} />}</Figure>
      <Figure name="Last block">
        {utime === 0 ? '…' : <Time of={utime} />}
        {lead !== '' && <span class="lead">chain clock {lead} ahead</span>}
      </Figure>
      <Figure name="Index">{known === undefined ? '…' : indexText(known.index, age)}</Figure>
      <Figure name="tonway version">{known?.version ?? '…'}</Figure>
    </div>
  )
}

/** A workchain in a word, which is short where there is little room. */
const ChainName = ({ of }: { readonly of: number }) => {
  const name = workchainText(of)
  const brief = name.replace(/chain$/, '')
  return (
    <>
      {brief}
      {brief !== name && <span class="rest">chain</span>}
    </>
  )
}

const Blocks = () => {
  const { blocks, state } = useStore(live)
  const known = useStore(status)
  const waits = blocks.length === 0 && (known === undefined || (known.index !== undefined && state === 'connecting'))
  return (
    <Card title="Blocks" class="fixed">
      {waits ? (
        <Waiting lines={8} />
      ) : (
        <Table
          label="Newest blocks"
          compact
          head={['Block', 'Chain', 'Txs', 'Time']}
          right={['Txs', 'Time']}
          empty={known?.index ? 'There are no blocks yet.' : 'Blocks are listed where the index is on.'}
          rows={blocks.slice(0, ROWS).map(({ workchain, shard, seqno, utime, transactions }) => ({
            key: `${workchain}:${shard}:${seqno}`,
            cells: [
              <BlockLink workchain={workchain} shard={shard} seqno={seqno} brief />,
              <ChainName of={workchain} />,
              groups(String(transactions)),
              <Time of={utime} />,
            ],
          }))}
        />
      )}
    </Card>
  )
}

/** They are requested before it is known whether there is an index, because most services have one. */
const NewestActions = () => {
  const known = useStore(status)
  const answer = useCall((signal) => ton.v3.actions({ limit: ACTIONS }, { signal }), ['actions'], true)
  return (
    <Card title="Actions" class="fixed">
      <Loading of={known === undefined ? { ...answer, error: undefined } : answer} lines={8}>
        {({ actions, address_book, metadata }) =>
          actions.length === 0 ? (
            <Empty>Nothing has happened yet. What accounts do is listed here.</Empty>
          ) : (
            <ActionList actions={actions} names={{ book: address_book, metadata }} />
          )
        }
      </Loading>
    </Card>
  )
}

export const Overview = () => {
  const known = useStore(status)
  return (
    <>
      <Heading title="Overview" />
      <Figures />
      {known !== undefined && known.index === undefined && (
        <p class="notice">The index is off here. Accounts can be looked up; lists, traces and tokens need the index.</p>
      )}
      <div class="columns">
        {(known === undefined || known.index !== undefined) && <NewestActions />}
        <Blocks />
      </div>
    </>
  )
}
