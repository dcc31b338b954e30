import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { useRun } from '../base/call.ts'
import { groups } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Answer, Transaction } from '../base/types.ts'
import { useAbout, useHasState } from '../base/value-lookups.ts'
import { Card, Details, Empty, Fault, Waiting } from '../parts/layout.tsx'
import { LongTable } from '../parts/more-rows.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Badge } from '../parts/values.tsx'
import { stepGas } from './step-gas.ts'

const FIRST = 100
const MORE = 400

type Run = Answer<'trace.transaction'>

/** Maximum number of stack entries in the collapsed view, from the top of the stack. */
const TOP = 6
const MAX_STEPS = 10_000

/** Shortens long hex values of cells, slices and numbers to their first and last eight digits. */
const shortHex = (text: string): string => text.replace(/[0-9a-f]{21,}/gi, (digits) => `${digits.slice(0, 8)}…${digits.slice(-8)}`)

const Items = ({ of }: { readonly of: readonly string[] }) => (
  <>
    {of.map((item, i) => (
      <Fragment key={i}>
        {i > 0 && ' '}
        <span class="item">{item}</span>
      </Fragment>
    ))}
  </>
)

/** Items with shortened values. A click expands all values. */
const Openable = ({ short, whole }: { readonly short: readonly string[]; readonly whole: readonly string[] }) =>
  short.join() === whole.join() ? (
    <span class="mono wrap">
      <Items of={whole} />
    </span>
  ) : (
    <Details class="mono wrap" summary={<Items of={short} />}>
      {() => <span class="dim">{whole.join('  ').slice(0, MAX_STEPS)}</span>}
    </Details>
  )

const Stack = ({ of }: { readonly of: readonly string[] }) => {
  if (of.length === 0) return <span class="dim">empty</span>
  const left = of.length > TOP ? [`${of.length - TOP} deeper`] : []
  return <Openable short={[...left, ...of.slice(-TOP).map(shortHex)]} whole={of} />
}

/** The end of a run: `It ended with exit code 65535 and used 1 171 gas.` */
const endText = ({ exit_code: code, gas_used: gas, trace: { exit } }: Run): string =>
  code === null
    ? ''
    : ` It ended with exit code ${code}${exit === '' ? '' : ` (${exit})`}${gas === null ? '' : ` and used ${groups(String(gas))} gas`}.`

const SUCCESSES: readonly (number | null)[] = [0, 1, null]

/** Index of the step that failed; -1 if none failed, or if the step is not in the list. */
const failingStep = ({ exit_code: code, trace: { steps, truncated } }: Run): number =>
  SUCCESSES.includes(code) || truncated ? -1 : steps.length - 1

export const DebugTexts = ({ of }: { readonly of: readonly string[] }) =>
  of.length === 0 ? null : (
    <>
      <p class="dim">It printed:</p>
      <ol class="mono wrap">
        {of.map((text, i) => (
          <li key={i}>{text}</li>
        ))}
      </ol>
    </>
  )

const BEFORE_FAILURE = 20

const StepTable = ({ of }: { readonly of: Run }) => {
  const { steps, truncated } = of.trace
  const [filter, setFilter] = useState('')
  const [atFailure, setAtFailure] = useState(false)
  const failing = failingStep(of)
  const used = stepGas(steps, truncated ? null : of.gas_used)
  const numbered = steps.map((step, i) => ({ ...step, i })).filter(({ i }) => !atFailure || i >= failing - BEFORE_FAILURE)
  const shown = numbered.filter(({ instruction }) => instruction.toLowerCase().includes(filter.trim().toLowerCase()))
  if (steps.length === 0) return <Empty>The TVM did not run in this transaction.</Empty>
  return (
    <>
      <p class="dim">
        {groups(String(steps.length))} steps{truncated && ' (the run had more)'}, by the rules of version {of.version}.{endText(of)} The top
        of a stack is at its right. “Gas left” is what was left before a step.
      </p>
      <DebugTexts of={of.trace.debug} />
      <p class="step-tools">
        <SearchField label="Search instructions" placeholder="Instruction, such as CALLDICT" text={filter} change={setFilter} />
        {failing > BEFORE_FAILURE && (
          <button type="button" aria-pressed={atFailure} onClick={() => setAtFailure(!atFailure)}>
            {atFailure ? 'All steps' : 'Go to the failure'}
          </button>
        )}
        <span class="dim" role="status">
          {filter.trim() !== '' && `${groups(String(shown.length))} of ${groups(String(steps.length))}`}
        </span>
      </p>
      <LongTable
        key={`${filter}${atFailure}`}
        label="Steps of the TVM"
        class="steps"
        columns={{
          Step: ({ i }) => String(i + 1),
          Instruction: ({ instruction, i }) => (
            <>
              <Openable short={shortHex(instruction).split(' ')} whole={instruction.split(' ')} />{' '}
              {i === failing && <Badge tone="bad">exit code {of.exit_code}</Badge>}
            </>
          ),
          Gas: ({ i }) => (used[i] === undefined ? null : groups(String(used[i]))),
          'Stack before': ({ stack }) => <Stack of={stack} />,
          'Gas left': ({ gas }) => groups(String(gas)),
        }}
        isBad={({ i }) => i === failing}
        right={['Gas', 'Gas left']}
        empty="No instruction has this text."
        of={shown}
        first={FIRST}
        more={MORE}
      />
    </>
  )
}

const useAreStatesGone = ({ account, mc_block_seqno }: Transaction): boolean => {
  const about = useAbout()
  // An embedded chain keeps all its states.
  const asks = about !== undefined && !about.local
  return useHasState(asks ? `${account}@${Math.max(1, mc_block_seqno - 1)}` : undefined) === false
}

export const Steps = ({ of: tx }: { readonly of: Transaction }) => {
  const [{ busy, data, error }, run] = useRun<Run | undefined>()
  const areGone = useAreStatesGone(tx)
  const replay = (): void => {
    if (!busy) void run(async () => (data ? undefined : ton.trace.transaction({ address: tx.account, lt: tx.lt })))
  }
  if (areGone)
    return (
      <Card title="Steps of the TVM">
        <p class="dim">
          The steps cannot be shown here: the lite-servers of this network no longer keep the states before it. An archival lite-server
          would have them.
        </p>
      </Card>
    )
  return (
    <Card
      title="Steps of the TVM"
      side={
        <button type="button" onClick={replay} aria-disabled={busy}>
          {data ? 'Hide the steps' : 'Show the steps'}
        </button>
      }
    >
      {error && <Fault error={error} />}
      {busy && <Waiting />}
      {data ? (
        <StepTable of={data} />
      ) : (
        !busy &&
        !error && (
          <p class="dim">
            Every instruction of this transaction with its gas and stack. It is only replayed: nothing is sent to the chain.
          </p>
        )
      )}
    </Card>
  )
}
