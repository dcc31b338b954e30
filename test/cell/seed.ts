/** Seed of the property tests: fixed, so that a failure repeats; set TONWAY_SEED to look elsewhere. */
export const seed = Number(process.env['TONWAY_SEED'] ?? 20261120)
