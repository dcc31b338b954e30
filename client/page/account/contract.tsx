import { useState } from 'preact/hooks'
import { useCall, useRun } from '../base/call.ts'
import { counted, groups } from '../base/format.ts'
import { ton } from '../base/service.ts'
import type { Answer } from '../base/types.ts'
import { useAbout } from '../base/value-lookups.ts'
import { Account } from '../parts/address.tsx'
import { Listing } from '../parts/json.tsx'
import { Card, EmptyCard, Fault, Loading } from '../parts/layout.tsx'
import { Badge, Hash } from '../parts/values.tsx'
import { DebugTexts } from '../trace/steps.tsx'
import type { Subject } from './account.tsx'
import { ARGUMENT_KINDS, type ArgumentKind, argumentOf, shownValue } from './stack.ts'

type Code = Answer<'inspectCode'>
type Method = Code['methods'][number]

/** Code and data of an account, with the result of `inspectCode`. Null for an account without code. For a library cell, the code is that of the library. */
const load = async (address: string, signal: AbortSignal) => {
  const { code, data } = await ton.getAddressInformation({ address }, { signal })
  if (code === '') return null
  const own = await ton.inspectCode({ code }, { signal })
  if (own.library === null) return { code, data, inspected: own, library: undefined }
  const { result } = await ton.getLibraries({ libraries: [own.library] }, { signal })
  const found = result[0]?.data
  return { code, data, inspected: found ? await ton.inspectCode({ code: found }, { signal }) : own, library: own.library }
}

const ResultView = ({ of, text }: { readonly of: Answer<'runGetMethod'>; readonly text: string }) => (
  <div class="result">
    <p>
      <Badge tone={of.exit_code === 0 || of.exit_code === 1 ? 'ok' : 'bad'}>exit code {of.exit_code}</Badge> {text}{' '}
      <span class="dim">{groups(String(of.gas_used))} gas</span>
    </p>
    <DebugTexts of={of.debug ?? []} />
    {of.stack.length === 0 ? (
      <p class="dim">It left nothing on the stack.</p>
    ) : (
      <ol>
        {of.stack.map((entry, i) => {
          const { kind, text: value, address } = shownValue(entry)
          return (
            <li key={i}>
              <span class="dim">{kind}</span> {address ? <Account of={address} full /> : <span class="mono wrap">{value}</span>}
            </li>
          )
        })}
      </ol>
    )}
  </div>
)

interface Argument {
  readonly kind: ArgumentKind
  readonly text: string
}

const Arguments = ({ of, change }: { readonly of: readonly Argument[]; readonly change: (next: readonly Argument[]) => void }) => (
  <>
    {of.map(({ kind, text }, i) => {
      const replace = (part: Partial<Argument>): void => change(of.map((each, j) => (i === j ? { ...each, ...part } : each)))
      return (
        <div class="argument" key={i}>
          <select
            aria-label={`Kind of argument ${i + 1}`}
            value={kind}
            onChange={(event) => replace({ kind: event.currentTarget.value as ArgumentKind })}
          >
            {ARGUMENT_KINDS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <input
            aria-label={`Argument ${i + 1}`}
            value={text}
            placeholder={kind === 'number' ? '0' : kind === 'address' ? 'EQ…' : 'BoC in base64'}
            onInput={(event) => replace({ text: event.currentTarget.value })}
          />
          <button type="button" class="plain" aria-label={`Remove argument ${i + 1}`} onClick={() => change(of.filter((_, j) => i !== j))}>
            ×
          </button>
        </div>
      )
    })}
  </>
)

const MethodForm = ({ address, method }: { readonly address: string; readonly method: string | number }) => {
  const texts = useAbout()?.exit_codes.compute
  const [args, setArgs] = useState<readonly Argument[]>([])
  const [{ busy, data: result, error }, run] = useRun<Answer<'runGetMethod'>>()
  const submit = (event: Event): Promise<void> => {
    event.preventDefault()
    return run(async () => {
      const stack = args.map(({ kind, text }) => argumentOf(kind, text))
      return ton.runGetMethod({ address, method, stack })
    })
  }
  return (
    <form onSubmit={submit}>
      <Arguments of={args} change={setArgs} />
      <div class="buttons">
        <button type="submit" disabled={busy}>
          Run
        </button>
        <button type="button" class="plain" onClick={() => setArgs([...args, { kind: 'number', text: '' }])}>
          Add an argument
        </button>
      </div>
      {error && <Fault error={error} />}
      {result && <ResultView of={result} text={texts?.[String(result.exit_code)] ?? ''} />}
    </form>
  )
}

const MethodView = ({ of, address }: { readonly of: Method; readonly address: string }) => (
  <details class="method">
    <summary>
      <code>{of.name ?? `method ${of.id}`}</code> <small class="dim">id {of.id}</small>
    </summary>
    <MethodForm address={address} method={of.name ?? of.id} />
    <Listing summary="Its instructions" text={of.lines.join('\n')} label={`the instructions of ${of.name ?? of.id}`} />
  </details>
)

/** A form for a get-method by its name or number, for methods that the method dictionary does not name. */
const OtherMethod = ({ address }: { readonly address: string }) => {
  const [name, setName] = useState('')
  return (
    <details class="method">
      <summary>Call by name</summary>
      <label class="field">
        Name or number
        <input value={name} placeholder="seqno" onInput={(event) => setName(event.currentTarget.value.trim())} />
      </label>
      {name !== '' && <MethodForm key={name} address={address} method={/^\d+$/.test(name) ? Number(name) : name} />}
    </details>
  )
}

const listing = ({ lines, cells, truncated }: Code): string =>
  [
    ...lines,
    ...cells.flatMap(({ hash, lines: inner }) => ['', `; cell ${hash}`, ...inner]),
    ...(truncated ? ['', '; more, not listed'] : []),
  ].join('\n')

export const Contract = ({ of: { raw, state } }: { readonly of: Subject }) => {
  const answer = useCall((signal) => load(raw, signal), ['code', raw, state?.code_hash])
  return (
    <Loading of={answer} lines={6}>
      {(data) =>
        data === null ? (
          <EmptyCard title="Contract">It has no code.</EmptyCard>
        ) : (
          <>
            <Card
              title="Get-methods"
              side={<span class="dim">{counted(data.inspected.methods.length, 'method')}, each opens to a form</span>}
            >
              {data.inspected.methods.map((method) => (
                <MethodView key={method.id} of={method} address={raw} />
              ))}
              <OtherMethod address={raw} />
            </Card>
            <Card
              title="Code"
              side={
                <>
                  <span class="dim">hash</span> <Hash of={data.inspected.hash} />
                </>
              }
            >
              {data.library !== undefined && (
                <p class="dim">The account holds a reference to a library; this is the code of the library.</p>
              )}
              <Listing summary="Instructions" text={listing(data.inspected)} label="the instructions" />
              <Listing summary="Code as a BoC" text={data.code} label="the code" />
              <Listing summary="Data as a BoC" text={data.data} label="the data" />
            </Card>
          </>
        )
      }
    </Loading>
  )
}
