import { useEffect, useState } from 'preact/hooks'
import { useAbout } from '../base/about.ts'
import { asError } from '../base/call.ts'
import { groups } from '../base/format.ts'
import { ton } from '../base/service.ts'
import { Source } from '../parts/json.tsx'
import { Card, Fault } from '../parts/layout.tsx'
import { Badge } from '../parts/values.tsx'
import { clientCode, curlRest, curlRpc, type Values } from './call-snippets.ts'
import { type Document, type MethodDoc, type Param, resolved, type Schema, typeText } from './document.ts'
import { type Texts, textsOf, valuesOf } from './values.ts'

/* The view of one method: a form with its parameters, the call in three forms, the answer, and a description of the answer. */

const MOST_DEPTH = 5

/** A parameter: its name, what it is, and a field for its value. */
const ParamField = ({
  of,
  document,
  text,
  change,
}: {
  readonly of: Param
  readonly document: Document
  readonly text: string
  readonly change: (text: string) => void
}) => {
  const schema = resolved(document, of.schema)
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  const example = schema.examples?.[0]
  const hint =
    schema.default !== undefined
      ? `default ${JSON.stringify(schema.default)}`
      : typeof example === 'string'
        ? example
        : example === undefined
          ? ''
          : JSON.stringify(example)
  const id = `param-${of.name}`
  return (
    <div class="param">
      <label for={id}>
        <code>{of.name}</code> <span class="dim">{typeText(document, of.schema)}</span> {of.required && <Badge tone="warn">required</Badge>}
      </label>
      {choices ? (
        <select id={id} value={text} onChange={(event) => change(event.currentTarget.value)}>
          <option value="">{schema.default === undefined ? 'not given' : hint}</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : schema.type === 'array' || schema.type === 'object' ? (
        <textarea
          id={id}
          rows={2}
          value={text}
          placeholder={hint.slice(0, 100)}
          spellcheck={false}
          onInput={(event) => change(event.currentTarget.value)}
        />
      ) : (
        <input
          id={id}
          value={text}
          placeholder={hint.slice(0, 100)}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      {of.description && <p class="dim">{of.description}</p>}
    </div>
  )
}

/** The fields of an answer with their meaning. */
const SchemaView = ({ of, document, depth = 0 }: { readonly of: Schema; readonly document: Document; readonly depth?: number }) => {
  const schema = resolved(document, of)
  const inner = schema.type === 'array' && schema.items ? resolved(document, schema.items) : schema
  const fields = Object.entries(inner.properties ?? {})
  if (fields.length === 0) return <p class="dim">{schema.description ?? typeText(document, schema)}</p>
  return (
    <ul class="tree">
      {fields.map(([name, field]) => {
        const target = resolved(document, field)
        const below = target.type === 'array' && target.items ? resolved(document, target.items) : target
        const deep = below.properties !== undefined && Object.keys(below.properties).length > 0 && depth < MOST_DEPTH
        return (
          <li key={name}>
            <code>{name}</code> <span class="dim">{typeText(document, field)}</span>
            {target.description && <p class="dim">{target.description}</p>}
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

interface Told {
  readonly answer?: unknown
  readonly error?: ReturnType<typeof asError>
  /** Milliseconds. */
  readonly took?: number
  readonly busy?: boolean
}

const Answer = ({ of: { answer, error, took } }: { readonly of: Told }) =>
  error ? (
    <Fault error={error} />
  ) : took === undefined ? null : (
    <div class="answer" role="status">
      <p>
        <Badge tone="ok">answered</Badge> <span class="dim">in {groups(String(took))} ms</span>
      </p>
      <Source text={JSON.stringify(answer, null, 2) ?? 'null'} label="the answer" most={100_000} />
    </div>
  )

const FORMS = ['curl', 'JSON-RPC', 'client'] as const

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

/** An account of this network for examples: a funded wallet of an embedded chain. */
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

const Errors = ({ of, document }: { readonly of: MethodDoc; readonly document: Document }) => (
  <ul class="tree">
    {of.errors.map(({ $ref }) => {
      const kind = $ref.split('/').at(-1)!
      return (
        <li key={kind}>
          <code>{kind}</code> <span class="dim">{document.components.errors[kind]?.message}</span>
        </li>
      )
    })}
  </ul>
)

export const MethodView = ({ of, document }: { readonly of: MethodDoc; readonly document: Document }) => {
  const account = useAccount()
  const [texts, setTexts] = useState<Texts>({})
  const [told, tell] = useState<Told>({})
  let values: Values = {}
  let fault = ''
  try {
    values = valuesOf(document, of, texts)
  } catch (thrown) {
    fault = (thrown as Error).message
  }
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    tell({ busy: true })
    const begun = performance.now()
    try {
      const answer = await ton.request(of.name as never, values as never)
      tell({ answer, took: Math.round(performance.now() - begun) })
    } catch (thrown) {
      tell({ error: asError(thrown) })
    }
  }
  return (
    <>
      <Card
        title={<code class="method-name">{of.name}</code>}
        side={of['x-effect'] === 'write' ? <Badge tone="warn">write</Badge> : <Badge>read</Badge>}
      >
        <p>{of.summary}</p>
        {of['x-aliases'] && <p class="dim">Also called {of['x-aliases'].join(', ')}.</p>}
      </Card>
      <Card title="Try it">
        <form class="params" onSubmit={send}>
          <div class="pair examples">
            {of.examples.map((example) => (
              <button key={example.name} type="button" class="plain" onClick={() => setTexts(textsOf(example, account))}>
                {example.name}
              </button>
            ))}
          </div>
          {of.params.length === 0 && <p class="dim">It has no parameters.</p>}
          {of.params.map((param) => (
            <ParamField
              key={param.name}
              of={param}
              document={document}
              text={texts[param.name] ?? ''}
              change={(text) => setTexts((before) => ({ ...before, [param.name]: text }))}
            />
          ))}
          {fault !== '' && <p class="notice bad">{fault}</p>}
          <div class="buttons">
            <button type="submit" disabled={told.busy === true || fault !== ''}>
              {told.busy ? 'Waiting…' : 'Send'}
            </button>
          </div>
        </form>
        <Answer of={told} />
        <CodeForms of={of} values={values} />
      </Card>
      <Card title="Answer">
        <SchemaView of={of.result.schema} document={document} />
      </Card>
      <Card title="Errors">
        <Errors of={of} document={document} />
      </Card>
    </>
  )
}
