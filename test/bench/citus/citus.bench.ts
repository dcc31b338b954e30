import { CITUS_URL } from '../../kit/index/citus.ts'
import type { Bench } from '../bench.ts'
import { readBenches } from './reads.ts'
import { writeBenches } from './writes.ts'

/* What a Citus cluster costs, against plain PostgreSQL. */

/** Why there are no lines. */
export const skipped = CITUS_URL === undefined ? 'TONWAY_TEST_CITUS_URL names no Citus cluster' : undefined

export const benches: readonly Bench[] = CITUS_URL === undefined ? [] : [...readBenches(CITUS_URL), ...writeBenches(CITUS_URL)]
