import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const listFiles = (...paths: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
const files = listFiles('server', 'shared', 'client', 'test').filter((file) => /\.tsx?$/.test(file))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The rooms of server/ from top to bottom. A file may import its own room and the rooms of the lines below it. */
const ORDER: readonly string[][] = [
  ...[
    ['main', 'start'],
    ['cli'],
    ['app'],
    ['network'],
    ['http'],
    ['mcp'],
    ['access', 'hooks'],
    ['dispatch'],
    ['v3'],
    ['local'],
    ['v2'],
    ['live'],
    ['emulate'],
  ],
  ...[
    ['metadata'],
    ['book'],
    ['index'],
    ['protocols'],
    ['actions'],
    ['decode'],
    ['store'],
    ['chain'],
    ['tvm'],
    ['tlb'],
    ['cell'],
    ['config'],
  ],
  ...[['metrics', 'net'], ['base']],
]
/** Rooms that serve nobody: what builds the project, and files for those who deploy it. They import nothing of the server. */
const APART = ['build', 'deploy']
/** Rooms that know cells and TON alone, and nothing of the methods in `shared/`. */
const WITHOUT_SHARED = ['cell', 'tlb', 'tvm', 'protocols', 'actions', 'decode', 'net']
/** The rooms inside server/chain from top to bottom; '' is what lies in the folder itself, but for the port below everything. */
const CHAIN_ORDER: readonly string[][] = [['endpoint', 'local', 'lite', 'signed'], ['adnl'], [''], ['proofs'], ['tl'], ['liteserver.ts']]
/** Packages a room may import besides node's own modules; a room not named here may import any. */
const packages: Record<string, readonly string[]> = {
  shared: ['zod'],
  client: ['@noble/hashes/sha2.js', '@ton/core', 'json-rpc-2.0/dist/client.js'],
  'server/cell': [],
  'server/tlb': [],
  'server/v2': [],
}
/** Packages of the page, which is bundled with them. */
const PAGE_PACKAGES = ['preact', 'preact/hooks', 'd3-hierarchy']

/** The page that browsers load. Its build is server/build/page.mjs. */
const PAGE = 'client/page/'

/** `server/chain/lite/pool.ts` lies in the room `chain`, `server/main.ts` in the room `main`. */
const roomOf = (path: string): string => path.split('/')[1]!.replace(/\.tsx?$/, '')
const lineOf = (order: readonly string[][], room: string): number => order.findIndex((rooms) => rooms.includes(room))
/** Whether a file of one room may import a file of another one. */
const goesDown = (order: readonly string[][], from: string, to: string): boolean => from === to || lineOf(order, from) < lineOf(order, to)
/** The room inside server/chain; '' for a file that lies in the folder itself. */
const chainRoomOf = (path: string): string =>
  path === 'server/chain/liteserver.ts' ? 'liteserver.ts' : (path.split('/').slice(2, -1)[0] ?? '')

/** Why a file may not import another one of the project; undefined where it may. */
const importFault = (file: string, target: string): string | undefined => {
  const [top] = file.split('/')
  if (target.startsWith(PAGE) && !file.startsWith(PAGE) && top !== 'test') return 'the page is imported by nobody'
  if (target.startsWith(`${top}/`) && top !== 'server') return undefined
  if (top === 'shared') return 'shared imports nothing of the project'
  if (top === 'client') return target.startsWith('shared/') ? undefined : 'the client imports shared alone'
  if (top === 'test') return undefined
  const room = roomOf(file)
  // A tonway in a test comes with its client, and commands ask a server by it.
  if ((room === 'start' || room === 'cli') && target.startsWith('client/')) return undefined
  if (target.startsWith('shared/')) return WITHOUT_SHARED.includes(room) ? `${room} imports nothing of shared` : undefined
  if (target === 'package.json') return undefined
  const other = roomOf(target)
  if (APART.includes(room)) return room === other ? undefined : `${room} imports nothing of the server`
  if (APART.includes(other)) return `${other} is imported by nobody`
  if (!goesDown(ORDER, room, other)) return `${room} is not above ${other}`
  const [inner, outer] = [chainRoomOf(file), chainRoomOf(target)]
  if (room === 'chain' && other === 'chain' && !goesDown(CHAIN_ORDER, inner, outer)) return `chain/${inner} is not above chain/${outer}`
  return undefined
}

/** Every import of a file: statements, `import('...')` at run time, and types as `import('...').Name`. */
const importsOf = (file: string): { specifier: string; typeOnly: boolean }[] => {
  const text = read(file)
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?|\w+(?:\s*,\s*\{[^}]*\})?)\s+from\s+)?'([^']+)'/gm,
  )
  const calls = text.matchAll(/(typeof )?\bimport\('([^']+)'\)/g)
  return [...statements, ...(file.startsWith('test/') ? [] : calls)].map(([, type, specifier]) => ({
    specifier: specifier!,
    typeOnly: type !== undefined,
  }))
}

