import type { Member } from './member.ts'

export const COMMON = 'public'

/** Servers for a call. `others` are used only while no server of `own` is usable. */
export interface Choice {
  readonly own: readonly Member[]
  readonly others: readonly Member[]
}

/**
 * Chooses the servers for a call. `own`: the servers of `group`, or the common servers if the group has none. `others`: the common servers, used while no
 * server of the group is usable. Common are the servers without a group, or all servers if each has a group.
 */
export const choiceOf = (members: readonly Member[], group: string | undefined): Choice => {
  const plain = members.filter((member) => member.group === COMMON)
  const common = plain.length > 0 ? plain : members
  const own = group === undefined || group === COMMON ? [] : members.filter((member) => member.group === group)
  return own.length > 0 ? { own, others: common.filter((member) => !own.includes(member)) } : { own: common, others: [] }
}

export const allOf = ({ own, others }: Choice): readonly Member[] => [...own, ...others]

export const usableOf = ({ own, others }: Choice, fit: (member: Member) => boolean): readonly Member[] => {
  const first = own.filter(fit)
  return first.length > 0 ? first : others.filter(fit)
}
