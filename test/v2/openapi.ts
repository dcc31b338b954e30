import { Ajv } from 'ajv'
import { readJson } from '../kit/data.ts'

/* TON Center's own document, to hold whole answers against (envelope and result). */

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }

/** A check of a REST answer's body: what is wrong with it, [] if nothing is; undefined for operations the document does not have. */
export const openapiChecker = () => {
  const document = readJson<Document>('reference/v2.openapi.json')
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, 'v2')
  return (method: string, body: unknown): string[] | undefined => {
    const path = document.paths[`/api/v2/${method}`]
    if (!path) return undefined
    const verb = path['get'] ? 'get' : 'post'
    const operation = path[verb] as { readonly responses: Readonly<Record<string, unknown>> }
    const place = ['paths', `/api/v2/${method}`, verb, 'responses', '200', 'content', 'application/json', 'schema']
    if (!operation.responses['200']) return undefined
    const pointer = place.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const check = ajv.getSchema(`v2#/${pointer}`)
    if (!check) throw new Error(`no schema of ${method}`)
    check(body)
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
