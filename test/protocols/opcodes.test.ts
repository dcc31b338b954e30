import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BOUNCED } from '../../server/actions/step.ts'
import { rows } from '../../server/protocols/index.ts'
import { projectFolder } from '../kit/project.ts'

/** Smaller numbers than this are opcodes of EVAA and much else. */
const LEAST = 0x100000

it('an opcode of a body stands in one file of the server', () => {
  const opcodes = rows.filter(({ kind, tag }) => typeof kind === 'string' && tag >= LEAST && tag !== BOUNCED)
  const tags = new Set(opcodes.map(({ tag }) => tag.toString(16).padStart(8, '0')))
  const found = new Map<string, string[]>()
  for (const file of readdirSync(join(projectFolder, 'server'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(join(projectFolder, 'server', file), 'utf8')
    for (const tag of new Set(text.match(/(?<=\b0x|#|^[a-z]+ )[0-9a-f]{8}\b/gm)))
      if (tags.has(tag)) found.set(tag, [...(found.get(tag) ?? []), file])
  }
  expect(tags.size).toBeGreaterThan(400)
  expect([...found].filter(([, files]) => files.length > 1)).toEqual([])
})
