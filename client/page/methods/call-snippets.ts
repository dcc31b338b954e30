import { serviceUrl } from '../base/service.ts'
import { callPath, type MethodDoc } from './document.ts'

/* One call as code in three forms: REST, JSON-RPC, and the client of this project. */

export type Values = Readonly<Record<string, unknown>>

/** Quotes a text for a shell, in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const queryOf = (values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value])
      query.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** The curl command for REST; undefined for methods without REST. */
export const curlRest = (method: MethodDoc, values: Values): string | undefined => {
  const { 'x-rest': rest } = method
  if (rest === undefined) return undefined
  const { path, others } = callPath(method, values)
  const url = serviceUrl + path
  if (rest.includes('GET')) return `curl -s ${quoted(url + queryOf(others))}`
  return `curl -s ${quoted(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(values))}`
}

/** The curl command for JSON-RPC. */
export const curlRpc = ({ name }: MethodDoc, values: Values): string =>
  `curl -s ${quoted(`${serviceUrl}/jsonRPC`)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: values }))}`

/** An object as a JavaScript literal. */
const literal = (values: Values): string =>
  Object.keys(values).length === 0
    ? ''
    : JSON.stringify(values, null, 2)
        .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
        // Double quotes remain where single quotes would need an escape.
        .replace(/"(?:[^"\\]|\\.)*"/g, (text) => (/['\\]/.test(text) ? text : `'${text.slice(1, -1)}'`))

/** The code with this project's client. */
export const clientCode = ({ name }: MethodDoc, values: Values): string => {
  const call = `ton.${name}`
  return `import { createClient } from 'tonway-client'\n\nconst ton = createClient({ url: '${serviceUrl}' })\nconsole.log(await ${call}(${literal(values)}))`
}
