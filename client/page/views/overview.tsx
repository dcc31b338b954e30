import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useCall } from '../base/call.ts'
import { useLead } from '../base/clock.ts'
import { groups } from '../base/format.ts'
import { indexText, useAge } from '../base/index-text.ts'
import { live, status } from '../base/live.ts'
import { useHold } from '../base/show-when-loaded.ts'
import { useStore } from '../base/store.ts'
import type { Action } from '../base/types.ts'
import { NewestList } from '../parts/action-list.tsx'
import { BehindContext, createActionsLoad } from '../parts/action-transactions.tsx'
import { Fitting } from '../parts/fitting-list.tsx'
import { Card, Empty, Heading, Loading } from '../parts/layout.tsx'
import { MasterBlockLink, Time } from '../parts/values.tsx'
import { NewestBlocks } from './newest-blocks.tsx'

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
