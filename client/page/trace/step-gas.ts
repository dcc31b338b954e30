/* How much gas each step of a run used. */

interface Step {
  readonly instruction: string
  /** Gas that was left before it. */
  readonly gas: number
}

/** Instructions that change how much gas may be used, so that what is left after them does not tell what they used. Both take the same (TVM: 10 and one a bit). */
const SETS_LIMIT = /^(ACCEPT|SETGASLIMIT)$/
const GAS_OF_LIMIT = 26

/**
 * Gas that each step used; undefined where that is unknown. `used`: gas of the whole run, null where it is unknown, or where these are not all of its
 * steps. The last step used what the others did not.
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
