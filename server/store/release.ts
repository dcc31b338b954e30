import { MIGRATIONS } from './migrations/index.ts'

/** Checks, without changing anything, whether the tables are of this release. Returns a readable reason if not; `none` if there are no tables. */
export const releaseFault = async (
  query: <R>(text: string, values?: readonly unknown[]) => Promise<R[]>,
): Promise<'none' | string | undefined> => {
  const [found] = await query<{ is: boolean }>(`select to_regclass('tonway_migrations') is not null as is`)
  if (!found?.is) return 'none'
  const done = new Set((await query<{ name: string }>('select name from tonway_migrations')).map(({ name }) => name))
  const known = Object.keys(MIGRATIONS)
  if ([...done].some((name) => !known.includes(name))) return 'the tables are of a later release of tonway: take that one'
  if (known.some((name) => !done.has(name)))
    return 'the tables are of an earlier release of tonway: a start of the service (tonway serve, tonway index) brings them up to date'
  return undefined
}
