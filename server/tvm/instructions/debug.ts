import type { Slice } from '../../cell/slice.ts'
import { DebugTexts } from '../machine/debug-texts.ts'
import { INVALID, type Instruction } from '../machine/instruction.ts'
import type { Machine } from '../machine/machine.ts'
import { hexOf } from '../machine/step-log.ts'
import { extended, ranged } from './define.ts'

/* 0xFE: debug instructions cost gas and change nothing. Three of them print: DUMPSTK, STRDUMP and DUMP. */

const nothing = (): void => {}

const DUMPSTK = 0x00
const STRDUMP = 0x14
/** DUMP s0 to s15. */
const DUMP = 0x20

const print = (vm: Machine, n: number): void => {
  if (n !== DUMPSTK && n !== STRDUMP && n >>> 4 !== DUMP >>> 4) return
  vm.debug ??= new DebugTexts()
  if (n === DUMPSTK) vm.debug.stack(vm.stack)
  else if (n === STRDUMP) vm.debug.string(vm.stack)
  else vm.debug.value(vm.stack, n - DUMP)
}

const takeText = (args: number, code: Slice): Uint8Array | typeof INVALID => {
  const bits = (args + 1) * 8
  return code.remainingBits < bits ? INVALID : code.loadBits(bits)
}

export const DEBUG: readonly Instruction[] = [
  ranged(0xfe00, 0xfeef, 16, 8, 'DEBUG', print),
  extended(0xfef0, 0xfeff, 16, 4, 'DEBUGSTR', nothing, {
    take: takeText,
    text: (args, code) => {
      const text = takeText(args, code.clone())
      return text === INVALID ? '' : `x{${hexOf(text, text.length * 8)}}`
    },
  }),
]
