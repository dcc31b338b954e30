import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { disassemble } from '../../server/tvm/disassemble.ts'
import { INSTRUCTIONS, lookup } from '../../server/tvm/instructions/table.ts'
import { normal } from '../../server/tvm/machine/integer.ts'
import type { Integer } from '../../server/tvm/machine/value.ts'
import { runVm } from '../../server/tvm/run-vm.ts'
import { createRandom, type Random } from '../kit/random.ts'
import '../kit/tvm/curves.ts'

const code = (hex: string): Cell => beginCell().storeBytes(Buffer.from(hex, 'hex')).end()
const run = (hex: string, stack: Integer[], version = 15) =>
  runVm({ code: code(hex), stack: [...stack], c7: [], gas: { limit: 100_000 }, version })

describe('the instruction table', () => {
  it('the instruction table gives every opcode to one instruction at most', () => {
    INSTRUCTIONS.forEach((instruction, i) => {
      expect(instruction.from).toBeLessThan(instruction.to)
      if (i > 0) expect(INSTRUCTIONS[i - 1]!.to).toBeLessThanOrEqual(instruction.from)
    })
  })

  it('the instruction table finds each instruction by its first and last opcode, and none in the gaps', () => {
    INSTRUCTIONS.forEach((instruction, i) => {
      expect(lookup(instruction.from)).toBe(instruction)
      expect(lookup(instruction.to - 1)).toBe(instruction)
      const next = INSTRUCTIONS[i + 1]?.from ?? 2 ** 24
      if (instruction.to < next) expect(lookup(instruction.to)).toBeUndefined()
    })
  })

  it('the instruction table has as many mnemonics of each version as the node has', () => {
    const since = new Map<number, Set<string>>()
    for (const { name, since: version } of INSTRUCTIONS) {
      if (name !== '') since.set(version, (since.get(version) ?? new Set()).add(name))
    }
    expect([...since].map(([version, names]) => [version, names.size]).sort(([a], [b]) => a! - b!)).toEqual([
      [0, 787],
      [4, 50],
      [6, 13],
      [9, 4],
      [10, 1],
      [11, 13],
      [12, 10],
    ])
  })

  it('the instruction table refuses an instruction below its version for 10 gas', () => {
    // HASHBU is of version 12
    expect(run('c8f916', [], 11)).toMatchObject({ exitCode: 6, gasUsed: 18 + 10 + 50 })
    expect(run('c8f916', [], 12)).toMatchObject({ exitCode: 0 })
  })

  it('the disassembler writes code in the assembler language', () => {
    const cell = beginCell().storeBytes(Buffer.from('ff00208300f24ba9a4910b', 'hex')).end()
    expect(disassemble(cell.slice()).map(({ offset, text }) => `${offset} ${text}`)).toEqual([
      '0 SETCP 0',
      '16 DUP',
      '24 PUSHPOW2 1',
      '40 THROWIF 11',
      '56 MULRSHIFT',
      '72 PUSHCONT x{0b}',
    ])
  })

  it('the machine ends with a result whatever the code is', () => {
    const random = createRandom(20261121)
    for (let i = 0; i < 3_000; i++) {
      const b = beginCell()
      const bytes = 1 + random.below(60)
      for (let j = 0; j < bytes; j++) b.storeUint(random.below(256), 8)
      for (let j = random.below(5); j > 0 && b.refs < 4; j--)
        b.storeRef(
          beginCell()
            .storeUint(random.below(2 ** 31), 31)
            .end(),
        )
      const stack = Array.from({ length: random.below(8) }, () => randomInt(random))
      const result = runVm({ code: b.end(), stack, c7: [[]], gas: { limit: 20_000 }, version: 4 + random.below(12) })
      expect(Number.isInteger(result.exitCode)).toBe(true)
      expect(result.gasUsed).toBeGreaterThan(0)
    }
  })
})

const LIMIT = 1n << 256n
const randomInt = (random: Random): Integer => {
  const bits = [3, 8, 31, 53, 54, 64, 200, 256][random.below(8)]!
  let value = 0n
  for (let i = 0; i < bits; i += 31) value = (value << 31n) | BigInt(random.below(2 ** 31))
  value = BigInt.asUintN(bits, value) - BigInt(random.below(3))
  return normal(random.chance(0.4) ? -value : value)
}

const floorDiv = (x: bigint, y: bigint): bigint => {
  const q = x / y
  return q * y !== x && x < 0n !== y < 0n ? q - 1n : q
}
/** 0 down, 1 to the nearest with ties up, 2 up. */
const quotient = (x: bigint, y: bigint, round: number): bigint =>
  round === 0 ? floorDiv(x, y) : round === 1 ? floorDiv(2n * x + y, 2n * y) : -floorDiv(-x, y)

