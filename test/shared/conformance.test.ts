import { describe, expect, it } from 'vitest'
import { createDocuments } from '../../server/http/docs/documents.ts'
import { methodNames } from '../../shared/registry.ts'
import { UNPREFIXED_TEXTS } from '../../shared/unprefixed-errors.ts'
import { readJson } from '../kit/data.ts'
import { at, compareParameters, compareResults, deref, type Node } from './setup/conformance.ts'

/** Where this service differs on purpose from TON Center's published document (2.1.1), with the reason. Written on 2026-11-20. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'GET /api/v2/getConfigParam?config_id: required differs': '`param` is another name of it (v2.md 8.6)',
  'GET /api/v2/unpackAddress: no "object"': 'the running service answers a text (v2.md 8.5)',
  'GET /api/v2/getExtendedAddressInformation<fullAccountState>.account_state: no pchan.accountState':
    'its code hash depends on a compiler and is published nowhere (v2.md 2.7): told as raw.accountState',
  'POST /api/v2/jsonRPC body jsonrpc: required differs': 'real clients leave it out (v2.md 1.6)',
  'POST /api/v2/jsonRPC body id: required differs': 'real clients leave it out (v2.md 1.6)',
  'POST /api/v2/jsonRPC body params: required differs': 'real clients leave it out (v2.md 1.6)',
  'POST /api/v2/runGetMethod<smc.runResult>.debug: theirs is closed without it': 'what the contract printed, on an embedded chain',
  'POST /api/v2/runGetMethod<smc.runResult>.trace: theirs is closed without it': 'only where `trace: true` asked for the steps',
  'POST /api/v2/runGetMethodStd<smc.runResult>.debug: theirs is closed without it': 'what the contract printed, on an embedded chain',
  'POST /api/v2/runGetMethodStd<smc.runResult>.trace: theirs is closed without it': 'only where `trace: true` asked for the steps',
}

const theirs: Node = readJson('reference/v2.openapi.json')
const ours: Node = JSON.parse(await createDocuments({ served: methodNames, version: '0.0.0' }).openapi())
const documents = { theirs, ours }
const operations = Object.entries(at(theirs, 'paths')).flatMap(([path, verbs]) =>
  Object.keys(verbs as Node).map((verb) => [path, verb] as const),
)

const resultOf = (document: Node, operation: Node): unknown =>
  at(deref(document, at(operation, 'responses', '200', 'content', 'application/json')['schema']), 'properties')['result']

describe("conformance to TON Center's document", () => {
  it('every operation, parameter, body member and result member of TON Center’s document is here, except for the listed ones', () => {
    expect(operations.length).toBeGreaterThanOrEqual(34)
    const found = operations.flatMap(([path, verb]) => {
      const name = `${verb.toUpperCase()} ${path}`
      const left = at(theirs, 'paths', path, verb)
      const right = at(ours, 'paths', path, verb)
      if (Object.keys(right).length === 0) return [`${name}: missing`]
      if (path.endsWith('/jsonRPC')) {
        const [single] = at(right, 'requestBody', 'content', 'application/json', 'schema')['anyOf'] as readonly Node[]
        const body = { requestBody: { content: { 'application/json': { schema: single } } } }
        return compareParameters(documents, left, body, name)
      }
      return [
        ...compareParameters(documents, left, right, name),
        ...compareResults(documents, resultOf(theirs, left), resultOf(ours, right), name),
      ]
    })
    expect([...new Set(found)].sort()).toEqual(Object.keys(EXCEPTIONS).sort())
  })

  it('the texts of bare answers are those of TON Center’s 422 answers', () => {
    const texts = Object.entries(at(theirs, 'components', 'responses'))
      .filter(([name]) => name.startsWith('422'))
      .flatMap(([, response]) => at(response, 'content', 'application/json', 'schema', 'properties', 'error')['enum'] as readonly string[])
    expect([...UNPREFIXED_TEXTS].sort()).toEqual([...new Set(texts)].sort())
  })
})
