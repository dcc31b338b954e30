import type { Slice } from '../../cell/slice.ts'
import { INVALID, type Instruction } from '../machine/instruction.ts'
import { hexOf } from '../machine/step-log.ts'
import { extended, ranged } from './define.ts'

/* 0xFE: debug instructions cost gas and do nothing. */

const nothing = (): void => {}

const takeText = (args: number, code: Slice): Uint8Array | typeof INVALID => {
  const bits = (args + 1) * 8
  return code.remainingBits < bits ? INVALID : code.loadBits(bits)
}

export const DEBUG: readonly Instruction[] = [
  ranged(0xfe00, 0xfeef, 16, 8, 'DEBUG', nothing),
  extended(0xfef0, 0xfeff, 16, 4, 'DEBUGSTR', nothing, {
    take: takeText,
    text: (args, code) => {
      const text = takeText(args, code.clone())
      return text === INVALID ? '' : `x{${hexOf(text, text.length * 8)}}`
    },
  }),
]
