import { CASES, type Case, type Exchange, readCases, recordCase } from './case-file.ts'
import { hasPlaceholders } from './placeholders.ts'
import { canCarry, recordedText, requestOf } from './run-case.ts'
import { type Scene, startScene } from './service.ts'
import { runStream } from './streams.ts'
import { createTonCenterTransports } from './transports.ts'

/* `npm run conformance -- --record [WORD]`: writes the answers of the cases whose paths have the word. Each is to be read beside the reference before it is committed. */

/** What a case is recorded from. */
export type Recording = Pick<Scene, 'url' | 'call' | 'now'>

/** Does something that changes the chain, and undoes it. */
export const undone = async <T>({ call, now }: Pick<Recording, 'call' | 'now'>, work: () => Promise<T>): Promise<T> => {
  const { snapshot } = await call('local.snapshot', {})
  await call('local.setTime', { utime: now, still: true })
  try {
    return await work()
  } finally {
    await call('local.revert', { snapshot })
    await call('local.setAutomine', { automine: false })
  }
}

const ask = async (url: string, line: string): Promise<string> =>
  (await fetch(`${url}/jsonRPC`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: line })).text()

/** HTTP status of a refused request, from the first interface that has one; 200 where none has. */
const statusOf = async (url: string, given: Case): Promise<number> => {
  for (const transport of createTonCenterTransports({ url })) {
    if (!canCarry(given, transport)) continue
    const answer = await transport.send(requestOf(given.exchanges.at(-1)!.request))
    if ('error' in answer) return answer.status!
  }
  return 200
}

export const record = async (scene: Recording, given: Case): Promise<void> => {
  const { url } = scene
  if (given.over !== undefined) return recordCase(CASES, given, 200, await runStream(url, given, true))
  const exchanges: Exchange[] = []
  let isRefused = false
  for (const { request: line } of given.exchanges) {
    const request = requestOf(line)
    const text = recordedText(request, await ask(url, line), hasPlaceholders(request.method))
    isRefused = text.includes('"error":{"code":')
    exchanges.push({ request: line, received: [text] })
  }
  const status = isRefused ? await statusOf(url, given) : 200
  recordCase(CASES, given, status, exchanges)
}

/** Cases that change the chain come last: the index follows each change and its undoing. */
export const inOrder = (cases: readonly Case[]): readonly Case[] =>
  [...cases].sort((a, b) => Number(a.changesChain) - Number(b.changesChain))

export const recordAll = async (word: string): Promise<void> => {
  const cases = readCases(CASES).filter(({ path }) => path.includes(word))
  const scene = await startScene()
  try {
    console.log(JSON.stringify(scene.names, undefined, 1))
    for (const given of inOrder(cases)) await (given.changesChain ? undone(scene, () => record(scene, given)) : record(scene, given))
    console.log(`${cases.length} cases recorded`)
  } finally {
    await scene.tonway.close()
  }
}
