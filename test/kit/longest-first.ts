import { BaseSequencer, type TestSpecification } from 'vitest/node'

/* The order of the slow files. A process that begins a long file last works alone for minutes at the end. */

/**
 * The slow test files that take longest, the longest first. They are listed by hand, because a fresh clone does not know how long files took. Files that mostly
 * wait come after the two that compute most, so that a third process has work for an idle core.
 */
const LONGEST: readonly string[] = [
  'test/client/page/walk.slow.test.ts',
  'test/torture/torture.slow.test.ts',
  'test/wire/time.slow.test.ts',
  'test/wire/events/unread.slow.test.ts',
  'test/wire/streamed.slow.test.ts',
  'test/package/tonway.slow.test.ts',
  'test/conformance/cases.slow.test.ts',
  'test/http/docs/generators.slow.test.ts',
  'test/security/large-accounts.slow.test.ts',
  'test/cli/range.slow.test.ts',
  'test/cli/workers.slow.test.ts',
  'test/base/stalls.slow.test.ts',
  'test/security/bodies-in-blocks.slow.test.ts',
  'test/index/unsteady.slow.test.ts',
  'test/readme.slow.test.ts',
  'test/torture/simulation.slow.test.ts',
  'test/tvm/crowd.slow.test.ts',
  'test/index/genesis.slow.test.ts',
  'test/hooks/many.slow.test.ts',
  'test/torture/follow.slow.test.ts',
  'test/chain/local/collate/random.slow.test.ts',
  'test/v3/page-threads.slow.test.ts',
  'test/build/dev.slow.test.ts',
  'test/index/faults.slow.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
  return place < 0 ? LONGEST.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
