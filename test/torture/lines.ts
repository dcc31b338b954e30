import type { Line } from './line.ts'
import { KILLS } from './lines/kills.ts'

/** The lines of `npm run torture`, by name. */
export const LINES: Readonly<Record<string, Line>> = { ...KILLS }