/**
 * Files that follow references of cells by their number, other than by `uniqueCells` of server/cell/budget.ts. Each visits a cell once for each hash, has a budget, or
 * goes down one path. Read it with cells in mind that are shared: 200 of them can have 2^200 paths.
 */
const WALKS: ReadonlySet<string> = new Set(
  [
    ...['tlb/state/share-account-code.ts', 'tlb/vm-stack/load.ts'],
    ...['tvm/executor/cell-count.ts', 'tvm/executor/import-external.ts', 'tvm/executor/storage-stat.ts', 'tvm/executor/in-message.ts'],
    ...['decode/decode.ts', 'index/derive/complete-cells.ts', 'v2/estimate.ts', 'v2/stack/legacy.ts', 'v2/inspect/code.ts'],
    ...['chain/local/collate/master/config-change.ts', 'chain/local/collate/seal.ts', 'chain/local/fork/graft-proof.ts'],
    ...['chain/local/store/pack-cells.ts', 'local/amount-in-data.ts'],
  ].map((file) => `server/${file}`),
)

interface SyntaxNode {
  readonly type: string
  readonly name?: string
  readonly computed?: boolean
  readonly [member: string]: unknown
}
/** Calls `see` for a node and all nodes below it, but for names of members. */
const eachNode = (value: unknown, see: (node: SyntaxNode) => void): void => {
  if (Array.isArray(value)) for (const child of value) eachNode(child, see)
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return
  const node = value as SyntaxNode
  if (typeof node.type === 'string') see(node)
  for (const [member, child] of Object.entries(node)) if (!/^(?:property|key)$/.test(member) || node.computed) eachNode(child, see)
}
/** What a call `object.method(...)` names. */
const calledBy = (node: SyntaxNode): { readonly object?: string | undefined; readonly method?: string | undefined } => {
  const { object, property } = (node.type === 'CallExpression' ? node['callee'] : {}) as Record<string, SyntaxNode | undefined>
  return { object: object?.name, method: property?.name }
}
const readsReference = (value: unknown): boolean => {
  let found = false
  eachNode(value, (node) => {
    if (/^(?:ref|preloadRef|loadRef|loadMaybeRef)$/.test(calledBy(node).method ?? '')) found = true
  })
  return found
}

/**
 * Finds what may walk cells without an end in the text of one file. These are functions that read references of cells and call themselves, directly or
 * through other functions, and lists from which a loop takes cells while it adds their references. Returns their names.
 */
const walksIn = (text: string): readonly string[] => {
  if (!/\.(?:ref|preloadRef|loadRef|loadMaybeRef)\(/.test(text)) return []
  const { program, errors } = parseSync('text.ts', text)
  if (errors.length > 0) throw new Error(errors[0]!.message)
  const bodies = new Map<string, unknown>()
  const lists = new Set<string>()
  eachNode(program, (node) => {
    const [id, init] = [node['id'], node['init'] ?? node] as (SyntaxNode | null | undefined)[]
    if (id?.name !== undefined && /Function/.test(init!.type)) bodies.set(id.name, init!['body'])
    if (!/^(?:While|DoWhile|For|ForOf)Statement$/.test(node.type)) return
    const taken = new Set([(node['right'] as SyntaxNode | undefined)?.name])
    const added = new Set<string | undefined>()
    eachNode(node, (inner) => {
      const { object, method = '' } = calledBy(inner)
      if (/^(?:pop|shift)$/.test(method)) taken.add(object)
      if (/^(?:push|unshift)$/.test(method) && readsReference(inner['arguments'])) added.add(object)
    })
    for (const name of added) if (name !== undefined && taken.has(name)) lists.add(name)
  })
  const namedIn = (body: unknown): readonly string[] => {
    const names = new Set<string>()
    eachNode(body, ({ type, name }) => {
      if (type === 'Identifier' && bodies.has(name!)) names.add(name!)
    })
    return [...names]
  }
  const calls = new Map([...bodies].map(([name, body]) => [name, namedIn(body)]))
  const callsItself = (name: string): boolean => {
    const reached = new Set<string>()
    const open = [...calls.get(name)!]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!reached.has(next)) open.push(...calls.get(next)!)
      reached.add(next)
    }
    return reached.has(name)
  }
  return [...[...bodies].filter(([name, body]) => readsReference(body) && callsItself(name)).map(([name]) => name), ...lists]
}

const OPERATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '**': (left, right) => left ** right,
  '<<': (left, right) => left << right,
}
/** The number that an expression of numbers and constants is; Infinity where this cannot be said. */
const numberOf = (text: string, constants: ReadonlyMap<string, string>): number => {
  const compute = (node: SyntaxNode): number => {
    if (node.type === 'Literal') return Number(node['value'])
    if (node.type === 'ParenthesizedExpression') return compute(node['expression'] as SyntaxNode)
    if (node.type === 'Identifier' && constants.has(node.name!)) return numberOf(constants.get(node.name!)!, constants)
    const { left, right, operator } = node as unknown as Record<'left' | 'right', SyntaxNode> & { readonly operator: string }
    return node.type === 'BinaryExpression' && operator in OPERATIONS ? OPERATIONS[operator]!(compute(left), compute(right)) : Infinity
  }
  return compute((parseSync('number.ts', text).program.body[0] as unknown as { readonly expression: SyntaxNode }).expression)
}

/** Budgets of a text that have more cells than a bag, as they are written. Its constants are its own, or those that files of the server export. */
const largeBudgets = (() => {
  const constantsOf = (text: string, begin: string) =>
    [...text.matchAll(new RegExp(`^${begin}const ([A-Z][A-Z_\\d]*) = (.+)$`, 'gm'))].map(([, name, value]) => [name!, value!] as const)
  const exported = files.filter((file) => file.startsWith('server/')).flatMap((file) => constantsOf(read(file), 'export '))
  return (text: string): readonly string[] => {
    const constants = new Map([...exported, ...constantsOf(text, '(?:export )?')])
    return [...text.matchAll(/\bcells: ((?:Number\.\w+|Infinity\b|[A-Z][A-Z_\d]*\b|[\d_]+|[ ()*+/<-])+)[,}]/g)]
      .map(([, value]) => value!.trim())
      .filter((value) => value !== 'WHOLE_STATE' && !(numberOf(value, constants) <= 2 ** 22))
  }
})()

/**
 * A file that only one file imports has at least this many lines. Topics of the methods may be shorter: a topic has a file of its name in each room.
 * So may the files that most protocols have.
 */
const FEW_LINES = 20

/** Files that hold the methods of one topic, or their models or handlers, by the names of the topics in shared/. */
const isTopic = (() => {
  const topics = new Set(files.flatMap((file) => /^shared\/(?:v2|v3|local)\/([^/]+)\.ts$/.exec(file)?.[1] ?? []))
  const inRegistry = new Set(importsOf('shared/registry.ts').map(({ specifier }) => normalize(join('shared', specifier))))
  return (file: string): boolean =>
    inRegistry.has(file) || topics.has(/^(?:shared\/models|server)\/(?:v2|v3|local)\/([^/]+)\.ts$/.exec(file)?.[1] ?? '')
})()

