import { useEffect, useState } from 'preact/hooks'
import { useRun } from '../base/call.ts'
import { groups } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { useAbout } from '../base/value-lookups.ts'
import { Source } from '../parts/json.tsx'
import { Card, Fault, Table } from '../parts/layout.tsx'
import { Badge } from '../parts/values.tsx'
import { clientCode, curlRest, curlRpc, type Values } from './call-snippets.ts'
import { type Document, type MethodDoc, type Param, resolved, routeText, type Schema, typeText } from './document.ts'
import { ParamField } from './param-field.tsx'
import { type Texts, textsOf, valuesOf } from './values.ts'
import { Prose } from './wording.tsx'

const MAX_DEPTH = 5

const SchemaView = ({ of, document, depth = 0 }: { readonly of: Schema; readonly document: Document; readonly depth?: number }) => {
  const schema = resolved(document, of)
  const inner = schema.type === 'array' && schema.items ? resolved(document, schema.items) : schema
  const fields = Object.entries(inner.properties ?? {})
  if (fields.length === 0)
    return (
      <p class="dim">
        <Prose of={schema.description ?? typeText(document, schema)} />
      </p>
    )
  return (
    <ul class="tree fields">
      {fields.map(([name, field]) => {
        const target = resolved(document, field)
        const below = target.type === 'array' && target.items ? resolved(document, target.items) : target
        const deep = below.properties !== undefined && Object.keys(below.properties).length > 0 && depth < MAX_DEPTH
        return (
          <li key={name}>
            <span>
              <code>{name}</code> <span class="dim">{typeText(document, field)}</span>
            </span>
            {target.description && (
              <p class="dim">
                <Prose of={target.description} />
              </p>
            )}
            {deep && (
              <details>
                <summary class="dim">its fields</summary>
                <SchemaView of={target} document={document} depth={depth + 1} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface Reply {
  readonly answer: unknown
  /** Duration of the call in milliseconds. */
  readonly took: number
}

const Answer = ({ of: { answer, took } }: { readonly of: Reply }) => (
  <div class="answer" role="status">
    <p>
      <Badge tone="ok">answered</Badge> <span class="dim">in {groups(String(took))} ms</span>
    </p>
    <Source text={JSON.stringify(answer, null, 2) ?? 'null'} label="the answer" most={100_000} />
  </div>
)

const FORMS = ['curl', 'JSON-RPC', 'TypeScript'] as const

const CodeForms = ({ of, values }: { readonly of: MethodDoc; readonly values: Values }) => {
  const forms = FORMS.filter((form) => form !== 'curl' || of['x-rest'] !== undefined)
  const [chosen, choose] = useState<(typeof FORMS)[number]>(forms[0]!)
  const form = forms.includes(chosen) ? chosen : forms[0]!
  const text = form === 'curl' ? curlRest(of, values)! : form === 'JSON-RPC' ? curlRpc(of, values) : clientCode(of, values)
  return (
    <div class="forms">
      <div class="choice" role="group" aria-label="Form of the call">
        {forms.map((each) => (
          <button key={each} type="button" class="plain" aria-pressed={each === form} onClick={() => choose(each)}>
            {each}
          </button>
        ))}
      </div>
      <Source text={text} label="the call" />
    </div>
  )
}

/** An account for examples: a funded wallet of an embedded chain. Undefined on other networks, and if it fails: the page does not wait for it. */
const useAccount = (): string | undefined => {
  const local = useAbout()?.local
  const [account, setAccount] = useState<string>()
  useEffect(() => {
    if (local)
      ton.local.wallets().then(
        ({ wallets }) => setAccount(wallets[0]?.address),
        () => {},
      )
  }, [local])
  return account
}

/** The HTTP status of a REST error. The emulation methods have their own status for invalid parameters. */
const statusOf = ({ name }: MethodDoc, kind: string, status: number): number =>
  name.startsWith('emulate.') && kind === 'INVALID_PARAMS' ? 400 : status

const Errors = ({ of, document }: { readonly of: MethodDoc; readonly document: Document }) => {
  const errors = of.errors.map(({ $ref }) => {
    const kind = $ref.split('/').at(-1)!
    return { kind, error: document.components.errors[kind] }
  })
  return (
    <Table
      label="Errors"
      class="errors"
      of={errors}
      id={({ kind }) => kind}
      columns={{
        Kind: ({ kind }) => <code>{kind}</code>,
        HTTP: ({ kind, error }) => error && String(statusOf(of, kind, error.data.status)),
        'JSON-RPC': ({ error }) => error && String(error.code),
        Meaning: ({ error }) => error && <Prose of={error.message} />,
      }}
      empty="It does not fail."
    />
  )
}

const FEW = 6

/** Splits the parameters into those that are required or used in an example, and all others. */
const dividedParams = ({ params, examples }: MethodDoc): readonly [readonly Param[], readonly Param[]] => {
  if (params.length <= FEW) return [params, []]
  const used = new Set(examples.flatMap((example) => example.params.map(({ name }) => name)))
  const isFirst = ({ name, required }: Param): boolean => required === true || used.has(name)
  return [params.filter(isFirst), params.filter((param) => !isFirst(param))]
}

export const MethodView = ({ of, document }: { readonly of: MethodDoc; readonly document: Document }) => {
  const account = useAccount()
  const [texts, setTexts] = useState<Texts>({})
  const [{ busy, data: reply, error }, run] = useRun<Reply>()
  let values: Values = {}
  let fault = ''
  try {
    values = valuesOf(document, of, texts)
  } catch (thrown) {
    fault = (thrown as Error).message
  }
  const [first, more] = dividedParams(of)
  const field = (param: Param) => (
    <ParamField
      key={param.name}
      of={param}
      document={document}
      text={texts[param.name]}
      change={(text) => setTexts(({ [param.name]: _, ...others }) => (text === '' ? others : { ...others, [param.name]: text }))}
    />
  )
  const send = (event: Event): Promise<void> => {
    event.preventDefault()
    const begun = performance.now()
    return run(async () => {
      const answer = await ton.request(of.name as never, values as never)
      return { answer, took: Math.round(performance.now() - begun) }
    })
  }
  return (
    <>
      <Card
        title="What it does"
        side={of['x-effect'] === 'write' ? <Badge tone="warn">makes a change</Badge> : <Badge>changes nothing</Badge>}
      >
        <p>
          <code class="wrap">{routeText(of)}</code>
        </p>
        <p>
          <Prose of={of.summary} />
        </p>
        {of['x-aliases'] && <p class="dim">Also called {of['x-aliases'].join(', ')}.</p>}
      </Card>
      <Card title="Try it">
        <form class="params" onSubmit={send}>
          <div class="pair examples" role="group" aria-label="Examples">
            <span class="dim">Fill in:</span>
            {of.examples.map((example) => (
              <button key={example.name} type="button" class="plain" onClick={() => setTexts(textsOf(example, account))}>
                {example.name}
              </button>
            ))}
          </div>
          {of.params.length === 0 && <p class="dim">It has no parameters.</p>}
          {first.map(field)}
          {more.length > 0 && (
            <details class="more-params">
              <summary>{`More parameters (${more.length})`}</summary>
              <div class="params">{more.map(field)}</div>
            </details>
          )}
          {fault !== '' && <p class="notice bad">{fault}</p>}
          <div class="buttons">
            <button type="submit" disabled={busy || fault !== ''}>
              {busy ? 'Waiting…' : 'Send'}
            </button>
          </div>
        </form>
        {error && <Fault error={error} />}
        {reply && <Answer of={reply} />}
        <CodeForms of={of} values={values} />
      </Card>
      <Card title="What the answer holds">
        <SchemaView of={of.result.schema} document={document} />
      </Card>
      <Card title="Errors">
        <Errors of={of} document={document} />
      </Card>
    </>
  )
}
