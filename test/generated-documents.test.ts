import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedDocuments } from './kit/generated-documents.ts'
import { projectFolder } from './kit/project.ts'

/* TONWAY_RECORD=1 writes the documents that are made from the code. */

const documents = generatedDocuments()
if (process.env['TONWAY_RECORD'] === '1') for (const [path, text] of documents) writeFileSync(join(projectFolder, path), text)

const textOf = (path: string): string => (existsSync(join(projectFolder, path)) ? readFileSync(join(projectFolder, path), 'utf8') : '')

it.each([...documents])('%s is what the code says', (path, text) => {
  expect(textOf(path)).toBe(text)
})
