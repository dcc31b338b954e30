import { parseArgs } from 'node:util'
import { CASES } from './case-file.ts'
import { replay, tableOf } from './replay.ts'

/*
 * `npm run conformance -- --url URL [--key KEY] [--pace MS]`: replays the cases that hold on every server of TON Center's interfaces against one. The exit code is 1 if an answer differs.
 * `npm run conformance -- --record [WORD]`: writes the answers of the cases, or of those with the word in their paths.
 */

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, key: { type: 'string' }, pace: { type: 'string' }, record: { type: 'boolean' } },
  allowPositionals: true,
})

if (values.record === true) await (await import('./record.ts')).recordAll(positionals[0] ?? '')
else if (values.url !== undefined) {
  const outcomes = await replay({ url: values.url, folder: CASES, key: values.key, pace: Number(values.pace ?? 0) })
  console.log(tableOf(outcomes))
  process.exitCode = outcomes.every(({ differences }) => differences.length === 0) ? 0 : 1
} else {
  console.error('Say --url URL to check a server, or --record to write the answers of the cases.')
  process.exitCode = 2
}
