import { Step } from '../../actions/step.ts'
import { type Deposit, depositColumns, type Put } from '../exchanges/liquidity.ts'
import { DEDUST_DEPOSITED, DEDUST_PARTIAL } from './liquidity.ts'
import { DEDUST_V2_DEPOSITED, DEDUST_V2_PARTIAL } from './v2-deposit.ts'

/*
 * Joins the two halves of a DeDust deposit if they are in one trace but on different branches. Both halves name the same gathering contract.
 */

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
  const nodes = new Set([...whole.nodes, ...partial.nodes])
  if (partial.origin !== undefined && partial.origin !== whole.origin) nodes.add(partial.origin)
  const step = new Step(whole.kind, [...nodes], depositColumns(deposit), [...whole.parts, ...partial.parts], deposit)
  step.origin = whole.origin
  step.broken = whole.broken
  return step
}

/** The versions of DeDust: the kinds of the steps of partial and whole deposits, and how the deposits are joined. */
const VERSIONS = [
  { partial: DEDUST_PARTIAL, whole: DEDUST_DEPOSITED, join: joinFirstVersion },
  { partial: DEDUST_V2_PARTIAL, whole: DEDUST_V2_DEPOSITED, join: joinSecondVersion },
]

const joinIn = (steps: readonly Step[], { partial, whole, join }: (typeof VERSIONS)[number]): readonly Step[] => {
  const byGatherer = new Map<Deposit['gatherer'], Step[]>()
  for (const step of steps) {
    if (step.kind !== partial && step.kind !== whole) continue
    const { gatherer } = depositOf(step)
    const halves = byGatherer.get(gatherer)
    if (halves === undefined) byGatherer.set(gatherer, [step])
    else halves.push(step)
  }
  const joinedSteps = new Map<Step, Step | undefined>()
  for (const halves of byGatherer.values()) {
    const [first, second] = [partial, whole].map((name) => halves.find(({ kind }) => kind === name))
    // With three or more halves it is unclear which of them belong together.
    if (first === undefined || second === undefined || halves.length > 2) continue
    const deposit = join(depositOf(first), depositOf(second))
    if (deposit !== undefined) joinedSteps.set(second, joined(first, second, deposit)).set(first, undefined)
  }
  if (joinedSteps.size === 0) return steps
  return steps.flatMap((step) => (joinedSteps.has(step) ? (joinedSteps.get(step) ?? []) : step))
}

export const joinDeposits = (steps: readonly Step[]): readonly Step[] => VERSIONS.reduce(joinIn, steps)
