import type { Slice } from '../cell/slice.ts'
import { lookup } from './instructions/table.ts'
import { INVALID } from './machine/instruction.ts'
import { NEWEST_VERSION } from './versions.ts'

export interface CodeLine {
  /** Bit offset in the slice. */
  readonly offset: number
  /** Mnemonic with operands. 'invalid' for bits that are not an instruction; the listing ends there. */
  readonly text: string
}

const lineAt = (code: Slice, version: number): string | undefined => {
  const available = Math.min(24, code.remainingBits)
  const opcode = code.preloadUint(available) << (24 - available)
  const instruction = lookup(opcode)
  if (instruction === undefined || instruction.name === '' || instruction.since > version || available < instruction.bits) return undefined
  const args = code.loadUint(instruction.bits)
  const text = instruction.text(args, code)
  if (instruction.operand(args, code, version) === INVALID) return undefined
  return text === '' ? instruction.name : `${instruction.name} ${text}`
}

/**
 * Lists the instructions of code up to its end or to the first bits that are not an instruction. Bodies of continuations and references are shown as data,
 * because they are code of their own. A reference that no instruction uses is shown at the end as an implicit `JMPREF`, because the code continues there. The
 * listing stops after `most` lines.
 */
export const disassemble = (code: Slice, version: number = NEWEST_VERSION, most: number = Number.POSITIVE_INFINITY): CodeLine[] => {
  const rest = code.clone()
  const total = rest.remainingBits
  const lines: CodeLine[] = []
  while (rest.remainingBits > 0) {
    if (lines.length >= most) return lines
    const offset = total - rest.remainingBits
    const text = lineAt(rest, version)
    lines.push({ offset, text: text ?? 'invalid' })
    if (text === undefined) return lines
  }
  if (rest.remainingRefs > 0 && lines.length < most) lines.push({ offset: total, text: `implicit JMPREF (${rest.preloadRef().hashHex()})` })
  return lines
}
