import { type Body, body, uint } from '../../decode/hand-made.ts'

export const bodies: readonly Body[] = [['coffee_staking_lock_forward_payload', body(0x0c0ffede, uint(2, 32)), { period_id: '2' }]]
