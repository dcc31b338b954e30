import { BaseSequencer, type TestSpecification } from 'vitest/node'

/* The order of the slow files. A process that begins a long file last works alone for minutes at the end. */

/**
 * Slow files that begin first. The list is made by hand, because a fresh clone does not know how long files take.
 * - The two that compute most come first. Then come files that mostly wait: there are three processes for two cores.
 * - Files of one group stand together. Where the next file is of another group, vitest ends the process, with all that it has imported.
 */
const LONGEST: readonly string[] = [
  'test/torture/torture.slow.test.ts',
  'test/client/page/walk.slow.test.ts',
  'test/wire/time.slow.test.ts',
  'test/wire/events/unread.slow.test.ts',
  'test/wire/streamed.slow.test.ts',
  'test/conformance/cases.slow.test.ts',
  'test/http/docs/generators.slow.test.ts',
  'test/base/stalls.slow.test.ts',
  'test/shared/new-method.slow.test.ts',
  'test/tvm/crowd.slow.test.ts',
  'test/chain/local/collate/random.slow.test.ts',
  'test/tvm/fixtures.slow.test.ts',
  'test/client/package.slow.test.ts',
  'test/package/tonway.slow.test.ts',
  'test/torture/simulation.slow.test.ts',
  'test/torture/follow.slow.test.ts',
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
