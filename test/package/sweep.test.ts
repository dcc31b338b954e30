import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/* What a build leaves of those before it (server/build/sweep.mjs). */

const program = pathToFileURL(join(import.meta.dirname, '../../server/build/sweep.mjs')).href
const HOUR = 3600

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-sweep-'))
  mkdirSync(join(folder, 'dist/server/chunks'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (name: string): string => join(folder, 'dist/server', name)
/** Writes files as a build does; `hours` ago. */
const write = (names: readonly string[], hours = 0): void => {
  const at = Date.now() / 1000 - hours * HOUR
  for (const name of names) {
    writeFileSync(path(name), name)
    utimesSync(path(name), at, at)
  }
}
/** Sweeps after a build that made these files. */
const sweep = (names: readonly string[]): void => {
  const made = JSON.stringify(names.map((name) => `dist/server/${name}`))
  const code = `import(${JSON.stringify(program)}).then(({ sweep }) => sweep(new Set(${made})))`
  execFileSync(process.execPath, ['-e', code], { cwd: folder })
}
const left = (): string => readFileSync(path('.npmignore'), 'utf8')

describe('files of earlier builds', () => {
  it('a file that was replaced stays for a day, however old it is, and is not packed', () => {
    write(['main.js', 'chunks/a-1.js'], 1000)
    write(['main.js', 'chunks/a-2.js'])
    sweep(['main.js', 'chunks/a-2.js'])
    expect(left()).toBe('/chunks/a-1.js\n')
    sweep(['main.js', 'chunks/a-2.js'])
    expect(existsSync(path('chunks/a-1.js'))).toBe(true)
    write(['chunks/a-1.js'], 25)
    sweep(['main.js', 'chunks/a-2.js'])
    expect(existsSync(path('chunks/a-1.js'))).toBe(false)
    expect(left()).toBe('')
    expect(existsSync(path('main.js'))).toBe(true)
  })

  it('a file that is made again is packed again', () => {
    write(['chunks/a-1.js', 'chunks/a-2.js'])
    sweep(['chunks/a-2.js'])
    expect(left()).toBe('/chunks/a-1.js\n')
    sweep(['chunks/a-1.js'])
    expect(left()).toBe('/chunks/a-2.js\n')
  })
})
