import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files of the production code as git lists them: `.ts`, `.tsx` and `.mjs` under server/, shared/ and client/. */
const productionFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server', 'shared', 'client'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && existsSync(join(root, file)))

/** Parts of an identifier or words of a text, in lower case: `keptTraces` and `KEPT_TRACES` are `kept` and `traces`. `unknown` is one word. */
export const wordsOf = (text: string): readonly string[] =>
  (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase())

type Node = { type: string; name?: unknown; start: number; [key: string]: unknown }

/** Names of all identifiers below a node. A shorthand `{ a }` has the same identifier twice, at one position: it counts once. */
const identifiersOf = (program: unknown): readonly string[] => {
  const names = new Map<number, string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const child of value) visit(child)
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return
    const node = value as Node
    if (/Identifier$/.test(node.type ?? '') && typeof node.name === 'string') names.set(node.start, node.name)
    for (const [key, child] of Object.entries(node)) if (key !== 'range') visit(child)
  }
  visit(program)
  return [...names.values()]
}

/** How often words stand in identifiers, comments and the path of a file. */
export const countWords = (file: string, source: string, words: ReadonlySet<string>): Map<string, number> => {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const counts = new Map<string, number>()
  const texts = [file, ...identifiersOf(program), ...comments.map(({ value }) => value)]
  for (const word of texts.flatMap(wordsOf)) if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** For each word the files that have it, with the number of times, most first. */
export const countInProduction = (words: readonly string[]): Map<string, [file: string, count: number][]> => {
  const counted = new Set(words)
  const found = new Map<string, [string, number][]>(words.map((word) => [word, []]))
  for (const file of productionFiles())
    for (const [word, count] of countWords(file, readFileSync(join(root, file), 'utf8'), counted)) found.get(word)!.push([file, count])
  for (const files of found.values()) files.sort(([, a], [, b]) => b - a)
  return found
}