/** Results by the definition; undefined for an overflow. */
const same = (actual: ReturnType<typeof run>, expected: readonly bigint[] | undefined): void => {
  const fits = expected?.every((value) => value >= -LIMIT && value < LIMIT)
  if (!fits) expect(actual.exitCode).toBe(4)
  else expect(actual).toMatchObject({ exitCode: 0, stack: expected!.map(normal) })
}
const each = (count: number, test: (x: bigint, y: bigint, z: bigint, random: Random) => void): void => {
  const random = createRandom(7)
  for (let i = 0; i < count; i++) test(BigInt(randomInt(random)), BigInt(randomInt(random)), BigInt(randomInt(random)), random)
}
const nibble = (d: number, f: number): string => ((d << 2) | f).toString(16)

describe('integers', () => {
  it('integers are added, subtracted and multiplied as their definition says', () => {
    each(400, (x, y) => {
      same(run('a0', [normal(x), normal(y)]), [x + y])
      same(run('a1', [normal(x), normal(y)]), [x - y])
      same(run('a2', [normal(x), normal(y)]), [y - x])
      same(run('a8', [normal(x), normal(y)]), [x * y])
      same(run('a3', [normal(x)]), [-x])
      same(run('a6f9', [normal(x)]), [x - 7n])
      same(run('a7f9', [normal(x)]), [x * -7n])
    })
  })

  it('integers are divided with each rounding, alone and after a product or a shift', () => {
    each(150, (x, y, z, random) => {
      const n = random.below(257)
      for (const f of [0, 1, 2]) {
        const both = (a: bigint, b: bigint) => (b === 0n ? undefined : [quotient(a, b, f), a - quotient(a, b, f) * b])
        same(run(`a90${nibble(3, f)}`, [normal(x), normal(y)]), both(x, y))
        same(run(`a90${nibble(0, f)}`, [normal(x), normal(z), normal(y)]), both(x + z, y))
        same(run(`a98${nibble(3, f)}`, [normal(x), normal(y), normal(z)]), both(x * y, z))
        same(run(`a92${nibble(3, f)}`, [normal(x), n]), both(x, 1n << BigInt(n)))
        same(run(`a9a${nibble(3, f)}`, [normal(x), normal(y), n]), both(x * y, 1n << BigInt(n)))
        same(run(`a9c${nibble(3, f)}`, [normal(x), normal(z), n]), both(x << BigInt(n), z))
      }
    })
  })

  it('integers are shifted, combined and compared as their definition says', () => {
    each(300, (x, y, _z, random) => {
      const n = random.below(300)
      const stack = [normal(x), normal(y)]
      same(run('ac', [normal(x), n]), [x << BigInt(n)])
      same(run('ad', [normal(x), n]), [x >> BigInt(n)])
      same(run('b0', stack), [x & y])
      same(run('b1', stack), [x | y])
      same(run('b2', stack), [x ^ y])
      same(run('b3', [normal(x)]), [~x])
      same(run('b9', stack), [x < y ? -1n : 0n])
      same(run('ba', stack), [x === y ? -1n : 0n])
      same(run('bf', stack), [x < y ? -1n : x > y ? 1n : 0n])
      same(run('b60a', stack), x < y ? [x, y] : [y, x])
    })
  })

  it('integers that are NaN shift as they did before version 13, and stay NaN from then on', () => {
    // QRSHIFT and QLSHIFT with the count on the stack; the older results as the emulator gives them at version 12
    for (const [hex, count, old] of [
      ['b7ad', 0, Number.NaN],
      ['b7ad', 12, 0],
      ['b7ad', 13, -1],
      ['b7ac', 51, Number.NaN],
      ['b7ac', 52, 0],
      ['b7ac', 312, Number.NaN],
    ] as const) {
      expect(run(hex, [Number.NaN, count], 12)).toMatchObject({ exitCode: 0, stack: [old] })
      expect(run(hex, [Number.NaN, count], 13)).toMatchObject({ exitCode: 0, stack: [Number.NaN] })
    }
  })

  it('integers of any size come back from a cell as they were stored', () => {
    each(300, (x) => {
      // NEWC, STI 256+1 by STIX, ENDC, CTOS, LDIX 257, ENDS
      const result = run('c8810101cf00c9d0810101d700d1', [normal(x)])
      expect(result).toMatchObject({ exitCode: 0, stack: [normal(x)] })
    })
  })
})
