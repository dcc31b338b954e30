import { serviceUrl } from '../base/service.ts'
import { callPath, type MethodDoc } from './document.ts'

/* The same call in three forms that can be copied. */

export type Values = Readonly<Record<string, unknown>>

/** A text in single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const queryOf = (values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value])
      query.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** The call by REST; undefined for methods that only JSON-RPC has. */
export const curlRest = (method: MethodDoc, values: Values): string | undefined => {
  const { 'x-rest': rest } = method
  if (rest === undefined) return undefined
  const { path, others } = callPath(method, values)
  const url = serviceUrl + path
  if (rest.includes('GET')) return `curl -s ${quoted(url + queryOf(others))}`
  return `curl -s ${quoted(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(values))}`
}

/** The call by JSON-RPC. */
export const curlRpc = ({ name }: MethodDoc, values: Values): string =>
  `curl -s ${quoted(`${serviceUrl}/jsonRPC`)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: values }))}`

/** An object as it is written in a program. */
const literal = (values: Values): string =>
  Object.keys(values).length === 0
    ? ''
    : JSON.stringify(values, null, 2)
        .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
        // Double quotes stay where single ones would need an escape.
        .replace(/"(?:[^"\\]|\\.)*"/g, (text) => (/['\\]/.test(text) ? text : `'${text.slice(1, -1)}'`))

/** The call by the client of this project. */
export const clientCode = ({ name }: MethodDoc, values: Values): string => {
  const call = `ton.${name}`
  return `import { createClient } from 'tonway-client'\n\nconst ton = createClient({ url: '${serviceUrl}' })\nconsole.log(await ${call}(${literal(values)}))`
}
