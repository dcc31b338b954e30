import { useState } from 'preact/hooks'
import { useCall } from '../base/call.ts'
import { groups, utcMoment } from '../base/format.ts'
import { askBlocks, live } from '../base/live.ts'
import { ton } from '../base/service.ts'
import { createStore, useStore } from '../base/store.ts'
import { Form } from '../parts/form.tsx'
import { Card, Empty } from '../parts/layout.tsx'
import { MasterBlockLink } from '../parts/values.tsx'
import { text, whole } from './fields.tsx'
import { made } from './results.tsx'
import { SetTime } from './state.tsx'

/** Shows whether the chain makes blocks automatically, for messages and by the clock. A button changes this. */
const Automine = () => {
  const [set, change] = useState<boolean>()
  const found = useCall((signal) => ton.local.setAutomine({}, { signal }), ['automine'])
  const isOn = set ?? found.data?.automine
  if (isOn === undefined) return null
  return (
    <Form
      button={isOn ? 'Stop making blocks' : 'Start making blocks'}
      quiet
      act={async () => {
        change((await ton.local.setAutomine({ automine: !isOn })).automine)
        return ''
      }}
    >
      <p role="status">
        {isOn
          ? 'Messages get a block at once. Blocks without messages come as often as the setting TONWAY_BLOCK_TIME says; 0 is never.'
          : 'Stopped: messages wait for “Make blocks”.'}
      </p>
    </Form>
  )
}

export const Blocks = () => (
  <Card title="Blocks">
    <Form
      button="Make blocks"
      fields={{ count: whole('Masterchain blocks', 'The number of blocks', { value: '1' }) }}
      act={async (values) => {
        const { block } = await ton.local.mine(values)
        askBlocks()
        return made('Made up to', <MasterBlockLink seqno={block.seqno} />)
      }}
    />
    <hr />
    <Automine />
  </Card>
)

const HOUR = 3_600
const JUMPS: readonly (readonly [name: string, seconds: number])[] = [
  ['+1 hour', HOUR],
  ['+1 day', 24 * HOUR],
  ['+30 days', 30 * 24 * HOUR],
]

const jump = async (seconds: number) => {
  const { utime } = await ton.local.increaseTime({ seconds })
  return `The chain’s time is ${utcMoment(utime)}`
}

export const Clock = () => {
  const { utime } = useStore(live)
  const hint = 'Going back to a snapshot also brings the time back.'
  return (
    <Card title="Time" side={<span class="dim">{utime > 0 && `last block at ${utcMoment(utime)}`}</span>}>
      <Form
        button="Move forward"
        fields={{ seconds: whole('Seconds', 'The number of seconds', { value: '60', hint }) }}
        act={({ seconds }) => jump(seconds)}
      />
      <div class="pair jumps">
        {JUMPS.map(([name, by]) => (
          <Form key={name} button={name} act={() => jump(by)} />
        ))}
      </div>
      <hr />
      <SetTime />
    </Card>
  )
}

const taken = createStore<readonly { readonly name: string; readonly seqno: number }[]>([])

export const Snapshots = () => {
  const all = useStore(taken)
  const { seqno } = useStore(live)
  // The message is on the card, because a revert removes the row of the snapshot.
  const [said, say] = useState('')
  const revert = async (to: string) => {
    const { block } = await ton.local.revert({ snapshot: to })
    // The list is newest first. A revert deletes all later snapshots.
    const at = taken.get().findIndex((each) => each.name === to)
    taken.set(at < 0 ? taken.get() : taken.get().slice(at + 1))
    say(`The chain is at block ${groups(String(block.seqno))} again`)
    return ''
  }
  return (
    <Card title="Snapshots">
      <Form
        button="Take a snapshot"
        act={async () => {
          const { snapshot } = await ton.local.snapshot()
          taken.set([{ name: snapshot, seqno }, ...taken.get().filter(({ name }) => name !== snapshot)])
          say('')
          return `Taken: ${snapshot}`
        }}
      />
      {all.length === 0 ? (
        <Empty>No snapshot was taken in this tab of the browser.</Empty>
      ) : (
        <ul class="list">
          {all.map((each) => (
            <li key={each.name}>
              <span>
                {each.name} <span class="dim">at block {groups(String(each.seqno))}</span>
              </span>
              <Form button="Revert" act={() => revert(each.name)} />
            </li>
          ))}
        </ul>
      )}
      <p class="said" role="status">
        {said}
      </p>
      <details>
        <summary>Go back to another snapshot</summary>
        <Form
          button="Revert"
          fields={{ name: text('Name', { hint: 'The name that local.snapshot answered. Every block after it is undone.' }) }}
          act={({ name }) => revert(name.trim())}
        />
      </details>
    </Card>
  )
}
