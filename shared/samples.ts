export const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
export const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
export const HASH = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='
export const HASH_HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'
export const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0='
export const NON_BOUNCEABLE = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
export const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'
/** The masterchain's only shard. */
export const IN_MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' } as const
export const FIRST_BLOCK = { ...IN_MASTERCHAIN, seqno: 1 } as const
/** An external message to an account without code, which every chain rejects. */
export const REFUSED = 'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAABLPan6A='
export const COMMENT = 'te6cckEBAQEACAAADAAAAABoaeh7Muk='