describe('house rules', () => {
  it('every room of the server has a line in the order of rooms', () => {
    const rooms = new Set(files.filter((file) => file.startsWith('server/')).map(roomOf))
    expect([...rooms].filter((room) => lineOf(ORDER, room) < 0 && !APART.includes(room))).toEqual([])
    const inner = new Set(files.filter((file) => file.startsWith('server/chain/')).map(chainRoomOf))
    expect([...inner].filter((room) => lineOf(CHAIN_ORDER, room) < 0)).toEqual([])
  })

  it('server/ has at most 32 rooms, and server/README.md lists them in their order', () => {
    const rooms = [...ORDER, APART].flat()
    expect(rooms.length).toBeLessThanOrEqual(32)
    const [, table] = /^## Rooms\n([\s\S]*?)^## /m.exec(read('server/README.md')) ?? []
    const listed = [...(table ?? '').matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names]) =>
      [...names!.matchAll(/`(\w+)(?:\/|\.ts)`/g)].map(([, name]) => name),
    )
    expect(listed).toEqual(rooms)
  })

  it('imports go down only in the order of rooms', () => {
    const wrong: string[] = []
    for (const file of files) {
      const top = file.split('/')[0]!
      for (const { specifier, typeOnly } of importsOf(file)) {
        if (specifier.startsWith('.')) {
          const target = normalize(join(dirname(file), specifier))
          const fault = importFault(file, target)
          if (fault) wrong.push(`${file} imports ${target}: ${fault}`)
          if (top === 'client' && target.startsWith('shared/') && !typeOnly) wrong.push(`${file} imports ${target} at run time`)
        } else if (specifier.startsWith('node:')) {
          if (top === 'shared' || top === 'client') wrong.push(`${file} imports ${specifier}`)
        } else {
          const own = file.startsWith(PAGE) ? PAGE_PACKAGES : packages[top === 'server' ? `server/${roomOf(file)}` : top]
          if (own && !own.includes(specifier)) wrong.push(`${file} imports the package ${specifier}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('there are no circles of imports outside server/cell', () => {
    const own = files.filter((file) => !file.startsWith('test/'))
    const targets = new Map(
      own.map((file) => [
        file,
        importsOf(file)
          .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
          .map(({ specifier }) => normalize(join(dirname(file), specifier))),
      ]),
    )
    const allowed = (file: string): boolean => file.startsWith('server/cell/')
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, way: readonly string[]): void => {
      const start = way.indexOf(file)
      if (start >= 0) {
        const circle = way.slice(start)
        if (!circle.every(allowed)) circles.push([...circle, file].join(' -> '))
        return
      }
      if (done.has(file)) return
      for (const target of targets.get(file) ?? []) visit(target, [...way, file])
      done.add(file)
    }
    for (const file of own) visit(file, [])
    expect(circles).toEqual([])
  })

  it('a folder has at most 25 files, and server/ no loose files but main.ts and app.ts', () => {
    const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server', 'shared', 'client', 'test'], {
      cwd: root,
      encoding: 'utf8',
    })
    const perFolder = new Map<string, number>()
    // Cases are data, one a file; their folders are sorted by methods.
    const isData = (name: string): boolean => name.startsWith('test/data/') || name.startsWith('test/conformance/cases/')
    for (const file of tracked.split('\n').filter((name) => name !== '' && existsSync(join(root, name)) && !isData(name)))
      perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1)
    // One fault a file, so that each can be found, renewed and run by its name.
    perFolder.delete('test/torture/planted')
    // Records, which are written and read by the program.
    perFolder.delete('test/torture/parts')
    expect([...perFolder].filter(([, count]) => count > 25)).toEqual([])
    const loose = files.filter((file) => dirname(file) === 'server')
    expect(loose.sort()).toEqual(['server/app.ts', 'server/main.ts'])
  })

  it('tests take what is random from the seed of the run', () => {
    const sources = /\bMath\.random\(|\brandom(?:Bytes|Int|FillSync)\b[^'\n]*'node:crypto'|from 'fast-check'/
    const isFree = (file: string): boolean =>
      ['test/kit/property.ts', 'test/house.test.ts'].includes(file) || file.startsWith('test/bench/')
    expect(files.filter((file) => file.startsWith('test/') && !isFree(file) && sources.test(read(file)))).toEqual([])
  })

  it('tests of the wire and of conformance know nothing of the inside: neither they nor what they import lies outside of test/', () => {
    const reachedFrom = (folder: string): readonly string[] => {
      const reached = new Set<string>()
      const visit = (file: string): void => {
        if (reached.has(file)) return
        reached.add(file)
        if (!file.startsWith('test/')) return
        for (const { specifier } of importsOf(file)) if (specifier.startsWith('.')) visit(normalize(join(dirname(file), specifier)))
      }
      for (const file of files) if (file.startsWith(folder)) visit(file)
      expect(reached.size).toBeGreaterThan(5)
      return [...reached].filter((file) => !file.startsWith('test/'))
    }
    expect(reachedFrom('test/wire/')).toEqual([])
    // What the package publishes, and names of methods for types.
    expect(reachedFrom('test/conformance/').filter((file) => file.startsWith('server/'))).toEqual(['server/start/tonway.ts'])
    // The ledgers of torture read cells by the service's code. Its liars do not.
    for (const liars of ['liars', 'forged-links'])
      expect(reachedFrom(`test/torture/${liars}.test.ts`).filter((file) => file.startsWith('server/'))).toEqual([])
  })

  it('tests wait by until and expect.poll, because what vitest waits for by itself has one second', () => {
    expect(files.filter((file) => file.startsWith('test/') && /\bvi\.wait(?:For|Until)\(/.test(read(file)))).toEqual([])
  })

  it('the slow files that begin first are there', () => {
    const named = [...read('test/kit/longest-first.ts').matchAll(/'(test\/[^']+)'/g)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((name) => !files.includes(name))).toEqual([])
  })

  it('the folders of test/ have the names of the rooms that they test', () => {
    // `events` tests live/ over its transports, `conformance` the whole service; the others belong to no room.
    const own = ['bench', 'conformance', 'data', 'events', 'fuzz', 'kit', 'package', 'security', 'torture', 'types', 'wire']
    const rooms = new Set([...ORDER.flat(), ...APART, 'client', 'shared', ...own])
    const folders = new Set(files.flatMap((file) => /^test\/([^/]+)\//.exec(file)?.[1] ?? []))
    expect([...folders].filter((folder) => !rooms.has(folder))).toEqual([])
  })

  it('the service imports no package but its dependencies', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >
    const nameOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    const known = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    const wrong = files
      .filter((file) => file.startsWith('server/') || file.startsWith('shared/'))
      .flatMap((file) => importsOf(file).map(({ specifier }) => [file, specifier] as const))
      .filter(([, specifier]) => !/^(\.|node:)/.test(specifier) && !known.has(nameOf(specifier)))
    expect(wrong).toEqual([])
  })

  it('files have at most 350 lines', () => {
    const long = files.filter((file) => !file.startsWith('test/') && read(file).split('\n').length > 350)
    expect(long).toEqual([])
  })

  it('no file of less than 20 lines is imported by one file alone', () => {
    const importers = new Map<string, string[]>()
    for (const file of files.filter((name) => !name.startsWith('test/')))
      for (const [, specifier] of read(file).matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)) {
        const target = normalize(join(dirname(file), specifier!))
        importers.set(target, [...(importers.get(target) ?? []), file])
      }
    const isSmall = (file: string): boolean => read(file).trimEnd().split('\n').length < FEW_LINES
    const small = [...importers].filter(([file, by]) => by.length === 1 && files.includes(file) && isSmall(file)).map(([file]) => file)
    const isOfProtocol = (file: string): boolean => /^server\/protocols\/\w+\/(?:messages|accounts|actions)\.ts$/.test(file)
    const isMigration = (file: string): boolean => file.startsWith('server/store/migrations/')
    expect(small.filter((file) => !isTopic(file) && !isOfProtocol(file) && !isMigration(file))).toEqual([])
  })

  it('walks over cells end: dictionaries by a budget, references of cells once for each hash', () => {
    // The TVM pays gas for each cell.
    const outside = files.filter((file) => /^server\/(?!cell\/|tvm\/(?:machine|instructions)\/)/.test(file))
    expect(outside.filter((file) => largeBudgets(read(file)).length > 0)).toEqual([])
    const ownState = outside.filter(
      (file) => /\bWHOLE_STATE\b/.test(read(file)) && !/^server\/(?:chain\/local\/|index\/follow\/start)/.test(file),
    )
    expect(ownState).toEqual([])
    // Who reads the edges of dictionaries itself counts them, but for one edge of each shard and the queue of the embedded chain.
    const readsLabels = /\b(?:readLabel|skipLabel|showLabel|labelOf)\(/
    const uncounted = outside.filter((file) => readsLabels.test(read(file)) && !/\b(?:spendCell|enter)\(/.test(read(file)))
    expect(uncounted).toEqual(['server/chain/local/collate/queue-walk.ts', 'server/chain/local/fork/join-shards.ts'])
    const walks = outside.filter((file) =>
      /\.(?:ref|preloadRef)\(\w+\)/.test(read(file).replace(/\.(?:ref|preloadRef)\(\d\)|sql\.ref\(\w+\)/g, '')),
    )
    expect(walks.filter((file) => !WALKS.has(file))).toEqual([])
    expect([...WALKS].filter((file) => !walks.includes(file))).toEqual([])
    const branching = outside.filter((file) => !/\b(?:spendCell|enter)\(/.test(read(file)) && walksIn(read(file)).length > 0)
    expect(branching.filter((file) => !WALKS.has(file))).toEqual([])
  })

  it.each([
    ['const visit = (c: Cell): void => { visit(c.ref(0)); visit(c.ref(1)) }', ['visit']],
    ['function* visit(s: Slice): Steps { yield* visit(s.loadRef().slice()); yield* visit(s.loadRef().slice()) }', ['visit']],
    [
      'const visit = (s: Slice): void => { const [a, b] = [s.preloadRef(0), s.preloadRef(1)]; visit(a.slice()); visit(b.slice()) }',
      ['visit'],
    ],
    ['const both = (s: Slice) => [one(s.loadRef()), one(s.loadRef())]; const one = (c: Cell) => both(c.slice())', ['both']],
    ['for (let c = open.pop(); c; c = open.pop()) open.push(c.ref(0), c.ref(1))', ['open']],
    ['for (const c of open) if (c.refCount > 1) open.push(c.ref(0), c.ref(1))', ['open']],
    ['const load = (s: Slice) => [loadOne(s.loadRef()), loadOne(s.loadRef())]; const loadOne = (c: Cell) => c.slice().loadBit()', []],
    ['for (let s = first; s.remainingRefs > 0; s = s.loadRef().slice()) parts.push(s)', []],
  ])('the rule of walks sees what goes on with references: %s', (text, found) => {
    expect(walksIn(text)).toEqual(found)
  })

  it('the rule of walks sees budgets of more cells than a bag, also by a name', () => {
    const large = ['2 ** 50', 'Infinity', 'Number.MAX_VALUE', 'MAX_BAG_CELLS + 1', 'MOST']
    const usual = ['1 << 14', 'MAX_BAG_CELLS', '2 * (MAX_ACCOUNT_CELLS + 1)', 'WHOLE_STATE', 'most']
    const texts = [...large, ...usual].map((value) => `const MOST = 1_000 * 2 ** 30\nwalk(root, { cells: ${value} })`)
    expect(texts.map((text) => largeBudgets(text).length)).toEqual([...large.map(() => 1), ...usual.map(() => 0)])
  })

  it('keys of maps that strangers choose are texts: V8 finds a bigint by its lowest 64 bits alone, and a million may share them', () => {
    const NOT_CHOSEN = [
      // The lowest bits of these keys are those of a hash.
      'server/chain/local/collate/master/libraries.ts',
      'server/chain/local/collate/queue.ts',
      // Parameters of the configuration have at most 512 entries (MAX_CHECKED_CELLS).
      'server/tlb/config/bridges.ts',
      'server/tlb/config/special-contracts.ts',
      'server/tvm/executor/config.ts',
      'server/v2/inspect/config.ts',
    ]
    const found = files.filter((file) => file.startsWith('server/') && /(?:Map|Set)<bigint\b/.test(read(file)))
    expect(found).toEqual(NOT_CHOSEN)
  })

  it('there are no default exports, no enum, and no focused tests', () => {
    const wrong = files.filter((file) => {
      if (file === 'test/house.test.ts') return false
      const text = read(file)
      if (/^export default /m.test(text) && !file.endsWith('vitest.config.ts')) return true
      if (/^(export )?(const )?enum /m.test(text)) return true
      return file.startsWith('test/') && /\b(it|test|describe)\.only\b/.test(text)
    })
    expect(wrong).toEqual([])
  })

  it('toMatchObject is given no regular expression, which it takes for equal to any text: expect.stringMatching compares', () => {
    const given = /toMatchObject\(\{(?:(?!stringMatching|\}\)).)*?:\s*\/(?![/*])/s
    const wrong = files.filter((file) => file.startsWith('test/') && file !== 'test/house.test.ts' && given.test(read(file)))
    expect(wrong).toEqual([])
  })

  it('HTTP answers are written by answer-forms.ts, and refusals without a response by raw-answer.ts', () => {
    const own = files.filter((file) => file.startsWith('server/http/'))
    const writes = own.filter((file) => /\bctx\.body = |\bres\.(?:write|end|writeHead)\(|`HTTP\/1\.1 \$/.test(read(file)))
    // Events are written as they come. The port of metrics has a server of its own.
    const others = ['server/http/ops/metrics.ts', 'server/http/raw-answer.ts', 'server/http/stream/sse.ts']
    expect(writes.sort()).toEqual(['server/http/answer-forms.ts', ...others])
    expect(own.filter((file) => /\brespond = false/.test(read(file)))).toEqual(['server/http/stream/sse.ts'])
  })

  it('the way of a call is short: app.ts, routes.ts and pipeline.ts have at most 350 lines, and 500 with node.ts', () => {
    const linesOf = (all: readonly string[]): number => all.reduce((sum, file) => sum + read(file).trimEnd().split('\n').length, 0)
    const way = ['server/http/app.ts', 'server/http/routes.ts', 'server/dispatch/pipeline.ts']
    expect(linesOf(way)).toBeLessThanOrEqual(350)
    expect(linesOf([...way, 'server/http/node.ts'])).toBeLessThanOrEqual(500)
  })

  it('long work gives way by yieldToEventLoop alone; who calls setImmediate gathers what comes in one turn, or orders events', () => {
    const callers = files.filter((file) => file.startsWith('server/') && /\bsetImmediate\b/.test(read(file)))
    expect(callers.sort()).toEqual([
      'server/access/key-directory.ts',
      'server/base/yield.ts',
      'server/chain/adnl/channel.ts',
      'server/http/body.ts',
      'server/http/pipelining.ts',
      'server/net/give-way.ts',
      'server/start/memory.ts',
      'server/store/postgres/read-client.ts',
      'server/store/postgres/shared-connections.ts',
      'server/tvm/inline.ts',
    ])
  })

  it('nobody touches private members of a package', () => {
    // zod documents `_zod` for those who read schemas.
    const touches = files.filter((file) => /^(?:server|shared)\//.test(file) && /\w\)?\._(?!zod\b)[a-zA-Z]\w*/.test(read(file)))
    expect(touches).toEqual([])
    expect(files.filter((file) => /^(?:server|shared|client)\//.test(file) && /\bnew Function\b/.test(read(file)))).toEqual([])
  })

  it('titles of tests have at least four words, and begin with what they are about', () => {
    // Titles with values in them (%s, ${...}) are made of more than stands here.
    const title = /^\s*(?:it|test)(?:\.\w+(?:\(.*\))?)?\((['"`])(.+?)\1,/gm
    const titles = files
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => [...read(file).matchAll(title)].map(([, , text]) => ({ file, text: text! })))
      .filter(({ text }) => !/[%$]/.test(text))
    expect(titles.filter(({ text }) => text.split(' ').length < 4)).toEqual([])
    // A title that begins with a verb can be read below its `describe` alone.
    const VERB = /^(is|are|was|has|have|had|can|does|do|never|says?|shows|loads|gets?|goes|go|takes?|comes?|stops|finds|refuses|works) /
    expect(titles.filter(({ text }) => VERB.test(text))).toEqual([])
  })

  it('documents have at most the sizes that are read', () => {
    const KIB = 1024
    const most: Readonly<Record<string, number>> = {
      'README.md': 8 * KIB,
      'CONTRIBUTING.md': 10 * KIB,
      'client/README.md': 11 * KIB,
      'server/README.md': 22 * KIB,
      'server/index/README.md': 12 * KIB,
      'shared/README.md': 10 * KIB,
      'test/README.md': 8 * KIB,
    }
    const pages = listFiles('*.md').filter((file) => /(?:README|CONTRIBUTING)\.md$/.test(file) && !file.startsWith('test/data/'))
    const sizes = pages.map((file) => [file, Buffer.byteLength(read(file)), most[file] ?? 10 * KIB] as const)
    expect(sizes.length).toBeGreaterThan(12)
    expect(sizes.filter(([, size, limit]) => size > limit)).toEqual([])
    const [, newest] = /^## \[1\.0\.0\].*\n([\s\S]*?)^## /m.exec(read('CHANGELOG.md'))!
    expect(newest!.match(/^- /gm)!.length).toBeLessThanOrEqual(60)
  })

  it('every dependency is pinned and has its reason in server/DEPENDENCIES.md', () => {
    const manifest = JSON.parse(read('package.json')) as { dependencies: Record<string, string>; devDependencies: Record<string, string> }
    const all = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(Object.entries(all).filter(([, version]) => !/^\d/.test(version))).toEqual([])
    const readme = read('server/DEPENDENCIES.md')
    expect(Object.keys(all).filter((name) => !name.startsWith('@types/') && !readme.includes(`\`${name}\``))).toEqual([])
  })
})
