import { describe, expect, it } from 'vitest'
import { projectFolder } from '../kit/project.ts'
import { applyPatch, checkOf, readPlanted } from './planted.ts'

describe('planted faults', () => {
  it.each(readPlanted())('the fault $name can still be planted, and its check is there', ({ file, check }) => {
    expect(applyPatch(projectFolder, file, '--check')).toBeUndefined()
    expect(checkOf(check)).toBeUndefined()
  })
})
