import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { foldEmpty, rangeNumbers, rangesOf, rangesText } from '../base/block-rows.ts'
import { useCall } from '../base/call.ts'
import { useLead } from '../base/clock.ts'
import { counted, groups, workchainText } from '../base/format.ts'
import { indexText, useAge } from '../base/index-text.ts'
import { live, status } from '../base/live.ts'
import { useHold } from '../base/show-when-loaded.ts'
import { useStore } from '../base/store.ts'
import type { Action, Block } from '../base/types.ts'
import { NewestList } from '../parts/action-list.tsx'
import { BehindContext, createActionsLoad } from '../parts/action-transactions.tsx'
import { Fitting } from '../parts/fitting-list.tsx'
import { Card, Empty, Heading, Loading, Table, Waiting } from '../parts/layout.tsx'
import { BlockLink, MasterBlockLink, Time } from '../parts/values.tsx'

/** Number of actions that certainly fills the card. Actions that do not fit are hidden. */
const ACTIONS = 24

interface FigureProps {
  readonly name: string
  readonly title?: string | undefined
  readonly children: ComponentChildren
}

const Figure = ({ name, title, children }: FigureProps) => (
  <div class="figure" title={title}>
    <span class="name">{name}</span>
    <span class="value">{children}</span>
  </div>
)

const Figures = () => {
  const { seqno, utime, state } = useStore(live)
  useHold(utime === 0 && state === 'connecting')
  const serviceStatus = useStore(status)
  const lead = useLead()
  const age = useAge(serviceStatus?.index?.seqno ?? 0)
  return (
    <div class="figures">
      <Figure name="Masterchain block">{seqno === 0 ? '…' : <MasterBlockLink seqno={seqno} />}</Figure>
      <Figure name="Last block">
        {utime === 0 ? '…' : <Time of={utime} />}
        {lead !== '' && <span class="lead">chain clock {lead} ahead</span>}
      </Figure>
      <Figure
        name="Index"
        title={serviceStatus?.index && `It has everything up to masterchain block ${groups(String(serviceStatus.index.seqno))}.`}
      >
        {serviceStatus === undefined ? '…' : indexText(serviceStatus.index, age)}
      </Figure>
      <Figure name="tonway version">{serviceStatus?.version ?? '…'}</Figure>
    </div>
  )
}

/** Removes the last trace, which the limit of the answer can have truncated. */
const withoutTheCut = (actions: readonly Action[]): readonly Action[] => {
  const cut = actions.length < ACTIONS ? undefined : actions.at(-1)?.trace_id
  const whole = actions.filter(({ trace_id }) => cut === undefined || trace_id !== cut)
  return whole.length === 0 ? actions : whole
}

/** Requests the actions before /status says whether there is an index, because most services have one. */
const NewestActions = () => {
  const serviceStatus = useStore(status)
  const [load] = useState(createActionsLoad)
  const answer = useCall((signal) => load({ limit: ACTIONS }, signal), ['actions'], true)
  return (
    <Card title="Actions" class="fixed">
      <Loading of={serviceStatus === undefined ? { ...answer, error: undefined } : answer} lines={8}>
        {({ actions, transactions }) =>
          actions.length === 0 ? (
            <Empty>Nothing has happened yet. What accounts do is listed here.</Empty>
          ) : (
            <Fitting rows=".actions > li">
              <BehindContext.Provider value={{ transactions }}>
                <NewestList actions={withoutTheCut(actions)} clock="in a wide window" />
              </BehindContext.Provider>
            </Fitting>
          )
        }
      </Loading>
    </Card>
  )
}

/** Number of rows that certainly fills the card. Rows that do not fit are hidden. */
const ROWS = 24

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

/** The chain of a block. For several empty blocks, the ranges of their seqnos. */
const Chain = ({ of }: { readonly of: readonly Block[] }) => {
  const [first] = of as [Block]
  if (of.length === 1) return <ChainName of={first.workchain} />
  return (
    <span class="dim" title={`${counted(of.length, 'empty block')}: ${rangesText(of)}`}>
      {rangesOf(of).map((range) => (
        <Fragment key={`${range.workchain}:${range.shard}`}>
          <ChainName of={range.workchain} /> {rangeNumbers(range)},{' '}
        </Fragment>
      ))}
      empty
    </span>
  )
}

/** The oldest block is the key, because it stays the same while a row of empty blocks grows. */
const keyOf = (of: readonly Block[]): string => {
  const { workchain, shard, seqno } = of.at(-1)!
  return `${workchain}:${shard}:${seqno}`
}

const NewestBlocks = () => {
  const { blocks, state } = useStore(live)
  const serviceStatus = useStore(status)
  const waits = blocks.length === 0 && (serviceStatus === undefined || (serviceStatus.index !== undefined && state === 'connecting'))
  return (
    <Card title="Blocks" class="fixed">
      {waits ? (
        <Waiting lines={8} />
      ) : (
        <Fitting rows="tbody tr">
          <Table
            label="Newest blocks"
            compact
            of={foldEmpty(blocks).slice(0, ROWS)}
            id={keyOf}
            columns={{
              Block: ([first]) => <BlockLink workchain={first!.workchain} shard={first!.shard} seqno={first!.seqno} brief />,
              Chain: (of) => <Chain of={of} />,
              Txs: ([first]) => groups(String(first!.tx_count)),
              Time: ([first]) => <Time of={first!.gen_utime} clock="in a wide window" />,
            }}
            right={['Txs', 'Time']}
            empty={serviceStatus?.index ? 'There are no blocks yet.' : 'Blocks are listed where the index is on.'}
          />
        </Fitting>
      )}
    </Card>
  )
}

export const Overview = () => {
  const serviceStatus = useStore(status)
  return (
    <>
      <Heading title="Overview" />
      <Figures />
      {serviceStatus !== undefined && serviceStatus.index === undefined && (
        <p class="notice">The index is off here. Accounts can be looked up; lists, traces and tokens need the index.</p>
      )}
      <div class="columns">
        {(serviceStatus === undefined || serviceStatus.index !== undefined) && <NewestActions />}
        <NewestBlocks />
      </div>
    </>
  )
}
