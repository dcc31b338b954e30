// A client generated from /openapi.json by openapi-typescript: it compiles under the strictest rules, and its calls are answered. run.mjs puts this file
// beside the packages.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const url = process.env.TONWAY_URL
const bin = (name) => `node_modules/.bin/${name}`

const document = await (await fetch(`${url}/openapi.json`)).text()
writeFileSync('openapi.json', document)
execFileSync(bin('openapi-typescript'), ['openapi.json', '-o', 'schema.d.ts'], { stdio: 'pipe' })

writeFileSync(
  'client.ts',
  `import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

const client = createClient<paths>({ baseUrl: '${url}' })

const info = await client.GET('/api/v2/getMasterchainInfo')
if (info.error !== undefined) throw new Error(info.error.error)
const seqno: number = info.data.result.last.seqno
const hash: string = info.data.result.last.root_hash

const address = '-1:5555555555555555555555555555555555555555555555555555555555555555'
const balance = await client.GET('/api/v2/getAddressBalance', { params: { query: { address }, header: { 'X-Request-Id': 'generated' } } })
const nano: string | undefined = balance.data?.result
const run = await client.POST('/api/v2/runGetMethod', { body: { address, method: 'seqno', stack: [] } })
const exit: number | undefined = run.data?.result.exit_code

// Wrong calls do not compile.
// @ts-expect-error a parameter that is required
client.GET('/api/v2/getAddressBalance', { params: { query: {} } }).catch(() => {})
// @ts-expect-error a path that is none
client.GET('/api/v2/getNothing').catch(() => {})
// @ts-expect-error a verb that is not served
client.GET('/api/v2/sendBoc').catch(() => {})

// Failures are typed too, in each interface's own shape.
const refused = await client.GET('/api/v2/getAddressBalance', { params: { query: { address: 'nowhere' } } })
const code: number | undefined = refused.error?.code
const missing = await client.GET('/api/v3/masterchainInfo')
const text: string | undefined = missing.error?.error

if (!(seqno >= 0) || hash.length !== 44 || !/^[0-9]+$/.test(nano ?? '') || typeof exit !== 'number' || code !== 422) throw new Error('wrong answers')
console.log(\`seqno \${seqno}, balance \${nano}, exit code \${exit}, refused with \${code}, v3: \${text ?? 'served'}\`)
`,
)
writeFileSync(
  'tsconfig.json',
  JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom'], types: [], outDir: 'out' },
      ...{
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        allowImportingTsExtensions: false,
      },
    },
    files: ['client.ts', 'schema.d.ts'],
  }),
)
writeFileSync('package.json', '{"private":true,"type":"module"}')
try {
  execFileSync(bin('tsc'), ['-p', '.'], { stdio: 'pipe' })
} catch (error) {
  throw new Error(`the client does not compile:\n${error.stdout}`)
}
const { paths } = JSON.parse(document)
console.log(`${Object.keys(paths).length} paths compiled`)
console.log(String(execFileSync(process.execPath, ['out/client.js'])).trim())
