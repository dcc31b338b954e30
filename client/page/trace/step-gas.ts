interface Step {
  readonly instruction: string
  readonly gas: number
}

/**
 * Instructions that change the gas limit, so that the difference of the remaining gas is not the gas that they used. Each uses 26 (TVM: 10 plus one per bit
 * of the instruction).
 */
const SETS_LIMIT = /^(ACCEPT|SETGASLIMIT)$/
const GAS_OF_LIMIT = 26

/**
 * Gas that each step used; undefined if unknown. `used`: gas of the whole run; null if it is unknown, or if `steps` is incomplete. The last step gets what
 * the steps before it left.
 */
export const stepGas = (steps: readonly Step[], used: number | null): readonly (number | undefined)[] => {
  const others = steps.slice(0, -1).map(({ instruction, gas }, i) => {
    const own = SETS_LIMIT.test(instruction) ? GAS_OF_LIMIT : gas - steps[i + 1]!.gas
    return own < 0 ? undefined : own
  })
  const othersSum = others.reduce<number | undefined>((sum, own) => (sum === undefined || own === undefined ? undefined : sum + own), 0)
  const last = used === null || othersSum === undefined || used < othersSum ? undefined : used - othersSum
  return steps.length === 0 ? [] : [...others, last]
}
