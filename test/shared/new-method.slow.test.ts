import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { type LocalIndex, startLocalIndex } from '../kit/index/local-index.ts'
import { projectFolder } from '../kit/project.ts'

/*
 * What adding a read of the index takes: a list over a table that is there already is added to a copy of the project, in five files. The compiler finds
 * nothing missing, and the list is served, charged, routed and documented.
 */

const NAME = 'v3.masterchainBlocks'

/** A text with another one behind the first place of a mark. */
const behind = (text: string, mark: string, added: string): string => {
  const at = text.indexOf(mark)
  if (at === -1) throw new Error(`no ${mark}`)
  return text.slice(0, at + mark.length) + added + text.slice(at + mark.length)
}

/** The change, by file. */
const CHANGE: Readonly<Record<string, (text: string) => string>> = {
  'shared/models/v3/blocks.ts': (text) => `${text}
const masterchainBlock = model('V3MasterchainBlock', {
  seqno: int('The number of the block.', 1000),
  root_hash: hash44('Hash of the root cell of the block.'),
})

export const v3MasterchainBlocks = model('V3MasterchainBlocks', {
  masterchain_blocks: many('The blocks that were found.', masterchainBlock),
  ...nextCursor,
})
`,
  'shared/v3/blocks.ts': (text) =>
    behind(
      text.replace('import { v3Blocks,', 'import { v3Blocks, v3MasterchainBlocks,'),
      'export const blocks = {\n',
      `  '${NAME}': method({
    ...read,
    page: { rows: 'masterchain_blocks', max: 1000 },
    summary: 'Masterchain blocks, newest first.',
    examples: [{ title: 'the newest', params: { limit: 3 } }],
    params: listParams({ ...sorted(), ...patience }),
    result: v3MasterchainBlocks,
  }),
`,
    ),
  'server/store/queries/blocks.ts': (text) => `${text}
const BY_SEQNO = orderOf(blocks, 'm', ['seqno'])

/** Masterchain blocks, one page. */
export const findMasterchainBlocks = (view: View, params: ListParams<'${NAME}'>): Promise<Page<BlockRow>> =>
  findPage(view, BY_SEQNO, params, [is('workchain', -1), upToHead(view, params)])
`,
  'server/v3/blocks.ts': (text) =>
    behind(
      text.replace('import { blocksOfMasterchainBlock, ', 'import { blocksOfMasterchainBlock, findMasterchainBlocks, '),
      'AnswerHandlers<keyof typeof blocks> => ({\n',
      `  '${NAME}': list(index, '${NAME}', {
    find: findMasterchainBlocks,
    relate: () => ({ accounts: [], format: (row) => ({ seqno: row.seqno, root_hash: row.root_hash.toString('base64') }) }),
  }),

`,
    ),
  'test/v3/masterchain-blocks.test.ts': () => `import { expect, it } from 'vitest'
import type { Client } from '../../client/index.ts'
import { type LocalIndex, startLocalIndex } from '../kit/index/local-index.ts'

it('masterchain blocks are listed, newest first', async () => {
  const index: LocalIndex = await startLocalIndex()
  const { masterchain_blocks } = await index.call('${NAME}', { limit: 2 })
  expect(masterchain_blocks[0]!.seqno).toBe(index.local.head!().id.seqno)
  await index.close()
})

/** The client knows it too. */
export const newest = async (client: Client): Promise<number> =>
  (await client.v3.masterchainBlocks({ limit: 1, sort: 'desc' })).masterchain_blocks[0]!.seqno
`,
}

/** Copied, as far as there is something to compile. */
const COPIED = ['server', 'shared', 'client', 'test/kit', 'test/index/kit.ts', 'tsconfig.json', 'package.json']
const CONFIG = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null },
  include: ['server/**/*.d.ts'],
  files: ['test/v3/masterchain-blocks.test.ts', 'server/v3/index.ts', 'server/http/docs/documents.ts'],
}
/** What the service is put together of here. */
const ENTRY = `export { createCache } from './server/dispatch/answer-cache.ts'
export { createDispatch } from './server/dispatch/pipeline.ts'
export { createDocuments } from './server/http/docs/documents.ts'
export { restRoutes } from './server/http/rest/rest.ts'
export { createReader } from './server/store/postgres/reader.ts'
export { createV3Handlers } from './server/v3/index.ts'
export { methodNames, registry } from './shared/registry.ts'
`

