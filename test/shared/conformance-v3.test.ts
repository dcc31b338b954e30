import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createDocuments } from '../../server/http/docs/documents.ts'
import { methodNames } from '../../shared/registry.ts'
import { readData } from '../kit/data.ts'
import { at, compareParameters, compareResults, deref, type Node } from './setup/conformance.ts'

/*
 * Our document beside TON Center's own of v3 (1.2.6). Answers are held against it by those who call `differences` of v3/openapi.ts.
 */

/** Mistakes of theirs, and why: what is found where our document does not say what theirs says. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/\.finality: no "integer"$/, 'a text on the wire (ton-index-go/index/models/types.go, MarshalJSON)'],
  [/\.opcode: no "integer"$/, 'a text in hex on the wire (OpcodeType.MarshalJSON)'],
  [/\.body_raw: no "array"$/, 'bytes, which Go writes as base64'],
  [/masterchainBlockShards\.\w+: missing$/, 'it answers blocks; the document names the model of transactions'],
  [/masterchainBlockShardState\.\w+: missing$/, 'the same'],
  [/runGetMethod\.\w+: missing$/, 'the document gives the model of the request as that of the answer'],
  [/\.trace(\.children\[\])?\.(in_msg|transaction): missing$/, 'no answer of theirs fills it: transactions stand beside the tree'],
  [/(accountStates\?address|adjacentTransactions\?hash): required differs$/, 'calls without it are refused'],
  [/ body (address|body|boc|method): required differs$/, 'calls without it are refused'],
]

/** As it stands, but for references to `index.OrderAction` and `index.VestingInfo`, which it calls OrderAction and VestingInfo. */
const theirs: Node = parse(readData('reference/v3.openapi.yaml').toString().replaceAll('schemas/index.', 'schemas/'))
const ours: Node = JSON.parse(await createDocuments({ served: methodNames, version: '0.0.0' }).openapi())
const operations = Object.entries(at(theirs, 'paths')).flatMap(([path, verbs]) =>
  Object.keys(verbs as Node).map((verb) => [path, verb] as const),
)
const bodyOf = (document: Node, operation: Node): unknown =>
  deref(document, at(operation, 'responses', '200', 'content', 'application/json')['schema'])

describe("conformance to TON Center's document of v3", () => {
  it('every path, parameter, body member and member of an answer of theirs is in our document, except for their mistakes', () => {
    expect(at(theirs, 'info')['version']).toBe('1.2.6')
    expect(operations.length).toBeGreaterThanOrEqual(48)
    const found = operations.flatMap(([path, verb]) => {
      const name = `${verb.toUpperCase()} ${path}`
      const [left, right] = [at(theirs, 'paths', path, verb), at(ours, 'paths', path, verb)]
      if (Object.keys(right).length === 0) return [`${name}: missing`]
      return [
        ...compareParameters({ theirs, ours }, left, right, name),
        ...compareResults({ theirs, ours }, bodyOf(theirs, left), bodyOf(ours, right), name),
      ]
    })
    expect(found.filter((line) => !MISTAKES.some(([pattern]) => pattern.test(line)))).toEqual([])
    for (const [pattern] of MISTAKES) expect(found, String(pattern)).toContainEqual(expect.stringMatching(pattern))
  })
})
