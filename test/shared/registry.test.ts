import { describe, expect, it } from 'vitest'
import { pathOf } from '../../shared/entries.ts'
import { TonError } from '../../shared/errors.ts'
import { subscriptions } from '../../shared/live/subscriptions.ts'
import { parseParams } from '../../shared/params.ts'
import { methodNames, registry, resolve } from '../../shared/registry.ts'
import { examples } from '../kit/service/examples.ts'

const ANY_TEXT: ReadonlySet<string> = new Set([
  ...['v3.addressBook address', 'v3.metadata address', 'v3.adjacentTransactions direction', 'v3.decode bodies'],
])

describe('the registry', () => {
  it('methods are found by their exact names and aliases, and by nothing else', () => {
    expect(resolve('getShards')?.name).toBe('getShards')
    expect(resolve('shards')?.name).toBe('getShards')
    for (const name of methodNames) expect(resolve(name)?.def).toBe(registry[name])
    for (const name of ['', 'getshards', 'GETSHARDS', 'jsonRPC', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'getShards '])
      expect(resolve(name)).toBeUndefined()
  })

  it('no alias is another method, and no name is both a method and a namespace', () => {
    const all = methodNames.flatMap((name) => [name, ...(resolve(name)!.def.aliases ?? [])])
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((name) => all.some((other) => other.startsWith(`${name}.`)))).toEqual([])
  })

  it('REST paths follow from names of methods', () => {
    expect(pathOf('getShards')).toBe('/api/v2/getShards')
    expect(pathOf('v3.transactions')).toBe('/api/v3/transactions')
    expect(pathOf('v3.jetton.transfers')).toBe('/api/v3/jetton/transfers')
    expect(pathOf('hooks.create')).toBe('/api/v3/hooks/create')
    expect(pathOf('emulate.trace')).toBe('/api/emulate/v1/emulateTrace')
    expect(pathOf('emulate.tonConnect')).toBe('/api/emulate/v1/emulateTonConnect')
    expect([...resolve('v4.getConfig')!.paths.keys()]).toEqual(['/api/v4/block/:seqno/config', '/api/v4/block/:seqno/config/:ids'])
    for (const name of methodNames)
      expect(resolve(name)!.def.rest === 'none').toBe(
        (name.includes('.') && !/^(v3|v4|hooks|emulate)\./.test(name)) || name in subscriptions,
      )
  })

  it('writes, and methods that depend on the clock, are never cached', () => {
    for (const name of methodNames) {
      const { def } = resolve(name)!
      if (def.effect === 'write' || def.needs === 'local') expect([name, def.cache]).toEqual([name, 'never'])
    }
  })

  it('every example is accepted from a body, and from a query string if there is one', () => {
    for (const name of methodNames) {
      const { def } = resolve(name)!
      for (const { title, params } of examples[name]) {
        const body = parseParams(def, params, 'body')
        if (!def.rest.includes('GET')) continue
        const query = Object.entries(params).map(([key, value]) => [key, Array.isArray(value) ? value : String(value)])
        expect([name, title, parseParams(def, Object.fromEntries(query), 'query')]).toEqual([name, title, body])
      }
    }
  })

  it('no parameter accepts a value of a wrong type, and the error is always about parameters', () => {
    const foreign: unknown[] = [{}, [[]], { toString: 1 }, [null], '\u0000', '☃'.repeat(50)]
    for (const name of methodNames) {
      const { def } = resolve(name)!
      const good: Readonly<Record<string, unknown>> = examples[name][0].params
      for (const param of Object.keys(def.params.shape)) {
        // Ignored by dnsResolve, and any text is a method's or a domain's name, or may be said of a token or to a receiver.
        if (param === 'category') continue
        for (const value of foreign) {
          if (
            typeof value === 'string' &&
            ['method', 'name', 'snapshot', 'symbol', 'description', 'image', 'uri', 'comment'].includes(param)
          )
            continue
          if (Array.isArray(value) && param === 'stack') continue
          // Any text is a spelling, a direction other than in and out is none, and a body that is none is answered with why (v3.md 1.7, 2.1, 9.1).
          if (typeof value === 'string' && ANY_TEXT.has(`${name} ${param}`)) continue
          try {
            parseParams(def, { ...good, [param]: value }, 'body')
            expect.fail(`${name} took ${param} = ${JSON.stringify(value)}`)
          } catch (error) {
            if (!(error instanceof TonError)) throw error
            expect(error.kind).toBe('INVALID_PARAMS')
            expect(error.issues?.some((issue) => issue.param === param)).toBe(true)
          }
        }
      }
    }
  })
})
