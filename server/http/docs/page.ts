import { createHash } from 'node:crypto'
import { pathOf, type Section } from '../../../shared/entries.ts'
import { ERRORS } from '../../../shared/errors.ts'
import type { Resolved } from '../../../shared/registry.ts'
import { FRIENDLY, RAW } from '../../../shared/samples.ts'
import { errorDoc, failuresOf } from './errors.ts'
import { escapeHtml } from './html.ts'
import { createResultTables } from './page-results.ts'
import { createFill, readField, runDocsPage } from './page-script.ts'
import { STYLE } from './page-style.ts'
import { type Json, type ParamDoc, paramDocs } from './schema.ts'

/** The page and its Content-Security-Policy, which allows only the page's own script and style. */
export interface DocsPage {
  readonly html: string
  readonly policy: string
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A short type description of a schema. */
const typeText = (schema: Json): string => {
  const { type, enum: values, const: only, oneOf, anyOf, items, $ref } = schema as Record<string, unknown> & { items?: Json }
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  const choice = (oneOf ?? anyOf) as readonly Json[] | undefined
  if (choice) return [...new Set(choice.map(typeText))].join(' | ')
  if (type === 'array') return items ? `list of ${typeText(items)}` : 'list'
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'any'
}

/** How the page's script turns a field's text into a value. */
const kindOf = (schema: Json): 'list' | 'json' | 'boolean' | 'any' | 'text' => {
  const { type, items } = schema as { type?: unknown; items?: Json }
  if (type === 'object' || (type === 'array' && items?.['type'] !== 'string')) return 'json'
  if (type === 'array') return 'list'
  const text = typeText(schema)
  return text === 'any' ? 'any' : text.split(' | ').includes('boolean') ? 'boolean' : 'text'
}

const html = escapeHtml

const paramRow = ({ name, required, description, schema }: ParamDoc): string => {
  const fallback = schema['default'] === undefined ? '' : ` <span class="dim">default ${html(JSON.stringify(schema['default']))}</span>`
  const must = required ? ' <span class="must">required</span>' : ''
  return `<tr><td><code>${html(name)}</code>${must}</td><td>${html(description ?? '')}${fallback}</td><td class="dim">${html(typeText(schema))}</td></tr>`
}

const paramsTable = (params: readonly ParamDoc[]): string =>
  params.length === 0 ? '<p class="dim">None.</p>' : `<table class="params">${params.map(paramRow).join('')}</table>`

const errorsTable = ({ def }: Resolved): string => {
  const rows = failuresOf(def).map((kind) => {
    const { http, rpc } = ERRORS[kind]
    return `<tr><td class="num">${http}</td><td class="num dim">${rpc}</td><td><code>${kind}</code></td><td>${html(errorDoc(kind).what)}</td></tr>`
  })
  return `<table class="errors"><tr><th>HTTP</th><th>RPC</th><th>kind</th><th></th></tr>${rows.join('')}</table>`
}

const field = (method: string, { name, required, example, schema }: ParamDoc): string => {
  const id = html(`${method}:${name}`)
  const kind = kindOf(schema)
  const common = `id="${id}" name="${html(name)}" data-kind="${kind}" placeholder="${html(example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example))}" autocomplete="off" spellcheck="false"`
  const control = kind === 'list' || kind === 'json' ? `<textarea rows="2" ${common}></textarea>` : `<input ${common}>`
  return `<label for="${id}"><code>${html(name)}</code>${required ? ' <span class="must">required</span>' : ''}</label>${control}`
}

const doors = ({ verbs }: Resolved): string =>
  [...verbs.map((verb) => [verb, `REST ${verb}`] as const), ['RPC', 'JSON-RPC'] as const]
    .map(([value, label]) => `<option value="${value}">${label}</option>`)
    .join('')

const tryForm = (method: Resolved, params: readonly ParamDoc[]): string => {
  const { name, def } = method
  const buttons = def.examples.map(
    (example) =>
      `<button type="button" class="example" data-params="${html(JSON.stringify(example.params))}">${html(example.title)}</button>`,
  )
  return `<form class="try" data-method="${html(name)}" data-path="${html(pathOf(name))}">
<div class="bar"><span class="dim">Examples</span>${buttons.join('')}</div>
<div class="fields">${params.map((param) => field(name, param)).join('')}</div>
<div class="bar"><select class="door" aria-label="door">${doors(method)}</select><button class="send">Send</button></div>
<pre class="request" hidden></pre><p class="told" role="status" hidden></p><pre class="answer" hidden></pre></form>`
}

const verbsOf = ({ verbs }: Resolved): string =>
  [...verbs, 'RPC'].map((verb) => `<span class="verb ${verb.toLowerCase()}">${verb}</span>`).join(' ')

const wordsOf = ({ name, def, section }: Resolved): string =>
  html(`${name} ${(def.aliases ?? []).join(' ')} ${def.summary} ${section} ${def.heading}`.toLowerCase())

const card = (method: Resolved, answer: string): string => {
  const { name, def, paths } = method
  const params = paramDocs(def)
  const [path = 'JSON-RPC only'] = paths.keys()
  const aliases = def.aliases
    ? ` <span class="dim">also ${def.aliases.map((alias) => `<code>${html(alias)}</code>`).join(', ')}</span>`
    : ''
  return `<details class="method" id="${html(name)}" data-words="${wordsOf(method)}"><summary>${verbsOf(method)} <span class="name">${html(name)}</span><span class="what">${html(def.summary)}</span></summary>
<div class="body"><p><code>${html(path)}</code>${aliases}</p>
<h3>Parameters</h3>${paramsTable(params)}
<h3>Answer</h3>${answer}
<h3>Try it</h3>${tryForm(method, params)}
<h3>Errors</h3>${errorsTable(method)}</div></details>`
}

/** Methods under one heading of one interface. */
interface Topic {
  readonly section: Section
  readonly heading: string
  readonly methods: readonly Resolved[]
}

const ORDER: readonly Section[] = ['v2', 'v3', 'emulate', 'local', 'service']

/** Topics in the order of the sections. */
const topicsOf = (methods: readonly Resolved[]): readonly Topic[] => {
  const topics = new Map<string, Topic & { readonly methods: Resolved[] }>()
  for (const method of methods) {
    const { section, def } = method
    const key = `${section} ${def.heading}`
    const topic = topics.get(key) ?? { section, heading: def.heading, methods: [] }
    topic.methods.push(method)
    topics.set(key, topic)
  }
  return [...topics.values()].sort((a, b) => ORDER.indexOf(a.section) - ORDER.indexOf(b.section))
}

const headingOf = ({ section, heading }: Topic): string =>
  section === 'v2' || section === 'v3' ? `<span>${section}</span>${html(heading)}` : html(heading)

const navigation = (topics: readonly Topic[]): string =>
  topics
    .map((topic) => {
      const items = topic.methods.map(
        (method) =>
          `<li data-words="${wordsOf(method)}"><a href="#${html(method.name)}">${html(method.name.replace(/^v3\./, ''))}</a></li>`,
      )
      return `<div data-group><h2>${headingOf(topic).replace(/<\/?span>/g, ' ')}</h2><ul>${items.join('')}</ul></div>`
    })
    .join('')

/** The page of these methods. It is self-contained: it loads nothing from elsewhere. */
export const createDocsPage = (methods: readonly Resolved[], { version, network }: { version: string; network: string }): DocsPage => {
  const script = `(${runDocsPage.toString()})(${createFill.toString()},${readField.toString()})`
  const topics = topicsOf(methods)
  const results = createResultTables(methods)
  const models = results.models().map((model) => model.html)
  const sections = topics.map(
    (topic) =>
      `<section data-group><h2 class="group">${headingOf(topic)}</h2>${topic.methods.map((method) => card(method, results.of(method))).join('')}</section>`,
  )
  return {
    policy: [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(STYLE)}`,
      "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>tonway · methods</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body data-friendly="${FRIENDLY}" data-raw="${RAW}"><header><h1>tonway<small>${html([network, version].filter((text) => text !== '').join(' · '))}</small></h1>
<span class="links"><a href="openapi.json">OpenAPI</a><a href="openrpc.json">OpenRPC</a><a href="status">status</a></span>
<label for="key">API key<input id="key" type="password" autocomplete="off" placeholder="none"></label></header>
<div class="layout"><nav aria-label="methods"><input id="filter" type="search" placeholder="Find a method" aria-label="find a method" autocomplete="off"><div class="all">${navigation(topics)}</div></nav>
<main><p>${methods.length} methods. Every one over <code>POST /jsonRPC</code> and its WebSocket, single or in batches; those with a verb by REST too. A key goes with the calls of this page only, and is kept nowhere.</p>
${sections.join('\n')}
<section data-group><h2 class="group">Models of the answers</h2>${models.join('')}</section></main></div><script>${script}</script></body></html>
`,
  }
}
