import { Step } from '../../actions/step.ts'
import type { Deposit, Put } from '../exchanges/liquidity.ts'
import { depositColumns } from '../exchanges/liquidity.ts'
import { DEDUST_DEPOSITED, DEDUST_PARTIAL } from './liquidity.ts'
import { DEDUST_V2_DEPOSITED, DEDUST_V2_PARTIAL } from './v2-deposit.ts'

/*
 * Joins the two halves of a DeDust deposit if they are in one trace but on different branches. Both halves name the same gathering contract.
 */

/** Kinds of the steps of partial and whole deposits: one pair for each version of DeDust. */
const PAIRS: readonly (readonly [partial: string, whole: string])[] = [
  [DEDUST_PARTIAL, DEDUST_DEPOSITED],
  [DEDUST_V2_PARTIAL, DEDUST_V2_DEPOSITED],
]

const depositOf = (step: Step): Deposit => step.info as Deposit

/** Joins the assets of a DeDust v1 deposit in the order of its halves. Amounts of the same asset are added. undefined if there are not exactly two assets. */
const joinPuts = (first: Deposit, second: Deposit): [Put, Put] | undefined => {
  const puts: Put[] = []
  for (const put of [...first.puts, ...second.puts]) {
    if (put === undefined) continue
    const same = puts.findIndex(({ asset }) => asset === put.asset)
    if (same < 0) puts.push(put)
    else puts[same] = { ...put, amount: (puts[same]!.amount ?? 0n) + (put.amount ?? 0n) }
  }
  const [one, other, ...more] = puts
  return one !== undefined && other !== undefined && more.length === 0 ? [one, other] : undefined
}

const sameAssets = (first: Deposit, second: Deposit): boolean => {
  const assets = ({ targets }: Deposit): string => JSON.stringify((targets ?? []).map(({ asset }) => asset).sort())
  return assets(first) === assets(second)
}

const joinFirstVersion = (partial: Deposit, whole: Deposit): Deposit | undefined => {
  if (!sameAssets(partial, whole)) return undefined
  const puts = joinPuts(partial, whole)
  if (puts === undefined || whole.targets === undefined) return undefined
  const [first, second] = whole.targets
  return {
    ...whole,
    puts,
    targets: [
      { ...first, asset: puts[0].asset },
      { ...second, asset: puts[1].asset },
    ],
  }
}

/** Joins a DeDust v2 deposit. The whole deposit has both amounts, but lacks one of the assets, which the partial deposit has. */
const joinSecondVersion = (partial: Deposit, whole: Deposit): Deposit => {
  const join = (i: 0 | 1): Put | undefined => {
    const own = whole.puts[i]
    const half = partial.puts[i]
    if (own === undefined || own.hasAsset !== false || half === undefined || half.hasAsset === false) return own
    return { ...half, amount: own.amount ?? half.amount }
  }
  const puts: [Put | undefined, Put | undefined] = [join(0), join(1)]
  const targets = whole.targets?.map((target, i) => ({ ...target, asset: puts[i]?.asset ?? null }))
  return { ...whole, puts, targets: targets as Deposit['targets'] }
}

const joined = (partial: Step, whole: Step, deposit: Deposit): Step => {
  const nodes = [...new Set([...whole.nodes, ...partial.nodes])]
  if (partial.origin !== undefined && partial.origin !== whole.origin) nodes.push(partial.origin)
  const step = new Step(whole.kind, [...new Set(nodes)], depositColumns(deposit), [...whole.parts, ...partial.parts], deposit)
  step.origin = whole.origin
  step.failed = whole.failed
  step.broken = whole.broken
  return step
}

const fold = (steps: readonly Step[], partialKind: string, wholeKind: string): readonly Step[] => {
  const result = [...steps]
  const gatherers = new Map<string | null | undefined, number>()
  for (const step of steps) {
    if (step.kind !== partialKind && step.kind !== wholeKind) continue
    const { gatherer } = depositOf(step)
    gatherers.set(gatherer, (gatherers.get(gatherer) ?? 0) + 1)
  }
  for (const partial of steps.filter(({ kind }) => kind === partialKind)) {
    const { gatherer } = depositOf(partial)
    // With three or more halves it is unclear which of them belong together.
    if ((gatherers.get(gatherer) ?? 0) > 2) continue
    const at = result.findIndex(({ kind, info }) => kind === wholeKind && (info as Deposit).gatherer === gatherer)
    const whole = result[at]
    if (whole === undefined) continue
    const isFirst = partialKind === DEDUST_PARTIAL
    const deposit = isFirst
      ? joinFirstVersion(depositOf(partial), depositOf(whole))
      : joinSecondVersion(depositOf(partial), depositOf(whole))
    if (deposit === undefined) continue
    result[at] = joined(partial, whole, deposit)
    result.splice(result.indexOf(partial), 1)
  }
  return result
}

export const joinDeposits = (steps: readonly Step[]): readonly Step[] => {
  if (!steps.some(({ kind }) => kind === DEDUST_PARTIAL || kind === DEDUST_V2_PARTIAL)) return steps
  return PAIRS.reduce((rest, [partial, whole]) => fold(rest, partial, whole), steps)
}
