import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatorPath, hasJar, hasOpenRpc, hasPython, orSkipped, PYTHON, runIn, runJar } from '../../kit/generators/generators.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'

/* Clients that other people's generators make of the documents, against the service. Each has 512 MB at most. */

const ELECTOR = `-1:${'33'.repeat(32)}`
const FRIEND = `0:${'77'.repeat(32)}`
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

let service: V3Service
let folder: string
let hash: string
beforeAll(async () => {
  service = await startV3()
  await service.call('local.fund', { address: FRIEND, amount: 1_000_000_000 })
  await service.settle()
  const { transactions } = await service.call('v3.transactions', { account: [FRIEND] })
  hash = transactions[0]!.hash
  folder = await mkdtemp(join(tmpdir(), 'tonway-generated-'))
})
afterAll(async () => {
  await service?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** A folder with both documents as the service gives them. */
const newFolder = async (name: string): Promise<string> => {
  const to = join(folder, name)
  await mkdir(to)
  for (const document of ['openapi.json', 'openrpc.json'])
    await writeFile(join(to, document), await (await fetch(`${service.url}/${document}`)).text())
  return to
}

const makeByJar = async () => {
  const folders = { python: await newFolder('python'), 'typescript-fetch': await newFolder('typescript') }
  await runJar(folder, folders)
  return folders
}
let byJar: ReturnType<typeof makeByJar> | undefined
/** The folders of both clients of openapi-generator, which one Java virtual machine makes. */
const madeByJar = (): ReturnType<typeof makeByJar> => (byJar ??= makeByJar())

/** What each client prints: whether getMasterchainInfo has a seqno, the hash from v3.transactions, and a get-method's stack. */
const ANSWERS = (): unknown => [true, hash, ['num', '0x0']]
const answersOf = (output: string): unknown => JSON.parse(output.trim().split('\n').at(-1)!)

const runBundled = async (to: string, code: string): Promise<unknown> => {
  await writeFile(join(to, 'call.ts'), code)
  await build({ entryPoints: [join(to, 'call.ts')], bundle: true, platform: 'node', outfile: join(to, 'call.cjs'), logLevel: 'silent' })
  return answersOf(await runIn(to, process.execPath, ['call.cjs']))
}

/* A Java virtual machine starts, reads half a megabyte twice and writes 1,300 files: 10 s on a quiet machine. */
describe('generators of clients', { timeout: 600_000 }, () => {
  it.skipIf(!hasPython)(orSkipped('openapi-python-client makes a client that is answered', hasPython), async () => {
    const to = await newFolder('opc')
    const args = ['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--output-path', 'client', '--meta', 'none']
    const said = await runIn(to, PYTHON, args)
    // It knows no pictures. Everything else is in the client.
    expect(said.match(/^(?:WARNING|Unable) .*$/gm)).toEqual(['WARNING parsing GET /picture/{account} within service.'])
    await writeFile(
      join(to, 'call.py'),
      `import json
from client.client import Client
from client.api.v_2_blocks import get_masterchain_info_get
from client.api.v_2_run_method import run_get_method_post
from client.api.v_3_blockchain_data import v3_transactions_get
from client.models import RunGetMethodPostBody
ton = Client(base_url='${service.url}')
info = get_masterchain_info_get.sync(client=ton)
rows = v3_transactions_get.sync(client=ton, account=['${FRIEND}'])
run = run_get_method_post.sync(client=ton, body=RunGetMethodPostBody(address='${ELECTOR}', method='compute_returned_stake', stack=[['num', '5']]))
print(json.dumps([info.result.last.seqno >= 0, rows.transactions[0].hash_, run.result.stack[0]]))
`,
    )
    expect(answersOf(await runIn(to, PYTHON, ['call.py']))).toEqual(ANSWERS())
  })

  it.skipIf(!hasJar || !hasPython)(orSkipped('openapi-generator makes a Python client that is answered', hasJar && hasPython), async () => {
    const { python: to } = await madeByJar()
    await writeFile(
      join(to, 'call.py'),
      `import json, sys
sys.path.insert(0, 'client')
import openapi_client as client
with client.ApiClient(client.Configuration(host='${service.url}')) as api:
    info = client.V2BlocksApi(api).get_masterchain_info_get()
    rows = client.V3BlockchainDataApi(api).v3_transactions_get(account=['${FRIEND}'])
    method = client.RunGetMethodPostRequestMethod('compute_returned_stake')
    stack = [client.LegacyStackArgument(['num', '5'])]
    run = client.V2RunMethodApi(api).run_get_method_post(client.RunGetMethodPostRequest(address='${ELECTOR}', method=method, stack=stack))
    print(json.dumps([info.result.last.seqno >= 0, rows.transactions[0].hash, run.result.stack[0].actual_instance]))
`,
    )
    expect(answersOf(await runIn(to, PYTHON, ['call.py']))).toEqual(ANSWERS())
  })

  it.skipIf(!hasJar)(orSkipped('openapi-generator makes a TypeScript client that compiles and is answered', hasJar), async () => {
    const { 'typescript-fetch': to } = await madeByJar()
    const shown = await runBundled(
      to,
      `import { Configuration, V2BlocksApi, V2RunMethodApi, V3BlockchainDataApi } from './client/index'
const api = new Configuration({ basePath: '${service.url}' })
const call = async () => {
  const info = await new V2BlocksApi(api).getMasterchainInfoGet()
  const rows = await new V3BlockchainDataApi(api).v3TransactionsGet({ account: ['${FRIEND}'] })
  const body = { address: '${ELECTOR}', method: 'compute_returned_stake', stack: [['num', '5']] }
  const run = await new V2RunMethodApi(api).runGetMethodPost({ runGetMethodPostRequest: body })
  console.log(JSON.stringify([info.result.last.seqno >= 0, rows.transactions[0]!.hash, run.result.stack[0]]))
}
call()
`,
    )
    expect(shown).toEqual(ANSWERS())
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'preserve',
      '--lib',
      'es2022,dom',
      '--types',
      '',
    ]
    expect(await runIn(to, process.execPath, [tsc, ...flags, 'call.ts'])).toBe('')
  })

  it.skipIf(!hasOpenRpc)(orSkipped('OpenRPC’s own reader replaces every reference of the document', hasOpenRpc), async () => {
    const to = await newFolder('reader')
    await symlink(generatorPath('openrpc/node_modules'), join(to, 'node_modules'))
    await writeFile(
      join(to, 'read.cjs'),
      `const { parseOpenRPCDocument } = require('@open-rpc/schema-utils-js')
const { readFileSync } = require('node:fs')
parseOpenRPCDocument(JSON.parse(readFileSync('openrpc.json', 'utf8'))).then(({ methods }) => {
  const { result } = methods.find(({ name }) => name === 'v3.transactions')
  console.log(JSON.stringify([methods.length, result.schema.properties.transactions.items.properties.hash.type]))
})
`,
    )
    const { methods } = JSON.parse(await readFile(join(to, 'openrpc.json'), 'utf8')) as { methods: unknown[] }
    const output = await runIn(to, process.execPath, ['--max-old-space-size=512', 'read.cjs'])
    expect(answersOf(output)).toEqual([methods.length, 'string'])
  })

  it.skipIf(!hasOpenRpc)(orSkipped('OpenRPC’s generator makes a TypeScript client that is answered', hasOpenRpc), async () => {
    const to = await newFolder('openrpc')
    const readme = await readFile('shared/README.md', 'utf8')
    const [, words] = /^`open-rpc-generator (generate .*?)`/m.exec(readme)!
    const generator = generatorPath('openrpc/node_modules/.bin/open-rpc-generator')
    await runIn(to, process.execPath, ['--max-old-space-size=512', generator, ...words!.split(' ')])
    const [, repair] = /^```sh\n(sed -i [\s\S]*?)^```$/m.exec(readme)!
    await runIn(to, 'bash', ['-euo', 'pipefail', '-c', repair!])
    await symlink(generatorPath('openrpc/client/node_modules'), join(to, 'node_modules'))
    const { hostname, port } = new URL(service.url)
    const shown = await runBundled(
      to,
      `import { Tonway } from './client/typescript/src/index'
const ton = new Tonway({ transport: { type: 'http', host: '${hostname}', port: ${port}, path: '/jsonRPC' } })
const call = async () => {
  const info = await ton.getMasterchainInfo()
  const [workchain, shard, seqno, mcSeqno] = []
  const rows = await ton['v3.transactions'](workchain, shard, seqno, mcSeqno, ['${FRIEND}'])
  const run = await ton.runGetMethod('${ELECTOR}', 'compute_returned_stake', [['num', '5']])
  console.log(JSON.stringify([info.last.seqno >= 0, rows.transactions[0].hash, run.stack[0]]))
}
call()
`,
    )
    expect(shown).toEqual(ANSWERS())
  })
})
