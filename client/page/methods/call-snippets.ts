import { serviceUrl } from '../base/service.ts'
import { callPath, type MethodDoc } from './document.ts'

export type Values = Readonly<Record<string, unknown>>

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const queryOf = (values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    for (const each of Array.isArray(value) ? value : [value])
      query.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Undefined for a method without REST. */
export const curlRest = (method: MethodDoc, values: Values): string | undefined => {
  const { 'x-rest': rest } = method
  if (rest === undefined) return undefined
  const { path, others } = callPath(method, values)
  const url = serviceUrl + path
  if (rest.includes('GET')) return `curl -s ${quoted(url + queryOf(others))}`
  return `curl -s ${quoted(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(values))}`
}

export const curlRpc = ({ name }: MethodDoc, values: Values): string =>
  `curl -s ${quoted(`${serviceUrl}/jsonRPC`)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: values }))}`

const literal = (values: Values): string =>
  Object.keys(values).length === 0
    ? ''
    : JSON.stringify(values, null, 2)
        .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
        // Double quotes remain where single quotes would need an escape.
        .replace(/"(?:[^"\\]|\\.)*"/g, (text) => (/['\\]/.test(text) ? text : `'${text.slice(1, -1)}'`))

export const clientCode = ({ name }: MethodDoc, values: Values): string => {
  const call = `ton.${name}`
  return `import { createClient } from 'tonway-client'\n\nconst ton = createClient({ url: '${serviceUrl}' })\nconsole.log(await ${call}(${literal(values)}))`
}