/** The parts as this project has them; the copy's differ in what was added alone. */
interface Parts {
  readonly createCache: typeof import('../../server/dispatch/answer-cache.ts')['createCache']
  readonly createDispatch: typeof import('../../server/dispatch/pipeline.ts')['createDispatch']
  readonly createDocuments: typeof import('../../server/http/docs/documents.ts')['createDocuments']
  readonly restRoutes: typeof import('../../server/http/rest/rest.ts')['restRoutes']
  readonly createReader: typeof import('../../server/store/postgres/reader.ts')['createReader']
  readonly createV3Handlers: typeof import('../../server/v3/index.ts')['createV3Handlers']
  readonly methodNames: typeof import('../../shared/registry.ts')['methodNames']
  readonly registry: typeof import('../../shared/registry.ts')['registry']
}

/** Files of a copied part, by their path in the project. */
const filesOf = (folder: string): Map<string, string> => {
  const texts = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.ts$/.test(entry.name)) {
      const path = join(entry.parentPath, entry.name)
      texts.set(path.slice(folder.length + 1), readFileSync(path, 'utf8'))
    }
  return texts
}

describe('adding a list to the index', () => {
  let copy: string
  let index: LocalIndex
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'tonway-new-method-'))
    for (const part of COPIED) cpSync(join(projectFolder, part), join(copy, part), { recursive: true })
    symlinkSync(join(projectFolder, 'node_modules'), join(copy, 'node_modules'))
    index = await startLocalIndex()
  })
  afterAll(async () => {
    await index?.close()
    rmSync(copy, { recursive: true, force: true })
  })

  it('a new list touches the model, the definition with its example, the query, the handler and the test', () => {
    const before = filesOf(copy)
    for (const [path, change] of Object.entries(CHANGE)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      writeFileSync(join(copy, path), change(before.get(path) ?? ''))
    }
    const changed = [...filesOf(copy)].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)
    expect(changed.sort()).toEqual(Object.keys(CHANGE).sort())
    expect(changed).toHaveLength(5)
  })

  it('a new list compiles without an error', async () => {
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(CONFIG))
    const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.new.json', '--noEmit'], { cwd: copy }).catch(
      (error: { readonly stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })

  it('a new list is served by its route and is in both documents', async () => {
    writeFileSync(join(copy, 'entry.ts'), ENTRY)
    const outfile = join(copy, 'entry.mjs')
    await build({
      entryPoints: [join(copy, 'entry.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      packages: 'external',
    })
    const parts = (await import(/* @vite-ignore */ outfile)) as Parts

    const { registry, methodNames } = parts
    const reader = parts.createReader(index.database, { connections: 1, statementTimeout: 60_000 })
    const cache = () => parts.createCache<Outcome>({ entries: 1, bytes: 1 })
    const dispatch = parts.createDispatch({
      methods: registry,
      handlers: parts.createV3Handlers({ reader, v2: {} as never }),
      head: () => undefined,
      headCache: cache(),
      finalCache: cache(),
    })
    const taken: number[] = []
    const ask = async (params: object) => {
      const caller = {
        keyId: undefined,
        servers: undefined,
        take: (weight: number) => taken.push(weight) > 0,
        charge: () => {},
        onEnd: () => () => {},
      }
      const call = { network: 'local', signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: false, caller }
      const outcome = await dispatch(NAME, params, call, 'query')
      if (!outcome.ok) throw outcome.error
      return JSON.parse(outcome.json) as { masterchain_blocks: { seqno: number }[]; next_cursor: string | null }
    }
    try {
      await index.call('local.mine', { count: 4 })
      await index.indexed()
      const { seqno } = index.local.head!().id
      const seqnos: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await ask({ limit: '2', cursor })
        seqnos.push(...page.masterchain_blocks.map((block) => block.seqno))
        cursor = page.next_cursor
      }
      expect(seqnos).toEqual(Array.from({ length: seqno }, (_, i) => seqno - i))
      expect(taken[0]).toBe(1)
      await expect(ask({ limit: 'few' })).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    } finally {
      await reader.close()
    }

    expect(parts.restRoutes(registry).get('/api/v3/masterchainBlocks')).toMatchObject({ name: NAME, verbs: ['GET'] })
    const documents = parts.createDocuments({ served: methodNames, version: '2.2.0' })
    const openapi = JSON.parse(await documents.openapi())
    expect(openapi.paths['/api/v3/masterchainBlocks'].get).toMatchObject({ operationId: `${NAME}_get`, tags: ['v3 · Blockchain data'] })
    expect(JSON.parse(await documents.openrpc()).methods.map(({ name }: { name: string }) => name)).toContain(NAME)
  })
})
