import { type Body, body, query } from '../../decode/hand-made.ts'

export const bodies: readonly Body[] = [['tonco_account_refund_me', body(0x0bf3f447, query), { query_id: '5' }]]
