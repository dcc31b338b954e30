import type { Warning } from '../base/token-metadata.ts'
import { Badge } from './values.tsx'

const MEANINGS: Readonly<Record<Warning, string>> = {
  scam: 'The operator of this service lists this token as a scam.',
  NSFW: 'The operator of this service lists this token as not safe for work.',
}

export const Warnings = ({ of }: { readonly of: readonly Warning[] }) => (
  <>
    {of.map((warning) => (
      <span class="warning" key={warning}>
        {' '}
        <Badge tone={warning === 'scam' ? 'bad' : 'warn'} title={MEANINGS[warning]}>
          {warning}
        </Badge>
      </span>
    ))}
  </>
)
