import type { Resolved } from '../../../shared/registry.ts'
import { groupsOf } from '../../base/memory/grouped.ts'
import { ENDPOINTS } from './other-paths.ts'
import { paramDocs, tagOf } from './schema.ts'

/* /llms.txt (llmstxt.org): a summary of the service for language models. */

const LISTED = ['/openapi.json', '/openrpc.json', '/asyncapi.json', '/status']
const DOCUMENTS = ENDPOINTS.filter(([, path]) => LISTED.includes(path))

/** `getTransactions(address, limit?)`, with its path if GET is allowed. */
const methodLine = ({ name, def, paths, verbs }: Resolved, base: string): string => {
  const params = paramDocs(def).map((param) => (param.required ? param.name : `${param.name}?`))
  const [path] = paths.keys()
  const signature = `${name}(${params.join(', ')})`
  const link = verbs.includes('GET') && path !== undefined && !path.includes(':') ? `[${signature}](${base}${path})` : `\`${signature}\``
  return `- ${link}: ${def.summary}`
}

/** The text of /llms.txt. `base`: public URL of the service (`https://ton.example.com/testnet`). */
export const buildLlmsText = (methods: readonly Resolved[], base: string): string => {
  return [
    '# tonway',
    '',
    '> Access to a TON blockchain: TON Center v2 and v3 and TON API v4 as REST and as JSON-RPC 2.0, and events.',
    '',
    `Every method is called by \`POST ${base}/jsonRPC\` with \`{"jsonrpc":"2.0","id":1,"method":...,"params":{...}}\` (parameters by name, batches up to 1,000),`,
    'and those with a link also by GET with the parameters as query. A `?` marks a parameter that may be left out. Amounts are nanograms as decimal texts.',
    'A key, if there is one, goes into the header `X-API-Key`. 429 and 503 say in `Retry-After` when to come back.',
    '',
    '## Documents',
    '',
    ...DOCUMENTS.map(([, path, what]) => `- [${path.slice(1)}](${base}${path}): ${what}`),
    ...[...groupsOf(methods, tagOf)].flatMap(([tag, own]) => ['', `## ${tag}`, '', ...own.map((method) => methodLine(method, base))]),
    '',
  ].join('\n')
}
