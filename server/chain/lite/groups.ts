import type { Member } from './member.ts'

/** Group of the servers for which no other group is configured. */
export const COMMON = 'public'

/** Servers that a call can use: those of its own group first, the others only while none of its own is usable. */
export interface Choice {
  readonly own: readonly Member[]
  readonly others: readonly Member[]
}

/** A group's servers, then the common ones. Only the common ones if there is no such group. If no server is common, all servers count as common. */
export const choiceOf = (members: readonly Member[], group: string | undefined): Choice => {
  const plain = members.filter((member) => member.group === COMMON)
  const common = plain.length > 0 ? plain : members
  const own = group === undefined || group === COMMON ? [] : members.filter((member) => member.group === group)
  return own.length > 0 ? { own, others: common.filter((member) => !own.includes(member)) } : { own: common, others: [] }
}

/** All servers of a choice. */
export const allOf = ({ own, others }: Choice): readonly Member[] => [...own, ...others]

/** The servers of a choice to use now; `fit` says which are usable. */
export const usableOf = ({ own, others }: Choice, fit: (member: Member) => boolean): readonly Member[] => {
  const first = own.filter(fit)
  return first.length > 0 ? first : others.filter(fit)
}
