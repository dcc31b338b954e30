import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { projectFolder } from '../kit/project.ts'

/*
 * Cases in the format of ethereum/execution-apis: `>>` and a request, `<<` and its answer, `//` and words. A file may have several requests; their answers follow each.
 * Requests and answers are strict JSON-RPC 2.0, whatever transport carries them. Words that mean something:
 *
 *   // status: 422          HTTP status where the transport has one; 200 if there is no such line
 *   // any server           the answer is the same on every server of TON Center's interfaces
 *   // speconly: any server the shape of the answer is
 *   // only: ws             transports that can carry it, if not all
 *   // over: ws             a stream: events follow the answers (streams.ts)
 *   // changes the chain    is undone before the next case
 */

/** Where the cases are. */
export const CASES = join(projectFolder, 'test/conformance/cases')

/** A request and what is received after it: its answer, and over a socket the events that follow. */
export interface Exchange {
  readonly request: string
  readonly received: readonly string[]
}

export interface Case {
  /** Path below `cases/`: section/method/name.io, the method without its section. */
  readonly path: string
  readonly section: string
  readonly method: string
  /** What it shows. */
  readonly words: string
  readonly status: number
  /** Whether another server has to give the same answer, or one of the same shape. */
  readonly elsewhere: 'same' | 'shape' | undefined
  readonly only: readonly string[] | undefined
  /** The connection of a stream. */
  readonly over: string | undefined
  readonly changesChain: boolean
  readonly exchanges: readonly Exchange[]
}

const STATUS = 'status: '
const ONLY = 'only: '
const OVER = 'over: '
const SAME = 'any server'
const SHAPE = 'speconly: any server'
const CHANGES = 'changes the chain'

/** Reads the text of a file. Throws Error with its path if it is not a case. */
export const parseCase = (path: string, text: string): Case => {
  const comments: string[] = []
  const exchanges: { request: string; received: string[] }[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [mark, rest] = [line.slice(0, 2), line.slice(3)]
    if (mark === '//') comments.push(rest)
    else if (mark === '>>') exchanges.push({ request: rest, received: [] })
    else if (mark === '<<' && exchanges.length > 0) exchanges.at(-1)!.received.push(rest)
    else throw new Error(`${path}: not a line of a case: ${line.slice(0, 100)}`)
  }
  if (exchanges.length === 0) throw new Error(`${path}: a case has a request`)
  const after = (word: string): string | undefined => comments.find((comment) => comment.startsWith(word))?.slice(word.length)
  const isWord = (comment: string): boolean =>
    [SAME, SHAPE, CHANGES].includes(comment) || [STATUS, ONLY, OVER].some((word) => comment.startsWith(word))
  const [section, folder] = path.split('/') as [string, string]
  const over = after(OVER)
  // Streaming v2 has operations in place of methods.
  const { method } =
    over === undefined || over === 'ws' ? (JSON.parse(exchanges.at(-1)!.request) as { readonly method: string }) : { method: folder }
  return {
    ...{ path, section, method, exchanges },
    words: comments.filter((comment) => !isWord(comment)).join(' '),
    status: Number(after(STATUS) ?? 200),
    elsewhere: comments.includes(SAME) ? 'same' : comments.includes(SHAPE) ? 'shape' : undefined,
    only: after(ONLY)?.split(', '),
    over,
    changesChain: comments.includes(CHANGES),
  }
}

/** The text of a case with other answers. Its comments stay as they are, but for the status. */
export const textOf = (text: string, status: number, exchanges: readonly Exchange[]): string => {
  const comments = text.split('\n').filter((line) => line.startsWith('//') && !line.startsWith(`// ${STATUS}`))
  if (status !== 200) comments.splice(1, 0, `// ${STATUS}${status}`)
  const lines = exchanges.flatMap(({ request, received }) => [`>> ${request}`, ...received.map((each) => `<< ${each}`)])
  return `${[...comments, ...lines].join('\n')}\n`
}

/** Every case below a folder, in the order of their paths. */
export const readCases = (folder: string): readonly Case[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.io'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map((path) => parseCase(path, readFileSync(join(folder, path), 'utf8')))

/** Writes a case's answers into its file. */
export const recordCase = (folder: string, { path }: Case, status: number, exchanges: readonly Exchange[]): void => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, textOf(readFileSync(file, 'utf8'), status, exchanges))
}
