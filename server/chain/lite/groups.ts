import type { Member } from './member.ts'

/** The group of servers that are in no other. */
export const COMMON = 'public'

/** Servers that a call may be given to: first its own, the others only while none of its own can be asked. */
export interface Choice {
  readonly own: readonly Member[]
  readonly others: readonly Member[]
}

/** Those of a group before the common ones; the common ones alone for a name that is no group. Where there are no common ones, all are. */
export const choiceOf = (members: readonly Member[], group: string | undefined): Choice => {
  const plain = members.filter((member) => member.group === COMMON)
  const common = plain.length > 0 ? plain : members
  const own = group === undefined || group === COMMON ? [] : members.filter((member) => member.group === group)
  return own.length > 0 ? { own, others: common.filter((member) => !own.includes(member)) } : { own: common, others: [] }
}

/** Every server of a choice. */
export const allOf = ({ own, others }: Choice): readonly Member[] => [...own, ...others]

/** Those of a choice that count while `fit` says which can be asked at all. */
export const countingOf = ({ own, others }: Choice, fit: (member: Member) => boolean): readonly Member[] => {
  const first = own.filter(fit)
  return first.length > 0 ? first : others.filter(fit)
}
