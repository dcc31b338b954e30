import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Budget, MAX_ACCOUNT_CELLS } from '../../server/cell/budget.ts'
import { Cell } from '../../server/cell/cell.ts'
import { Slice } from '../../server/cell/slice.ts'
import { projectFolder } from '../kit/project.ts'

/* Every exported function of the server that reads one cell or one slice, found in its sources: a new reader is met without a line here. */

export interface CellReader {
  readonly name: string
  /** Reads the cell, and every member of what it gives: some are read when they are first used. */
  readonly read: (cell: Cell) => void
}

type Module = Readonly<Record<string, unknown>>
/** Rooms that read foreign cells. Their modules are imported by name at run time, so that a bundle has them as well. */
const ROOMS: Readonly<Record<string, (path: string) => Promise<Module>>> = {
  actions: (path) => import(/* @vite-ignore */ `../../server/actions/${path}.ts`),
  chain: (path) => import(/* @vite-ignore */ `../../server/chain/${path}.ts`),
  decode: (path) => import(/* @vite-ignore */ `../../server/decode/${path}.ts`),
  emulate: (path) => import(/* @vite-ignore */ `../../server/emulate/${path}.ts`),
  index: (path) => import(/* @vite-ignore */ `../../server/index/${path}.ts`),
  local: (path) => import(/* @vite-ignore */ `../../server/local/${path}.ts`),
  metadata: (path) => import(/* @vite-ignore */ `../../server/metadata/${path}.ts`),
  protocols: (path) => import(/* @vite-ignore */ `../../server/protocols/${path}.ts`),
  tlb: (path) => import(/* @vite-ignore */ `../../server/tlb/${path}.ts`),
  tvm: (path) => import(/* @vite-ignore */ `../../server/tvm/${path}.ts`),
  v2: (path) => import(/* @vite-ignore */ `../../server/v2/${path}.ts`),
  v3: (path) => import(/* @vite-ignore */ `../../server/v3/${path}.ts`),
}

/** Those of the chain's own store see cells of its own log alone, and public libraries of a state are a dictionary that its nodes built entry by entry. */
const APART = /^chain\/local\/(store\/|fork\/libraries\.ts$)/

/** Budget of a reader that leaves it to its caller: that of the largest account. */
const CALLER_BUDGET = MAX_ACCOUNT_CELLS

/** `export const name = (x: Cell): ...`, with nothing but a budget or optional parameters after the first one. */
const READER =
  /^export (?:const (\w+) = |function\*? (\w+))\((\w+): (Cell|Slice|Cell \| undefined|Slice \| undefined)(, budget: Budget)?(?:, \w+(?:\?: [^,)]*|(?:: \w+)? = [^,)]*))*\)/gm

/** Members of a value that are looked at. */
const MAX_MEMBERS = 20_000

/** Names of members, and of the getters of a class. */
const namesOf = (value: object): string[] => {
  const above: unknown = Object.getPrototypeOf(value)
  if (above === null || above === Object.prototype) return Object.keys(value)
  const getters = Object.entries(Object.getOwnPropertyDescriptors(above)).filter(([, { get }]) => get !== undefined)
  return [...Object.keys(value), ...getters.map(([name]) => name)]
}

/** Reads every member of a value, getters and iterators included. */
const drain = (value: unknown): void => {
  const seen = new Set<object>()
  const open = [value]
  while (open.length > 0 && seen.size < MAX_MEMBERS) {
    const at = open.pop()
    if (typeof at !== 'object' || at === null || seen.has(at)) continue
    if (at instanceof Cell || at instanceof Slice || ArrayBuffer.isView(at)) continue
    seen.add(at)
    if (Symbol.iterator in at) for (const member of at as Iterable<unknown>) open.push(member)
    else for (const name of namesOf(at)) open.push((at as Readonly<Record<string, unknown>>)[name])
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(projectFolder, 'server', folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.d.ts'),
  )

/** All readers of one cell or slice, by `room/file.ts name`. */
export const cellReaders = async (): Promise<readonly CellReader[]> => {
  const found: CellReader[] = []
  for (const [room, load] of Object.entries(ROOMS)) {
    for (const file of filesOf(room).sort()) {
      if (APART.test(`${room}/${file}`)) continue
      const text = readFileSync(join(projectFolder, 'server', room, file), 'utf8')
      const matches = [...text.matchAll(READER)]
      if (matches.length === 0) continue
      const module = await load(file.slice(0, -3))
      for (const [, constant, func, , type, takesBudget] of matches) {
        const name = (constant ?? func)!
        const reader = module[name] as (of: Cell | Slice, budget?: Budget) => unknown
        const takesSlice = type!.startsWith('Slice')
        const budget = () => (takesBudget === undefined ? undefined : { cells: CALLER_BUDGET })
        found.push({ name: `${room}/${file} ${name}`, read: (cell) => drain(reader(takesSlice ? cell.sliceExotic() : cell, budget())) })
      }
    }
  }
  return found
}
