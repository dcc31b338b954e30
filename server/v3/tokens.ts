import { MAX_HOLDERS, type tokens } from '../../shared/v3/tokens.ts'
import type { Handlers } from '../base/call.ts'
import { countHolders } from '../store/queries/jettons.ts'
import { domainsOf } from '../store/queries/nfts.ts'
import { readIndex } from '../store/queries/view.ts'
import type { V3Index } from './answer/answer.ts'
import { address as formatAddress } from './shapes/values.ts'

export const tokenHandlers = ({ reader }: V3Index): Pick<Handlers, keyof typeof tokens> => ({
  async 'token.holders'({ address }, { signal }) {
    // Counts one more than the maximum, to find out whether there are more.
    const counted = await readIndex(reader, signal, (view) => countHolders(view, address, MAX_HOLDERS + 1))
    return { holders: Math.min(counted, MAX_HOLDERS), more: counted > MAX_HOLDERS }
  },

  async 'token.domains'({ address }, { signal }) {
    const rows = await readIndex(reader, signal, (view) => domainsOf(view, address))
    return { domains: rows.map(({ account, domain }) => ({ address: formatAddress(account), domain })) }
  },
})
