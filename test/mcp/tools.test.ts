import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { paramsSchema } from '../../server/http/docs/schema.ts'
import { createToolbox, type Tool, type Toolbox, toolName } from '../../server/mcp/tools.ts'
import { methodNames, registry } from '../../shared/registry.ts'
import { projectFolder } from '../kit/project.ts'

const toolbox = (allowsWrites: boolean, served: readonly string[] = methodNames): Toolbox =>
  createToolbox({ methods: registry, served, allowsWrites, paramsSchema })

const bytesOf = (tools: readonly Tool[]): number => Buffer.byteLength(JSON.stringify({ tools }))

describe('the tools of all methods', () => {
  it('tools have names that every agent takes, each of its own, and no output schemas', async () => {
    const all = await toolbox(true).all()
    expect(all.filter(({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(all.filter((tool) => 'outputSchema' in tool)).toEqual([])
    expect(toolName('v3.transactions')).toBe('v3_transactions')
  })

  it('tools are every method but those that need a socket, in at most 120 KB', async () => {
    const all = await toolbox(true).all()
    const own = ['find_method', 'call_method']
    const names = methodNames.filter((name) => !/^(?:un)?subscribe$/.test(name)).map(toolName)
    expect(all.map(({ name }) => name)).toEqual([...own, ...names])
    expect(bytesOf(all)).toBeLessThanOrEqual(120_000)
  })

  it('tools of those who may only read are the reads, of webhooks too, and lists have the parameter for proofs', async () => {
    const all = await toolbox(false).all()
    expect(all.map(({ name }) => name).filter((name) => name.startsWith('hooks_'))).toEqual(['hooks_list'])
    const proven = methodNames.filter((name) => 'proofs' in registry[name].params.shape).map(toolName)
    expect(proven).toContain('v3_transactions')
    const withProofs = all.filter(({ inputSchema }) => 'proofs' in (inputSchema['properties'] as object))
    expect(withProofs.map(({ name }) => name)).toEqual(proven)
  })

  it('tools are at most 20 in the short list, with and without an index', async () => {
    const withoutIndex = methodNames.filter((name) => registry[name].needs !== 'index')
    for (const served of [methodNames, withoutIndex]) {
      const short = await toolbox(false, served).short()
      expect(short.length).toBe(served === methodNames ? 20 : 14)
      expect(short.slice(0, 2).map(({ name }) => name)).toEqual(['find_method', 'call_method'])
      expect(bytesOf(short)).toBeLessThanOrEqual(32_000)
      expect(short.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    }
  })

  it('tools have schemas of objects, whose parameters all say what they are', async () => {
    for (const { name, inputSchema } of await toolbox(true).all()) {
      expect([name, inputSchema.type]).toEqual([name, 'object'])
      const params = Object.values(inputSchema['properties'] as Readonly<Record<string, object>>)
      if (name !== 'find_method' && name !== 'call_method')
        expect([name, params.filter((param) => !('description' in param))]).toEqual([name, []])
    }
  })

  it('methods are found by words that a reader would use', () => {
    const { search } = toolbox(false)
    const namesOf = (query: string): readonly string[] =>
      (search(query) as { methods: { method: string }[] }).methods.map(({ method }) => method)
    expect(namesOf('jetton transfers')[0]).toBe('v3.jetton.transfers')
    expect(namesOf('holders of a jetton')).toContain('token.holders')
    expect(namesOf('resolve dns name')).toContain('dnsResolve')
    expect(namesOf('what would a message do, emulate it')).toContain('emulate.trace')
    expect(namesOf('my webhooks')).toEqual(['hooks.list'])
    expect(namesOf('v3_traces')).toEqual(['v3.traces'])
    expect(namesOf('send a message')).not.toContain('sendBoc')
  })
})

describe('the code of the protocol', () => {
  it('the package of MCP is loaded by no file of the built service until an agent asks', () => {
    const folder = join(projectFolder, 'dist/server')
    const seen = new Set<string>()
    const packages = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      // Statements alone: what `import()` names is loaded later.
      for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"();]*["']([^"']+)["'];?$/gm))
        if (specifier!.startsWith('.')) visit(join(dirname(file), specifier!))
        else packages.add(specifier!)
    }
    const chunks = readdirSync(join(folder, 'chunks'), { withFileTypes: true }).map(({ name }) => join(folder, 'chunks', name))
    const ofMcp = chunks.filter((file) => file.endsWith('.js') && readFileSync(file, 'utf8').match(/from ?"@modelcontextprotocol\/server"/))
    // A build leaves the files of the one before it to processes that run from them.
    expect(ofMcp.length).toBeGreaterThanOrEqual(1)
    for (const name of ['main.js', 'start/tonway.js']) visit(join(folder, name))
    // The routes and what they import, too.
    for (const file of chunks.filter((each) => /\/(routes|app)-[^/]*\.js$/.test(each))) visit(file)
    expect(seen.size).toBeGreaterThan(10)
    expect([...packages].filter((name) => name.startsWith('@modelcontextprotocol/'))).toEqual([])
  })
})
